package rest

import "github.com/agendahq/agenda/internal/rest/shape"

// indexShape is what the index answers.
func indexShape() *shape.Shape {
	return shape.Object("Index",
		shape.Has("namespace", shape.Text().Ex("vendor/events/v1")),
		shape.Has("routes", shape.Map(routeShape())),
		shape.Has("_links", shape.Object("", shape.Has("up", LinksShape())).Bare()),
	).Doc("doc_index").Bare()
}

// routeShape is a route of the index, and the answer to OPTIONS.
func routeShape() *shape.Shape {
	methods := shape.List(shape.Text().Ex("GET"))
	argument := shape.Object("IndexArgument",
		shape.May("default", shape.OneOf(shape.Text(), shape.Int(), shape.Bool(), shape.Null())),
		shape.May("description", shape.Text()),
		shape.May("type", shape.Text().Ex("string")),
		shape.May("items", shape.Object("", shape.Has("type", shape.Text().Ex("integer"))).Bare()),
		shape.May("format", shape.Text()),
		shape.Has("required", shape.Bool()),
	).Doc("doc_index_argument").Bare()
	endpoint := shape.Object("",
		shape.Has("methods", methods),
		shape.Has("args", shape.OneOf(shape.EmptyList(), shape.Map(argument))),
	).Bare()
	return shape.Object("IndexRoute",
		shape.Has("namespace", shape.Text().Ex("vendor/events/v1")),
		shape.Has("methods", methods),
		shape.Has("endpoints", shape.List(endpoint)),
		shape.May("_links", shape.Object("", shape.Has("self", LinksShape())).Bare()),
	).Doc("doc_index_route").Bare()
}

// LinksShape is a list of links as answers write them.
func LinksShape() *shape.Shape {
	link := shape.Object("Link", shape.Has("href", shape.Text().Ex("https://example.org/wp-json/vendor/events/v1/events"))).Doc("doc_link").Bare()
	return shape.List(link)
}
