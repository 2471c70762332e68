// Package kinds is the registry of what is served: the only list of the kinds of
// posts and terms.
package kinds

import (
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/schema"
)

// Types returns the kinds of posts that are served.
func Types(n schema.Names) content.Types {
	return content.Types{event.Type(n), place.VenueType(n), place.OrganizerType(n)}
}

// Taxonomies returns the taxonomies of events: that of categories, that of tags.
func Taxonomies(n schema.Names) []string { return []string{n.Category, n.Tag} }

// Register declares the types of posts and the taxonomies under which a site
// stores them to what reads and writes them, and returns the kind of events, which
// holds all others.
func Register(env *resource.Service, n schema.Names) *event.Kind {
	env.Types, env.Taxonomies = Types(n), Taxonomies(n)
	venues, organizers := place.NewVenues(env, env.Types[1]), place.NewOrganizers(env, env.Types[2])
	return event.New(&event.Kind{
		Service: env, Type: env.Types[0], Lists: eventlist.New(env.Store), Linked: []*place.Kind{venues, organizers}, Venues: venues,
		Categories: &term.Kind{Service: env, Collection: "categories", Singular: "Category", Taxonomy: n.Category, Tree: true},
		Tags:       &term.Kind{Service: env, Collection: "tags", Singular: "Tag", Taxonomy: n.Tag},
	})
}
