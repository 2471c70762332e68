package calendar

import (
	"slices"

	"github.com/agendahq/agenda/internal/kinds"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/schema"
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
func routes(e *rest.Engine, env *post.Env, names schema.Names) []*rest.Route {
	events := kinds.Register(env, names)
	index := e.IndexOperation()
	index.Params = append(index.Params, env.Language)
	doc := openapi.Operation(func() []*rest.Route { return e.Routes }, env.Language)
	return slices.Concat(
		[]*rest.Route{
			{Path: "", Operations: []*rest.Operation{index}},
			{Path: "/doc", Operations: []*rest.Operation{doc}},
		},
		events.Routes(), events.Venues.Routes(), events.Organizers.Routes(), events.Categories.Routes(), events.Tags.Routes(),
	)
}
