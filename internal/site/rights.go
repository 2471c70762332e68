package site

import (
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/schema"
)

// Object contains what rights on a post depend on.
type Object struct {
	Author int64
	Status string
	Family string // plural of the post type, in the names of capabilities: "tribe_events", "tribe_venues", "tribe_organizers"
	// TrashedFrom is the status that a post had before it was moved to the trash; "" if it is unknown.
	TrashedFrom string
}

// CanRead reports whether the caller may read a post.
func CanRead(p caller.Principal, o Object) bool {
	own := p.UserID != 0 && p.UserID == o.Author
	switch {
	case o.Status == schema.StatusPublish:
		return true
	case own:
		return p.Can("read")
	case o.Status == schema.StatusPrivate:
		return p.Can("read_private_" + o.Family)
	}
	return CanEdit(p, o)
}

// CanEdit reports whether the caller may edit a post.
func CanEdit(p caller.Principal, o Object) bool { return hasRight(p, "edit_", o) }

// CanDelete reports whether the caller may move a post to the trash or delete it.
func CanDelete(p caller.Principal, o Object) bool { return hasRight(p, "delete_", o) }

// EditsAny reports whether there may be any post in a family that the caller may edit.
func EditsAny(p caller.Principal, family string) bool { return onAny(p, "edit_", family) }

// DeletesAny reports whether there may be any post in a family that the caller may delete.
func DeletesAny(p caller.Principal, family string) bool { return onAny(p, "delete_", family) }

// onAny reports whether hasRight returns true for any post: an own one with the plain right or the one for published
// posts, or another's draft with the right for others' posts.
func onAny(p caller.Principal, verb, family string) bool {
	return p.Can(verb+family) || p.Can(verb+"published_"+family) || p.Can(verb+"others_"+family)
}

// hasRight implements the rules of WordPress (map_meta_cap) for edit_post and delete_post. For its author, a post in
// the trash counts as published if it was: otherwise an author who must not edit published posts could do so in the
// trash.
func hasRight(p caller.Principal, verb string, o Object) bool {
	if p.UserID != 0 && p.UserID == o.Author {
		if published(o.Status) || o.Status == schema.StatusTrash && published(o.TrashedFrom) {
			return p.Can(verb + "published_" + o.Family)
		}
		return p.Can(verb + o.Family)
	}
	if !p.Can(verb + "others_" + o.Family) {
		return false
	}
	switch {
	case published(o.Status):
		return p.Can(verb + "published_" + o.Family)
	case o.Status == schema.StatusPrivate:
		return p.Can(verb + "private_" + o.Family)
	}
	return true
}

func published(status string) bool {
	return status == schema.StatusPublish || status == schema.StatusFuture
}
