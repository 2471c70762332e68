package calendar

import (
	"slices"

	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/organizer"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/venue"
)

// routes is the route table, in the order of the index. Each kind declares its
// own routes:
//
//	/                          index
//	/doc                       documentation
//	/events                    list
//	/events/{id}               item
//	/events/by-slug/{slug}     item
//	/venues, /organizers       the same three
//	/categories, /tags         list and item
func routes(e *rest.Engine, env *post.Env) []*rest.Route {
	venues, organizers := venue.New(env), organizer.New(env)
	categories := &term.Kind{Env: env, Collection: "categories", Singular: "Category", Taxonomy: env.Names.Category, Tree: true}
	tags := &term.Kind{Env: env, Collection: "tags", Singular: "Tag", Taxonomy: env.Names.Tag}
	events := &event.Kind{
		Env: env, Lists: eventlist.New(env.Store), Venues: venues, Organizers: organizers, Categories: categories, Tags: tags,
	}

	index := e.IndexOperation()
	index.Params = append(index.Params, env.Language)
	doc := openapi.Operation(func() []*rest.Route { return e.Routes }, env.Language)
	return slices.Concat(
		[]*rest.Route{
			{Path: "", Operations: []*rest.Operation{index}},
			{Path: "/doc", Operations: []*rest.Operation{doc}},
		},
		events.Routes(), venues.Routes(), organizers.Routes(), categories.Routes(), tags.Routes(),
	)
}
