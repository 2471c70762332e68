package term

import (
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/shape"
)

// URLsShape follows writeURLs.
func URLsShape() *shape.Shape {
	address := shape.Text().Example("https://example.org/wp-json/vendor/events/v1/categories/12")
	return shape.Object("TermURLs", shape.Has("self", address), shape.Has("collection", address),
		shape.Optional("up", address)).Doc("doc_field_urls").Undescribed()
}

// NestedShape follows WriteNested.
func NestedShape() *shape.Shape {
	text := shape.Text()
	return shape.Object("EventTerm",
		shape.Has("name", text.Example("Music")).Doc("doc_field_term_name"), shape.Has("slug", text.Example("music")),
		shape.Has("term_group", shape.Int()),
		shape.Has("term_taxonomy_id", shape.Int().Example(12)), shape.Has("taxonomy", text.Example("category")),
		shape.Has("description", text),
		shape.Has("parent", shape.Int().Example(0)), shape.Has("count", shape.Int().Example(3)), shape.Has("filter", shape.Only("raw")),
		shape.Has("id", shape.Int().Example(12)), shape.Has("urls", URLsShape()), item.LanguageMembers()[0]).Doc("doc_event_term")
}
