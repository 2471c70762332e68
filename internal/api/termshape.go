package api

import (
	"slices"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/term"
)

// termShapes are the forms of a term in answers: whole and embedded, each in a list and
// alone.
func termShapes(k *term.Kind) (whole, details, embedded, embeddedDetails *jsonschema.Schema) {
	text := jsonschema.Text()
	id, name, slug := jsonschema.Has("id", jsonschema.Int().Example(12)), jsonschema.Has("name",
		text.Example("Music")).Doc("doc_field_term_name"), jsonschema.Has("slug", text.Example("music"))
	taxonomy, url := jsonschema.Has("taxonomy", text.Example(k.Taxonomy)), jsonschema.Has("url",
		text.Example("https://example.org/events/category/music/"))
	var parent []jsonschema.Member
	if k.Tree {
		parent = append(parent, jsonschema.Has("parent", jsonschema.Int().Example(0)))
	}
	urls := jsonschema.Has("urls", term.URLsShape())
	whole = jsonschema.Object(k.Singular, slices.Concat(
		[]jsonschema.Member{id, jsonschema.Has("count", jsonschema.Int().Example(3)), jsonschema.Has("description", text), name, slug, taxonomy}, parent,
		[]jsonschema.Member{jsonschema.Has("meta", jsonschema.EmptyList()), url, urls}, item.LanguageMembers())...).Doc("doc_term")
	embedded = jsonschema.Object("TermEmbed",
		slices.Concat([]jsonschema.Member{id, name, slug, taxonomy, url, urls}, item.LanguageMembers())...).Doc("doc_term_embed")
	links := jsonschema.Has("_links", jsonschema.Object("TermLinks", jsonschema.Has("self", rest.LinksShape()), jsonschema.Has("collection", rest.LinksShape()),
		jsonschema.Optional("up", rest.LinksShape()),
		jsonschema.Has("events", rest.LinksShape())).Doc("doc_field_links").Undescribed()).Doc("doc_field_links")
	return whole, whole.As(k.Singular+"Details").Doc("doc_term_details").With("", links),
		embedded, embedded.As("TermEmbedDetails").Doc("doc_term_embed_details").With("", links)
}

// termPageShape is a page of a kind.
func termPageShape(k *term.Kind, one *jsonschema.Schema) *jsonschema.Schema {
	if k.Tree {
		return rest.PageShape("Categories", k.Collection, one).Doc("doc_categories")
	}
	return rest.PageShape("Tags", k.Collection, one).Doc("doc_tags")
}
