package calendar

import (
	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/rest"
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
	events, venues, organizers := a.Events(kind), a.Places(kind.Venues), a.Places(kind.Organizers)
	categories, tags := a.Terms(kind.Categories), a.Terms(kind.Tags)
	feed := events.List.InFormat(api.Calendar, "listEventsAsCalendar", "page", "per_page")
	all := []*rest.Route{
		at("", index.On("GET")),
		at("/doc", doc.On("GET")),

		at("/events", events.List.On("GET"), events.Create.On("POST")),
		at("/events/sync", events.Sync.On("GET")),
		at("/events/{id}",
			events.Item.Get.On("GET"), events.Item.Delete.On("DELETE"), events.Item.Update.On("POST", "PUT", "PATCH")),
		at("/events/ics", feed.On("GET")),
		at("/events/{id}/ics", events.Item.Get.InFormat(api.Calendar, "getEventAsCalendar").On("GET")),
		at("/events/by-slug/{slug}",
			events.BySlug.Get.On("GET"), events.BySlug.Delete.On("DELETE"), events.BySlug.Update.On("POST", "PUT", "PATCH")),

		at("/venues", venues.List.On("GET"), venues.Create.On("POST")),
		at("/venues/sync", venues.Sync.On("GET")),
		at("/venues/{id}",
			venues.Item.Get.On("GET"), venues.Item.Delete.On("DELETE"), venues.Item.Update.On("POST", "PUT", "PATCH")),
		at("/venues/by-slug/{slug}",
			venues.BySlug.Get.On("GET"), venues.BySlug.Delete.On("DELETE"), venues.BySlug.Update.On("POST", "PUT", "PATCH")),

		at("/organizers", organizers.List.On("GET"), organizers.Create.On("POST")),
		at("/organizers/sync", organizers.Sync.On("GET")),
		at("/organizers/{id}",
			organizers.Item.Get.On("GET"), organizers.Item.Delete.On("DELETE"), organizers.Item.Update.On("POST", "PUT", "PATCH")),
		at("/organizers/by-slug/{slug}",
			organizers.BySlug.Get.On("GET"), organizers.BySlug.Delete.On("DELETE"), organizers.BySlug.Update.On("POST", "PUT", "PATCH")),

		at("/categories", categories.List.On("GET"), categories.Create.On("POST")),
		at("/categories/sync", categories.Sync.On("GET")),
		at("/categories/{id}",
			categories.Item.Get.On("GET"), categories.Item.Update.On("POST", "PUT", "PATCH"), categories.Item.Delete.On("DELETE")),

		at("/tags", tags.List.On("GET"), tags.Create.On("POST")),
		at("/tags/sync", tags.Sync.On("GET")),
		at("/tags/{id}",
			tags.Item.Get.On("GET"), tags.Item.Update.On("POST", "PUT", "PATCH"), tags.Item.Delete.On("DELETE")),
	}
	for _, k := range kind.Others() {
		path, o := "/"+k.Collection, a.Places(k)
		all = append(all, at(path, o.List.On("GET"), o.Create.On("POST")), at(path+"/sync", o.Sync.On("GET")),
			at(path+"/{id}", o.Item.Get.On("GET"), o.Item.Delete.On("DELETE"), o.Item.Update.On("POST", "PUT", "PATCH")),
			at(path+"/by-slug/{slug}", o.BySlug.Get.On("GET"), o.BySlug.Delete.On("DELETE"), o.BySlug.Update.On("POST", "PUT", "PATCH")))
	}
	return append(all, at("/batch", rest.BatchOperation(all, a.Service.Language).On("POST")))
}
