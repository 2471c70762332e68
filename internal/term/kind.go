// Package term serves the terms of events, categories and tags, and finds those that
// an event or a filter names. Terms have no status, trash or author, so they are
// written here and not in package content.
package term

import (
	"context"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
)

// Kind declares a kind of terms.
type Kind struct {
	Service    *item.Service
	Collection string // "categories"
	Singular   string // "Category"
	Taxonomy   string // stored name
	Tree       bool   // terms have parents
}

// Views are the views of a term.
var Views = []string{"view", "embed", "edit"}

// Parameters of lists.
const (
	paramExclude   param.Key[Assigned] = "exclude"
	paramInclude   param.Key[Assigned] = "include"
	paramHideEmpty param.Key[bool]     = "hide_empty"
	paramParent    param.Key[int64]    = "parent"
	paramPost      param.Key[int64]    = "post"
	paramEvent     param.Key[int64]    = "event"
	paramSlug      param.Key[string]   = "slug"
)

// ListParams declares the parameters of the list, in the order of the index.
func (k *Kind) ListParams() []*param.Param {
	doc, word := param.DocOf("param_"+k.Collection+"_"), param.Checked(param.Short(param.Text))
	names, id := jsonschema.List(jsonschema.Text()), jsonschema.Int().From(1)
	order := []string{"name", "id", "slug", "count", "description", "term_group", "include"}
	if k.Tree {
		order = append(order, "parent")
	}
	list := append(k.Service.PageParams(k.Collection),
		item.SearchParam(k.Collection),
		paramExclude.Param(names, k.Assigned(), doc, param.LegacyItems(jsonschema.TypeInt)),
		paramInclude.Param(names, k.Assigned(), doc, param.LegacyItems(jsonschema.TypeInt)),
		item.Order.Param(item.OrderShape().Default("asc"), word, doc, param.Typed()),
		item.OrderBy.Param(jsonschema.Words(order...).Default("name"), word, doc, param.Typed()),
		paramHideEmpty.Param(jsonschema.Bool().Default(true), nil, doc, param.Typed(), param.Default("1")),
	)
	if k.Tree {
		list = append(list, paramParent.Param(jsonschema.Int().From(0), param.LookedUp(parentID, k.parent("fault_"+k.Collection)), doc,
			param.Typed()))
	}
	return append(list,
		paramPost.Param(id, k.Service.ReadableEvent(), doc, param.Typed()),
		paramEvent.Param(id, k.Service.ReadableEvent(), doc, param.Typed()),
		paramSlug.Param(jsonschema.Text().Chars(1, 0).Example("music"), word, doc, param.Typed()),
		item.Context("TermView", Views...), k.Service.Language,
	)
}

// parentID reads the id of a term, 0 for the top level. Other text is left to the
// type of the parameter.
func parentID(_ context.Context, v any) (int64, error) {
	id, _ := param.Integer(v)
	return id, nil
}

// parent looks up an id above 0; message is the fault of an unknown one.
func (k *Kind) parent(message string) func(context.Context, int64) (int64, error) {
	return func(ctx context.Context, id int64) (int64, error) {
		if id == 0 {
			return 0, nil
		}
		found, err := k.Service.Content.Store.Terms.Matching(ctx, k.Taxonomy, []int64{id}, nil, nil)
		if err == nil && len(found) == 0 {
			err = param.Invalid(message)
		}
		return id, err
	}
}

// WriteNested writes a term inside an event.
func (k *Kind) WriteNested(w *phpjson.Writer, c *call.Call, v *item.Versions, t *store.TaxonomyTerm) {
	w.Object()
	w.KeyString("name", t.Name)
	w.KeyString("slug", t.Slug)
	w.KeyInt("term_group", t.Group)
	w.KeyInt("term_taxonomy_id", t.TaxonomyID)
	w.KeyString("taxonomy", t.Taxonomy)
	w.KeyString("description", t.Description)
	w.KeyInt("parent", t.Parent)
	w.KeyInt("count", t.Count)
	w.KeyString("filter", "raw")
	w.KeyInt("id", t.ID)
	k.writeURLs(w, c, t, t.Parent)
	v.WriteTermLanguage(w, t)
	w.End()
}

// writeURLs writes the addresses of a term, of its kind and of its parent, if
// the answer names one.
func (k *Kind) writeURLs(w *phpjson.Writer, c *call.Call, t *store.TaxonomyTerm, parent int64) {
	w.KeyObject("urls")
	w.KeyString("self", k.Address(c, t.ID))
	w.KeyString("collection", c.Root.URL+"/"+k.Collection)
	if parent != 0 {
		w.KeyString("up", k.Address(c, parent))
	}
	w.End()
}

