package rest

import "github.com/agendahq/agenda/internal/jsonschema"

// indexShape is the shape of the index.
func indexShape() *jsonschema.Schema {
	return jsonschema.Object("Index",
		jsonschema.Has("namespace", jsonschema.Text().Example("vendor/events/v1")),
		jsonschema.Has("routes", jsonschema.Map(routeShape())),
		jsonschema.Has("_links", jsonschema.Object("", jsonschema.Has("up", jsonschema.Links())).Undescribed()),
	).Doc("doc_index").Undescribed()
}

// routeShape is the shape of a route of the index, and of the answer to OPTIONS.
func routeShape() *jsonschema.Schema {
	methods := jsonschema.List(jsonschema.Text().Example("GET"))
	argument := jsonschema.Object("IndexArgument",
		jsonschema.Optional("default", jsonschema.OneOf(jsonschema.Text(), jsonschema.Int(), jsonschema.Bool(), jsonschema.Null())),
		jsonschema.Optional("description", jsonschema.Text()),
		jsonschema.Optional("type", jsonschema.Text().Example("string")),
		jsonschema.Optional("items", jsonschema.Object("", jsonschema.Has("type", jsonschema.Text().Example("integer"))).Undescribed()),
		jsonschema.Optional("format", jsonschema.Text()),
		jsonschema.Has("required", jsonschema.Bool()),
	).Doc("doc_index_argument").Undescribed()
	endpoint := jsonschema.Object("",
		jsonschema.Has("methods", methods),
		jsonschema.Has("args", jsonschema.OneOf(jsonschema.EmptyList(), jsonschema.Map(argument))),
	).Undescribed()
	return jsonschema.Object("IndexRoute",
		jsonschema.Has("namespace", jsonschema.Text().Example("vendor/events/v1")),
		jsonschema.Has("methods", methods),
		jsonschema.Has("endpoints", jsonschema.List(endpoint)),
		jsonschema.Optional("_links", jsonschema.Object("", jsonschema.Has("self", jsonschema.Links())).Undescribed()),
	).Doc("doc_index_route").Undescribed()
}
