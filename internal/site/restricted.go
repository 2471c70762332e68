package site

import (
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/wp/members"
)

// allows reports whether the caller may read a restricted post. Users have the names of their roles as capabilities.
func allows(r members.Restriction, p caller.Principal) bool {
	return p.UserID != 0 && p.UserID == r.Author || p.Can(members.Restrict) || slices.ContainsFunc(r.Roles, p.Can)
}

// Restricting returns a copy of the settings with the posts that the plugin Members restricts.
func (s *Settings) Restricting(restricted map[int64]members.Restriction) *Settings {
	if len(restricted) == 0 {
		return s
	}
	more := *s
	more.Restricted = restricted
	return &more
}

// Restricts reports whether a post is hidden from the caller by the plugin Members (D96).
func (s *Settings) Restricts(p caller.Principal, id int64) bool {
	r, restricted := s.Restricted[id]
	return restricted && !allows(r, p)
}

// RestrictedTo returns the sorted ids of the posts that are hidden from the caller.
func (s *Settings) RestrictedTo(p caller.Principal) (ids []int64) {
	for id, r := range s.Restricted {
		if !allows(r, p) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
