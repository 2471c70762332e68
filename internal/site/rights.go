package site

import (
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/schema"
)

// Object is a post on which rights are checked.
type Object struct {
	Author int64
	Status string
	Family string // "tribe_events", "tribe_venues", "tribe_organizers"
	// TrashedFrom is the status that a post in the trash had before, "" if that
	// is not known.
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

// CanEdit reports whether the caller may change a post.
func CanEdit(p caller.Principal, o Object) bool { return may(p, "edit_", o) }

// CanDelete reports whether the caller may put a post into the trash or delete it.
func CanDelete(p caller.Principal, o Object) bool { return may(p, "delete_", o) }

// EditsAny reports whether the caller may change any post of a family, be it only
// their own.
func EditsAny(p caller.Principal, family string) bool { return onAny(p, "edit_", family) }

// DeletesAny is EditsAny for deleting.
func DeletesAny(p caller.Principal, family string) bool { return onAny(p, "delete_", family) }

// onAny reports whether may can be true: for own posts with the plain right or the
// one to published posts, for others' drafts with the right to others' posts.
func onAny(p caller.Principal, verb, family string) bool {
	return p.Can(verb+family) || p.Can(verb+"published_"+family) || p.Can(verb+"others_"+family)
}

// may is the rule for both verbs. To its author a post in the trash counts as
// published if it was: otherwise an author who may not change published posts could
// do so in the trash.
func may(p caller.Principal, verb string, o Object) bool {
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
