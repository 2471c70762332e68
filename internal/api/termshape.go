package api

import (
	"slices"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
	"github.com/agendahq/agenda/internal/term"
)

// termShapes are the forms of a term in answers: whole and embedded, each in a list and
// alone.
func termShapes(k *term.Kind) (whole, details, embedded, embeddedDetails *shape.Shape) {
	text := shape.Text()
	id, name, slug := shape.Has("id", shape.Int().Example(12)), shape.Has("name",
		text.Example("Music")).Doc("doc_field_term_name"), shape.Has("slug", text.Example("music"))
	taxonomy, url := shape.Has("taxonomy", text.Example(k.Taxonomy)), shape.Has("url",
		text.Example("https://example.org/events/category/music/"))
	var parent []shape.Member
	if k.Tree {
		parent = append(parent, shape.Has("parent", shape.Int().Example(0)))
	}
	urls := shape.Has("urls", term.URLsShape())
	whole = shape.Object(k.Singular, slices.Concat(
		[]shape.Member{id, shape.Has("count", shape.Int().Example(3)), shape.Has("description", text), name, slug, taxonomy}, parent,
		[]shape.Member{shape.Has("meta", shape.EmptyList()), url, urls}, item.LanguageMembers())...).Doc("doc_term")
	embedded = shape.Object("TermEmbed",
		slices.Concat([]shape.Member{id, name, slug, taxonomy, url, urls}, item.LanguageMembers())...).Doc("doc_term_embed")
	links := shape.Has("_links", shape.Object("TermLinks", shape.Has("self", rest.LinksShape()), shape.Has("collection", rest.LinksShape()),
		shape.Optional("up", rest.LinksShape()),
		shape.Has("events", rest.LinksShape())).Doc("doc_field_links").Undescribed()).Doc("doc_field_links")
	return whole, whole.As(k.Singular+"Details").Doc("doc_term_details").With("", links),
		embedded, embedded.As("TermEmbedDetails").Doc("doc_term_embed_details").With("", links)
}

// termPageShape is a page of a kind.
func termPageShape(k *term.Kind, one *shape.Shape) *shape.Shape {
	if k.Tree {
		return rest.PageShape("Categories", k.Collection, one).Doc("doc_categories")
	}
	return rest.PageShape("Tags", k.Collection, one).Doc("doc_tags")
}
