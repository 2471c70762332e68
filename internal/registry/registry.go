// Package registry lists the resources that are served. Each resource is declared in a package of its own.
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

// linkedResources declares the resources of posts that events link, in the order of an event's members. A new resource
// is added here.
func linkedResources(n schema.Names) []*linked.UseCases {
	return []*linked.UseCases{linked.Venues(n), linked.Organizers(n)}
}

// More contains what a calendar serves in addition to the declarations of this module. The zero value adds nothing.
type More struct {
	Linked func() []*linked.UseCases // declares resources that events link, after the others; may be nil
	Fields func() item.Fields        // fields of events; may be nil
	Own    []item.Own                // fields that the host declares
	By     []item.OwnFilter          // filters by fields of the host
}

func (m More) linkedResources(n schema.Names) []*linked.UseCases {
	if m.Linked == nil {
		return linkedResources(n)
	}
	return append(linkedResources(n), m.Linked()...)
}

// own returns the fields that the host declares for a resource.
func (m More) own(s *item.Service, collection string) (fields item.Fields) {
	for _, o := range m.Own {
		if o.Kind == collection {
			fields = append(fields, s.OwnField(o))
		}
	}
	return fields
}

// by returns the filters that the host declares for a resource.
func (m More) by(collection string) (filters []item.OwnFilter) {
	for _, f := range m.By {
		if f.Kind == collection {
			filters = append(filters, f)
		}
	}
	return filters
}

// Types returns how the resources of posts that are served are stored.
func Types(n schema.Names, more More) content.Types {
	types := content.Types{&event.Declare(n).Storage}
	for _, kind := range more.linkedResources(n) {
		types = append(types, &kind.Storage)
	}
	return types
}

// Taxonomies returns the taxonomies of events: those of categories and of tags.
func Taxonomies(n schema.Names) []string { return []string{n.Category, n.Tag} }

// Register returns the use cases of events, which contain those of all other resources. The content.Service of s must
// have been created with Types and Taxonomies, and its store with the links of Types.
func Register(s *item.Service, n schema.Names, more More) *event.UseCases {
	events := &event.UseCases{
		Resource: event.Declare(n), Service: s, Lists: eventlist.New(s.Content.Store),
		Categories: term.NewCategories(s, n.Category), Tags: term.NewTags(s, n.Tag),
	}
	for _, kind := range []*term.UseCases{events.Categories, events.Tags} {
		kind.Add(more.own(s, kind.Collection)...)
		kind.AddFilters(more.by(kind.Collection), more.Own)
	}
	for _, kind := range more.linkedResources(n) {
		kind.Serve(s).Add(more.own(s, kind.Collection)...)
		kind.AddFilters(more.by(kind.Collection), more.Own)
		events.Linked = append(events.Linked, kind)
		switch kind.PostType {
		case n.Venue:
			events.Venues = kind
		case n.Organizer:
			events.Organizers = kind
		}
	}
	if more.Fields != nil {
		events.More = more.Fields()
	}
	events.More = append(events.More, more.own(s, events.Collection)...)
	event.New(events).AddFilters(more.by(events.Collection), more.Own)
	events.Fields.ShareShapes()
	for _, kind := range events.Linked {
		kind.Fields.ShareShapes()
	}
	for _, kind := range []*term.UseCases{events.Categories, events.Tags} {
		kind.Fields.ShareShapes()
		kind.Nested.ShareShapes()
	}
	return events
}