// Address returns the address of a term in the API.
func (k *Kind) Address(c *call.Call, id int64) string {
	return c.Root.URL + "/" + k.Collection + "/" + strconv.FormatInt(id, 10)
}

// Shown are terms with what an answer shows of them.
type Shown struct {
	Terms []*store.TaxonomyTerm

	kind     *Kind
	call     *call.Call
	linker   *permalink.Linker // of the call's root
	tree     map[int64]*store.TaxonomyTerm
	versions *item.Versions
}

// shown reads what an answer shows of terms. Without versions it has empty ones.
func (k *Kind) shown(ctx context.Context, c *call.Call, tree map[int64]*store.TaxonomyTerm, v *item.Versions,
	terms ...*store.TaxonomyTerm) (*Shown, error) {
	if v == nil {
		v = k.Service.Versions(ctx, c)
	}
	return &Shown{terms, k, c, k.Service.Linker(ctx, c), tree, v}, v.Load(ctx, nil, terms)
}

// Write writes a term of a list or alone, in one of three views: all of it, what an
// embedding needs, or nothing, for an unknown view.
func (s *Shown) Write(ctx context.Context, w *phpjson.Writer, t *store.TaxonomyTerm, single bool) {
	k, c, view := s.kind, s.call, item.ViewOf(s.call)
	full, embed := view == "" || view == "view" || view == "edit", view == "embed"
	parent := t.Parent
	if embed {
		parent = 0 // an embedding does not name it, so nothing links it either
	}
	w.Object()
	if full || embed {
		w.KeyInt("id", t.ID)
		if full {
			w.KeyInt("count", t.Count)
			w.KeyString("description", t.Description)
		}
		w.KeyString("name", t.Name)
		w.KeyString("slug", t.Slug)
		w.KeyString("taxonomy", t.Taxonomy)
		if full {
			if k.Tree {
				w.KeyInt("parent", t.Parent)
			}
			w.KeyArray("meta")
			w.End()
		}
		w.KeyString("url", k.pageAddress(s.versions.TermLinker(ctx, t, s.linker), s.tree, t))
		k.writeURLs(w, c, t, parent)
		s.versions.WriteTerm(ctx, w, t, func(l *permalink.Linker, t *store.TaxonomyTerm) string { return k.pageAddress(l, s.tree, t) })
	}
	if single {
		k.writeLinks(w, c, t, parent)
	}
	w.End()
}

// pageAddress returns the address of the term's page on the site.
func (k *Kind) pageAddress(l *permalink.Linker, tree map[int64]*store.TaxonomyTerm, t *store.TaxonomyTerm) string {
	if !k.Tree {
		return l.Tag(t.Slug)
	}
	slugs := []string{t.Slug}
	for p, n := tree[t.Parent], 0; p != nil && n < maxDepth; p, n = tree[p.Parent], n+1 {
		slugs = append(slugs, p.Slug)
	}
	slices.Reverse(slugs)
	return l.Category(slugs)
}

// maxDepth limits the way up a tree, which may be circular as stored.
const maxDepth = 50

func (k *Kind) writeLinks(w *phpjson.Writer, c *call.Call, t *store.TaxonomyTerm, parent int64) {
	href := func(name, address string) {
		w.KeyArray(name)
		w.Object()
		w.KeyString("href", address)
		w.End()
		w.End()
	}
	w.KeyObject("_links")
	href("self", k.Address(c, t.ID))
	href("collection", c.Root.URL+"/"+k.Collection)
	if parent != 0 {
		href("up", k.Address(c, parent))
	}
	href("events", call.WithQuery(c.Root.URL+"/events", k.Collection+"="+strconv.FormatInt(t.ID, 10)))
	w.End()
}

// CanAssign reports whether the caller may give events terms of this kind.
func (k *Kind) CanAssign(p caller.Principal) bool {
	if k.Tree {
		return p.Can("edit_" + content.Family(k.Service.Content.Types.Events().PostType))
	}
	return p.Can("edit_posts")
}

// CanEdit reports whether the caller may change terms of this kind.
func (k *Kind) CanEdit(p caller.Principal) bool {
	if !p.Can("edit_" + content.Family(k.Service.Content.Types.Events().PostType)) {
		return false
	}
	if k.Tree {
		return p.Can("publish_" + content.Family(k.Service.Content.Types.Events().PostType))
	}
	return p.Can("manage_categories")
}
