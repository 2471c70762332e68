package term

import (
	"slices"

	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
)

// urlsShape follows writeURLs.
func urlsShape() *shape.Shape {
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
		shape.Has("id", shape.Int().Example(12)), shape.Has("urls", urlsShape()), resource.LanguageMembers()[0]).Doc("doc_event_term")
}

// shapes are the forms of a term in answers: whole and embedded, each in a list and
// alone.
func (k *Kind) shapes() (item, details, embedded, embeddedDetails *shape.Shape) {
	text := shape.Text()
	id, name, slug := shape.Has("id", shape.Int().Example(12)), shape.Has("name",
		text.Example("Music")).Doc("doc_field_term_name"), shape.Has("slug", text.Example("music"))
	taxonomy, url := shape.Has("taxonomy", text.Example(k.Taxonomy)), shape.Has("url",
		text.Example("https://example.org/events/category/music/"))
	var parent []shape.Member
	if k.Tree {
		parent = append(parent, shape.Has("parent", shape.Int().Example(0)))
	}
	urls := shape.Has("urls", urlsShape())
	item = shape.Object(k.Singular, slices.Concat(
		[]shape.Member{id, shape.Has("count", shape.Int().Example(3)), shape.Has("description", text), name, slug, taxonomy}, parent,
		[]shape.Member{shape.Has("meta", shape.EmptyList()), url, urls}, resource.LanguageMembers())...).Doc("doc_term")
	embedded = shape.Object("TermEmbed",
		slices.Concat([]shape.Member{id, name, slug, taxonomy, url, urls}, resource.LanguageMembers())...).Doc("doc_term_embed")
	links := shape.Has("_links", shape.Object("TermLinks", shape.Has("self", rest.LinksShape()), shape.Has("collection", rest.LinksShape()),
		shape.Optional("up", rest.LinksShape()),
		shape.Has("events", rest.LinksShape())).Doc("doc_field_links").Undescribed()).Doc("doc_field_links")
	return item, item.As(k.Singular+"Details").Doc("doc_term_details").With("", links),
		embedded, embedded.As("TermEmbedDetails").Doc("doc_term_embed_details").With("", links)
}

// pageShape is a page of the kind.
func (k *Kind) pageShape(item *shape.Shape) *shape.Shape {
	if k.Tree {
		return rest.PageShape("Categories", k.Collection, item).Doc("doc_categories")
	}
	return rest.PageShape("Tags", k.Collection, item).Doc("doc_tags")
}
