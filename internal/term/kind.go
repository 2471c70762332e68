// Package term serves the terms of events: categories and tags.
package term

import (
	"context"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
)

// Kind declares a kind of terms.
type Kind struct {
	*resource.Service
	Collection string // "categories"
	Singular   string // "Category"
	Taxonomy   string // stored name
	Tree       bool   // terms have parents
}

// listParams declares the parameters of the list, in the order of the index.
func (k *Kind) listParams() []*param.Param {
	doc := func(name string) param.Option { return param.Doc("param_" + k.Collection + "_" + name) }
	list := append(k.Page(k.Collection),
		param.New("search", doc("search"), param.Type(param.String), param.Checked(param.Search), param.Sought()),
		param.New("exclude", doc("exclude"), param.Items(param.Integer), param.Checked(k.CheckAssigned)),
		param.New("include", doc("include"), param.Items(param.Integer), param.Checked(k.CheckAssigned)),
		param.New("order", doc("order"), param.Type(param.String), param.Checked(param.Short(param.Text))),
		param.New("orderby", doc("orderby"), param.Type(param.String), param.Checked(param.Short(param.Text))),
		param.New("hide_empty", doc("hide_empty"), param.Type(param.Boolean), param.Default("1")),
	)
	if k.Tree {
		list = append(list, param.New("parent", doc("parent"), param.Type(param.Integer), param.Checked(k.checkParent)))
	}
	return append(list,
		param.New("post", doc("post"), param.Type(param.Integer), param.Checked(k.ReadableEvent)),
		param.New("event", doc("event"), param.Type(param.Integer), param.Checked(k.ReadableEvent)),
		param.New("slug", doc("slug"), param.Type(param.String), param.Checked(param.Short(param.Text))),
		resource.Context(), k.Language,
	)
}

// checkParent accepts 0 for the top level, or the id of a term. Other text is
// left to the type of the parameter.
func (k *Kind) checkParent(ctx context.Context, v any) (any, error) {
	n, ok := param.Convert(param.Integer, v)
	if !ok || n.(int64) == 0 {
		return int64(0), nil
	}
	found, err := k.Store.TermsMatching(ctx, k.Taxonomy, []int64{n.(int64)}, nil, nil)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, param.Invalid("fault_" + k.Collection)
	}
	return n, nil
}

// WriteNested writes a term inside an event.
func (k *Kind) WriteNested(w *phpjson.Writer, r *rest.Request, v *resource.Versions, t *store.TaxonomyTerm) {
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
	k.writeURLs(w, r, t, t.Parent)
	v.WriteTermLanguage(w, t)
	w.End()
}

// writeURLs writes the addresses of a term, of its kind and of its parent, if
// the answer names one.
func (k *Kind) writeURLs(w *phpjson.Writer, r *rest.Request, t *store.TaxonomyTerm, parent int64) {
	w.KeyObject("urls")
	w.KeyString("self", k.address(r, t.ID))
	w.KeyString("collection", r.Root.URL+"/"+k.Collection)
	if parent != 0 {
		w.KeyString("up", k.address(r, parent))
	}
	w.End()
}

func (k *Kind) address(r *rest.Request, id int64) string {
	return r.Root.URL + "/" + k.Collection + "/" + strconv.FormatInt(id, 10)
}

// shelf is what terms are written with.
type shelf struct {
	linker   *permalink.Linker // of the request's root
	tree     map[int64]*store.TaxonomyTerm
	versions *resource.Versions
}

// shelf returns what the terms of an answer are written with. Versions that are
// not given begin empty.
func (k *Kind) shelf(ctx context.Context, r *rest.Request, tree map[int64]*store.TaxonomyTerm, v *resource.Versions, terms ...*store.TaxonomyTerm) (*shelf, error) {
	if v == nil {
		v = k.Versions(ctx, r)
	}
	return &shelf{k.Linker(ctx, r), tree, v}, v.Load(ctx, nil, terms)
}

// write writes a term of a list or alone, in one of three views: all of it,
// what an embedding needs, or, for a view that is not known, nothing.
func (k *Kind) write(ctx context.Context, r *rest.Request, s *shelf, t *store.TaxonomyTerm, single bool) {
	w, view := r.Out, param.Value[string](r.Values, "context")
	full, embed := view == "" || view == "view" || view == "edit", view == "embed"
	parent := t.Parent
	if embed {
		parent = 0 // an embedding does not name it, so nothing leads there either
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
		k.writeURLs(w, r, t, parent)
		s.versions.WriteTerm(ctx, w, t, func(l *permalink.Linker, t *store.TaxonomyTerm) string { return k.pageAddress(l, s.tree, t) })
	}
	if single {
		k.writeLinks(w, r, t, parent)
	}
	w.End()
}

// pageAddress is the address of the term's page on the site.
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

// maxDepth bounds the way up a tree, which stored rows could make circular.
const maxDepth = 50

func (k *Kind) writeLinks(w *phpjson.Writer, r *rest.Request, t *store.TaxonomyTerm, parent int64) {
	href := func(name, address string) {
		w.KeyArray(name)
		w.Object()
		w.KeyString("href", address)
		w.End()
		w.End()
	}
	w.KeyObject("_links")
	href("self", k.address(r, t.ID))
	href("collection", r.Root.URL+"/"+k.Collection)
	if parent != 0 {
		href("up", k.address(r, parent))
	}
	href("events", r.Root.URL+"/events?"+k.Collection+"="+strconv.FormatInt(t.ID, 10))
	w.End()
}

// MayAssign tells whether the caller may give events terms of this kind.
func (k *Kind) MayAssign(p caller.Principal) bool {
	if k.Tree {
		return p.Can("edit_" + content.Family(k.Types.Events().PostType))
	}
	return p.Can("edit_posts")
}

// mayEdit tells whether the caller may change terms of this kind.
func (k *Kind) mayEdit(p caller.Principal) bool {
	if !p.Can("edit_" + content.Family(k.Types.Events().PostType)) {
		return false
	}
	if k.Tree {
		return p.Can("publish_" + content.Family(k.Types.Events().PostType))
	}
	return p.Can("manage_categories")
}
