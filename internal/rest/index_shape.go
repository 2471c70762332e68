package rest

import "github.com/agendahq/agenda/internal/shape"

// indexShape is the shape of the index.
func indexShape() *shape.Shape {
	return shape.Object("Index",
		shape.Has("namespace", shape.Text().Example("vendor/events/v1")),
		shape.Has("routes", shape.Map(routeShape())),
		shape.Has("_links", shape.Object("", shape.Has("up", LinksShape())).Undescribed()),
	).Doc("doc_index").Undescribed()
}

// routeShape is a route of the index, and the answer to OPTIONS.
func routeShape() *shape.Shape {
	methods := shape.List(shape.Text().Example("GET"))
	argument := shape.Object("IndexArgument",
		shape.Optional("default", shape.OneOf(shape.Text(), shape.Int(), shape.Bool(), shape.Null())),
		shape.Optional("description", shape.Text()),
		shape.Optional("type", shape.Text().Example("string")),
		shape.Optional("items", shape.Object("", shape.Has("type", shape.Text().Example("integer"))).Undescribed()),
		shape.Optional("format", shape.Text()),
		shape.Has("required", shape.Bool()),
	).Doc("doc_index_argument").Undescribed()
	endpoint := shape.Object("",
		shape.Has("methods", methods),
		shape.Has("args", shape.OneOf(shape.EmptyList(), shape.Map(argument))),
	).Undescribed()
	return shape.Object("IndexRoute",
		shape.Has("namespace", shape.Text().Example("vendor/events/v1")),
		shape.Has("methods", methods),
		shape.Has("endpoints", shape.List(endpoint)),
		shape.Optional("_links", shape.Object("", shape.Has("self", LinksShape())).Undescribed()),
	).Doc("doc_index_route").Undescribed()
}

// LinksShape is a list of links in answers.
func LinksShape() *shape.Shape {
	href := shape.Has("href", shape.Text().Example("https://example.org/wp-json/vendor/events/v1/events"))
	return shape.List(shape.Object("Link", href).Doc("doc_link").Undescribed())
}
