package term

import (
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
)

// parentOf returns the id of the parent that a response links to, 0 for none.
func parentOf(it *item.Item) int64 { return it.Term.Parent }

// noParent returns 0. The view "embed" does not contain the parent's id, so it does not link to it either.
func noParent(*item.Item) int64 { return 0 }

// addresses builds the URLs of a taxonomy's terms in the API and on the site.
type addresses struct {
	collection string
	tree       bool // the taxonomy is hierarchical
}

// urls returns the field with the URLs of a term, of the list, and of its parent.
func (a addresses) urls(parent func(*item.Item) int64) *item.Field {
	address := jsonschema.Text().Example("https://example.org/wp-json/vendor/events/v1/categories/12")
	return &item.Field{
		Name: "urls",
		Shape: jsonschema.Object("TermURLs", jsonschema.Has("self", address), jsonschema.Has("collection", address),
			jsonschema.Optional("up", address)).Doc("doc_field_urls").Undescribed(),
		Value: func(w *phpjson.Writer, it *item.Item) {
			w.Object()
			a.each(it, parent(it), w.KeyString)
			w.End()
		},
	}
}

// each calls f with the URLs of a term, of the list, and of its parent if there is one.
func (a addresses) each(it *item.Item, parent int64, f func(name, address string)) {
	all := it.Call.Root.URL + "/" + a.collection
	f("self", all+"/"+strconv.FormatInt(it.Term.ID, 10))
	f("collection", all)
	if parent != 0 {
		f("up", all+"/"+strconv.FormatInt(parent, 10))
	}
}

// links returns the field "_links", which only a term that is read by its id has.
func (a addresses) links(parent func(*item.Item) int64) *item.Field {
	return &item.Field{
		Name: "_links", In: item.InSingle, Doc: "doc_field_links",
		Shape: jsonschema.Object("TermLinks", jsonschema.Has("self", jsonschema.Links()), jsonschema.Has("collection", jsonschema.Links()),
			jsonschema.Optional("up", jsonschema.Links()), jsonschema.Has("events", jsonschema.Links()),
		).Doc("doc_field_links").Undescribed(),
		Value: func(w *phpjson.Writer, it *item.Item) {
			href := func(name, address string) {
				w.KeyArray(name)
				w.Object()
				w.KeyString("href", address)
				w.End()
				w.End()
			}
			w.Object()
			a.each(it, parent(it), href)
			href("events", call.WithQuery(it.Call.Root.URL+"/events", a.collection+"="+strconv.FormatInt(it.Term.ID, 10)))
			w.End()
		},
	}
}

// page returns the URL of a term's page on the site.
func (a addresses) page(it *item.Item) string {
	return a.pageIn(it, it.Versions.TermLinker(it.Ctx, it.Term, it.Linker), it.Term)
}

// pageIn returns the URL of the page of a term or of a translation.
func (a addresses) pageIn(it *item.Item, l *permalink.Linker, t *store.TaxonomyTerm) string {
	if !a.tree {
		return l.Tag(t.Slug)
	}
	slugs := append([]string{t.Slug}, above(it.Tree, t)...)
	slices.Reverse(slugs)
	return l.Category(slugs)
}
