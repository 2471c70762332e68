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
func MayEdit(c Caller, user int64, o Object) bool {
	if user != 0 && user == o.Author {
		if o.Status == schema.StatusPublish || o.Status == schema.StatusFuture {
			return c.Can("edit_published_" + o.Family)
		}
		return c.Can("edit_" + o.Family)
	}
	if !c.Can("edit_others_" + o.Family) {
		return false
	}
	switch o.Status {
	case schema.StatusPublish, schema.StatusFuture:
		return c.Can("edit_published_" + o.Family)
	case schema.StatusPrivate:
		return c.Can("edit_private_" + o.Family)
	}
	return true
}
