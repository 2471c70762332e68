package site

import "github.com/agendahq/agenda/schema"

// Caller is what rights are decided on.
type Caller interface {
	Can(capability string) bool
}

// Object is a post whose rights are asked for.
type Object struct {
	Author int64
	Status string
	Family string // "tribe_events", "tribe_venues", "tribe_organizers"
	// TrashedFrom is the status that a post in the trash had before, "" if that
	// is not known.
	TrashedFrom string
}

// MayRead tells whether a caller with a user id may read a post.
func MayRead(c Caller, user int64, o Object) bool {
	own := user != 0 && user == o.Author
	switch {
	case o.Status == schema.StatusPublish:
		return true
	case own:
		return c.Can("read")
	case o.Status == schema.StatusPrivate:
		return c.Can("read_private_" + o.Family)
	}
	return MayEdit(c, user, o)
}

// MayEdit tells whether a caller may change a post.
func MayEdit(c Caller, user int64, o Object) bool { return may(c, "edit_", user, o) }

// MayDelete tells whether a caller may put a post into the trash or delete it.
func MayDelete(c Caller, user int64, o Object) bool { return may(c, "delete_", user, o) }

// EditsAny reports whether there can be a post of a family that a caller may
// change, be it an own one.
func EditsAny(c Caller, family string) bool { return onAny(c, "edit_", family) }

// DeletesAny is EditsAny for deleting.
func DeletesAny(c Caller, family string) bool { return onAny(c, "delete_", family) }

// onAny reports whether may can be true: of own posts for those with the plain
// right or that to published ones, of others' drafts for those with the right
// to others' posts.
func onAny(c Caller, verb, family string) bool {
	return c.Can(verb+family) || c.Can(verb+"published_"+family) || c.Can(verb+"others_"+family)
}

// may is the rule that both verbs follow. To its author a post in the trash
// still counts as published if it was: otherwise who may not touch what is
// published could, by way of the trash.
func may(c Caller, verb string, user int64, o Object) bool {
	if user != 0 && user == o.Author {
		if published(o.Status) || o.Status == schema.StatusTrash && published(o.TrashedFrom) {
			return c.Can(verb + "published_" + o.Family)
		}
		return c.Can(verb + o.Family)
	}
	if !c.Can(verb + "others_" + o.Family) {
		return false
	}
	switch {
	case published(o.Status):
		return c.Can(verb + "published_" + o.Family)
	case o.Status == schema.StatusPrivate:
		return c.Can(verb + "private_" + o.Family)
	}
	return true
}

func published(status string) bool {
	return status == schema.StatusPublish || status == schema.StatusFuture
}
