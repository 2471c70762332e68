// Package registry is the registry of the served kinds of posts and terms. Each kind is
// declared in its own package.
package registry

import (
	"slices"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/schema"
)

// LinkedKind declares a kind of posts that events link: how they are stored, and what is served
// of them.
type LinkedKind struct {
	Type  func(schema.Names) *content.Type
	Serve func(*item.Service, *content.Type) *linked.UseCases
}

// linkedKinds returns the kinds of posts that events link, in the order of an event's members. A new
// kind is a line here.
func linkedKinds() []LinkedKind {
	return []LinkedKind{
		{linked.VenueType, linked.NewVenues},
		{linked.OrganizerType, linked.NewOrganizers},
	}
}

// More is what a calendar serves besides what this module declares; the zero value is nothing.
type More struct {
	Kinds  []LinkedKind       // that events link, which come after the others
	Fields func() item.Fields // of events, nil for none
	Own    []item.Own         // fields that the host declares
	By     []item.OwnFilter   // filters by these
}

func (m More) linkedKinds() []LinkedKind { return slices.Concat(linkedKinds(), m.Kinds) }

// own returns the fields that the host declares for a kind.
func (m More) own(s *item.Service, collection string) (fields item.Fields) {
	for _, o := range m.Own {
		if o.Kind == collection {
			fields = append(fields, s.OwnField(o))
		}
	}
	return fields
}

// by returns the filters that the host declares for a kind.
func (m More) by(collection string) (filters []item.OwnFilter) {
	for _, f := range m.By {
		if f.Kind == collection {
			filters = append(filters, f)
		}
	}
	return filters
}

// Types returns the kinds of posts that are served.
func Types(n schema.Names, more More) content.Types {
	types := content.Types{event.Type(n)}
	for _, kind := range more.linkedKinds() {
		types = append(types, kind.Type(n))
	}
	return types
}

// Taxonomies returns the taxonomies of events: that of categories, that of tags.
func Taxonomies(n schema.Names) []string { return []string{n.Category, n.Tag} }

// Register returns the use cases of events, which hold those of all others. The content.Service of s was made
// with Types and Taxonomies, its store with the links of Types.
func Register(s *item.Service, n schema.Names, more More) *event.UseCases {
	events := &event.UseCases{
		Service: s, Lists: eventlist.New(s.Content.Store),
		Categories: term.NewCategories(s, n.Category), Tags: term.NewTags(s, n.Tag),
	}
	for _, kind := range []*term.UseCases{events.Categories, events.Tags} {
		kind.Add(more.own(s, kind.Collection)...)
		kind.AddFilters(more.by(kind.Collection), more.Own)
	}
	for _, declared := range more.linkedKinds() {
		kind := declared.Serve(s, s.Content.Types.Of(declared.Type(n).PostType))
		kind.Add(more.own(s, kind.Collection)...)
		kind.AddFilters(more.by(kind.Collection), more.Own)
		events.Linked = append(events.Linked, kind)
		switch kind.Type.PostType {
		case n.Venue:
			events.Venues = kind
		case n.Organizer:
			events.Organizers = kind
		}
	}
	if more.Fields != nil {
		events.More = more.Fields()
	}
	events.More = append(events.More, more.own(s, event.Type(n).Collection)...)
	event.New(events).AddFilters(more.by(events.Collection), more.Own)
	return events
}
