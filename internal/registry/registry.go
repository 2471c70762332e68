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

// linkedKinds are the kinds of posts that events link, in the order of an event's
// members. A new kind is a line here.
var linkedKinds = []struct {
	declare func(schema.Names) *content.Type
	serve   func(*item.Service, *content.Type) *linked.Kind
}{
	{linked.VenueType, linked.NewVenues},
	{linked.OrganizerType, linked.NewOrganizers},
}

// Types returns the kinds of posts that are served.
func Types(n schema.Names) content.Types {
	types := content.Types{event.Type(n)}
	for _, kind := range linkedKinds {
		types = append(types, kind.declare(n))
	}
	return types
}

// Taxonomies returns the taxonomies of events: that of categories, that of tags.
func Taxonomies(n schema.Names) []string { return []string{n.Category, n.Tag} }

// Register declares the types of posts and the taxonomies under which a site stores
// them to what reads and writes them, and returns the kind of events, which holds all
// others. The store was made with the links of Types.
func Register(s *item.Service, n schema.Names) *event.Kind {
	s.Content.Types, s.Content.Taxonomies = Types(n), Taxonomies(n)
	events := &event.Kind{
		Service: s, Lists: eventlist.New(s.Content.Store),
		Categories: term.NewCategories(s, n.Category), Tags: term.NewTags(s, n.Tag),
	}
	for i, kind := range linkedKinds {
		events.Linked = append(events.Linked, kind.serve(s, s.Content.Types[1+i]))
	}
	events.Venues, events.Organizers = events.Linked[0], events.Linked[1]
	return event.New(events)
}
