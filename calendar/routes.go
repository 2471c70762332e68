package calendar

import (
	"slices"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/term"
)

// rootRoute returns the route of the REST root, above the namespace.
func rootRoute(env *item.Service, logins rest.Logins) *rest.Route {
	return rest.At("/", rest.RootOperation(env.Language, logins).On("GET"))
}

// routes returns the routes of the API. Their order, and the order of the methods of each, is that of the index and of
// the documentation. The documentation also describes the messages of webhooks.
func routes(namespace string, a *api.Adapter, kind *event.UseCases, webhooks func() []openapi.Webhook) []*rest.Route {
	at := rest.At
	index, doc := rest.IndexOperation(namespace, a.Service.Language), openapi.Operation(a.Service.Language, webhooks)
	events := a.Events(kind)
	feed := events.List.InFormat("listEventsAsCalendar", "page", "per_page")
	all := []*rest.Route{
		at("", index.On("GET")),
		at("/doc", doc.On("GET")),

		at("/events", events.List.On("GET"), events.Create.On("POST")),
		at("/events/sync", events.Sync.On("GET")),
		at("/events/{id}",
			events.Item.Get.On("GET"), events.Item.Delete.On("DELETE"), events.Item.Update.On("POST", "PUT", "PATCH")),
		at("/events/ics", feed.On("GET")),
		at("/events/{id}/ics", events.Item.Get.InFormat("getEventAsCalendar").On("GET")),
		at("/events/by-slug/{slug}",
			events.BySlug.Get.On("GET"), events.BySlug.Delete.On("DELETE"), events.BySlug.Update.On("POST", "PUT", "PATCH")),
	}
	all = slices.Concat(all, linkedRoutes(a, kind.Venues), linkedRoutes(a, kind.Organizers),
		termRoutes(a, kind.Categories), termRoutes(a, kind.Tags))
	for _, k := range kind.Others() {
		all = append(all, linkedRoutes(a, k)...)
	}
	return append(all, at("/batch", rest.BatchOperation(all, a.Service.Language).On("POST")))
}

// linkedRoutes returns the routes of a resource of posts that events link: "/venues", "/venues/sync" and so on.
func linkedRoutes(a *api.Adapter, k *linked.UseCases) []*rest.Route {
	path, o := "/"+k.Collection, a.Places(k)
	return []*rest.Route{
		rest.At(path, o.List.On("GET"), o.Create.On("POST")),
		rest.At(path+"/sync", o.Sync.On("GET")),
		rest.At(path+"/{id}", o.Item.Get.On("GET"), o.Item.Delete.On("DELETE"), o.Item.Update.On("POST", "PUT", "PATCH")),
		rest.At(path+"/by-slug/{slug}",
			o.BySlug.Get.On("GET"), o.BySlug.Delete.On("DELETE"), o.BySlug.Update.On("POST", "PUT", "PATCH")),
	}
}

// termRoutes returns the routes of a taxonomy: "/categories", "/categories/sync" and so on.
func termRoutes(a *api.Adapter, k *term.UseCases) []*rest.Route {
	path, o := "/"+k.Collection, a.Terms(k)
	return []*rest.Route{
		rest.At(path, o.List.On("GET"), o.Create.On("POST")),
		rest.At(path+"/sync", o.Sync.On("GET")),
		rest.At(path+"/{id}", o.Item.Get.On("GET"), o.Item.Update.On("POST", "PUT", "PATCH"), o.Item.Delete.On("DELETE")),
	}
}
