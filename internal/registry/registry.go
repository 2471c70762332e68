// Package registry is the registry of the served kinds of posts and terms. Each kind is
// declared in its own package.
package registry

import (
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/schema"
)

// linkedKind declares a kind of posts that events link: how they are stored, and what is served
// of them.
type linkedKind struct {
	declare func(schema.Names) *content.Type
	serve   func(*item.Service, *content.Type) *linked.UseCases
}

// otherKinds are the kinds of posts that events link besides venues and organizers, in the order of
// an event's members, in which they come after these. A new kind is a line here.
var otherKinds []linkedKind

// moreFields declares fields of events besides those of package event; nil for none.
var moreFields func() item.Fields

// Types returns the kinds of posts that are served.
func Types(n schema.Names) content.Types {
	types := content.Types{event.Type(n), linked.VenueType(n), linked.OrganizerType(n)}
	for _, kind := range otherKinds {
		types = append(types, kind.declare(n))
	}
	return types
}

// Taxonomies returns the taxonomies of events: that of categories, that of tags.
func Taxonomies(n schema.Names) []string { return []string{n.Category, n.Tag} }

// Register returns the use cases of events, which hold those of all others. The content.Service of s was made
// with Types and Taxonomies, its store with the links of Types.
func Register(s *item.Service, n schema.Names) *event.UseCases {
	events := &event.UseCases{
		Service: s, Lists: eventlist.New(s.Content.Store),
		Categories: term.NewCategories(s, n.Category), Tags: term.NewTags(s, n.Tag),
	}
	typeOf := s.Content.Types.Of
	events.Venues, events.Organizers = linked.NewVenues(s, typeOf(n.Venue)), linked.NewOrganizers(s, typeOf(n.Organizer))
	events.Linked = []*linked.UseCases{events.Venues, events.Organizers}
	for _, kind := range otherKinds {
		events.Linked = append(events.Linked, kind.serve(s, typeOf(kind.declare(n).PostType)))
	}
	if moreFields != nil {
		events.More = moreFields()
	}
	return event.New(events)
}
