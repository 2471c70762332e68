package term

import (
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
)

// URLsShape follows writeURLs.
func URLsShape() *jsonschema.Schema {
	address := jsonschema.Text().Example("https://example.org/wp-json/vendor/events/v1/categories/12")
	return jsonschema.Object("TermURLs", jsonschema.Has("self", address), jsonschema.Has("collection", address),
		jsonschema.Optional("up", address)).Doc("doc_field_urls").Undescribed()
}

// NestedShape follows WriteNested.
func NestedShape() *jsonschema.Schema {
	text := jsonschema.Text()
	return jsonschema.Object("EventTerm",
		jsonschema.Has("name", text.Example("Music")).Doc("doc_field_term_name"), jsonschema.Has("slug", text.Example("music")),
		jsonschema.Has("term_group", jsonschema.Int()),
		jsonschema.Has("term_taxonomy_id", jsonschema.Int().Example(12)), jsonschema.Has("taxonomy", text.Example("category")),
		jsonschema.Has("description", text),
		jsonschema.Has("parent", jsonschema.Int().Example(0)), jsonschema.Has("count", jsonschema.Int().Example(3)), jsonschema.Has("filter", jsonschema.Only("raw")),
		jsonschema.Has("id", jsonschema.Int().Example(12)), jsonschema.Has("urls", URLsShape()), item.LanguageMembers()[0]).Doc("doc_event_term")
}
