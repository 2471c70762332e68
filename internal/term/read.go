package term

import (
	"context"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// list answers a page of terms.
func (k *Kind) list(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	page := &rest.Page{Base: r.Root.URL + "/" + k.Collection + "/", LenientPast: true}
	page.Number, page.Size = k.PageOf(r)
	tree, err := k.tree(ctx)
	if err != nil {
		return nil, err
	}
	f, versions, err := k.filter(ctx, r, page, tree)
	if err != nil {
		return nil, err
	}
	terms, err := k.Store.Terms.Page(ctx, f, page.Size, resource.Offset(page.Number, page.Size))
	if err != nil {
		return nil, err
	}
	if err = page.Count(len(terms), func() (int64, error) { return k.Store.Terms.Count(ctx, f) }); err != nil {
		return nil, err
	}
	if resource.Editing(r) && !k.canEdit(r.Principal) {
		terms = nil
	}
	s, err := k.shelf(ctx, r, tree, versions, terms...)
	if err != nil {
		return nil, err
	}
	w := r.Out
	w.Object()
	page.WriteOwn(w)
	page.WriteTotals(w)
	w.KeyArray(k.Collection)
	for _, t := range terms {
		if k.write(ctx, r, s, t, false); w.Full() {
			break
		}
	}
	w.End()
	page.WriteNeighbours(w)
	w.End()
	return page.Response(), nil
}

// tree returns the terms of a kind with parents, by id.
func (k *Kind) tree(ctx context.Context) (map[int64]*store.TaxonomyTerm, error) {
	if !k.Tree {
		return nil, nil
	}
	list, err := k.Store.Terms.Tree(ctx, k.Taxonomy)
	byID := make(map[int64]*store.TaxonomyTerm, len(list))
	for _, t := range list {
		byID[t.ID] = t
	}
	return byID, err
}

// filter makes the filter of a list and adds its parameters to the page's address. It
// also returns the versions in other languages that it loaded.
func (k *Kind) filter(ctx context.Context, r *rest.Request, page *rest.Page, tree map[int64]*store.TaxonomyTerm) (*store.TermFilter,
	*resource.Versions, error) {
	v, links := r.Values, &page.Filters
	f := &store.TermFilter{Taxonomy: k.Taxonomy, Language: k.LanguageFilter(ctx)}
	if resource.PerPage.In(v) {
		links.Add(string(resource.PerPage), strconv.FormatInt(page.Size, 10))
	}
	carry(v, links, resource.Search)
	carry(v, links, paramExclude, paramInclude)
	carry(v, links, resource.Order, resource.OrderBy)
	carry(v, links, paramHideEmpty)
	carry(v, links, paramParent, paramPost, paramEvent)
	carry(v, links, paramSlug)
	f.Search = resource.Search.Value(v)
	if a, given := paramInclude.Get(v); given {
		f.Include = a.ids
	} else if a, given := paramExclude.Get(v); given {
		f.Exclude = a.ids
	}
	if parent, given := paramParent.Get(v); given {
		f.Parent = &parent
	}
	if slug, given := paramSlug.Get(v); given {
		slug = wp.Slug(slug)
		f.Slug = &slug
	}
	for _, key := range []param.Key[int64]{paramPost, paramEvent} {
		if id, given := key.Get(v); given {
			f.Object = &id
		}
	}
	if f.NonEmpty = paramHideEmpty.Value(v) && f.Object == nil; f.NonEmpty {
		f.EvenEmpty = ancestors(tree)
	}
	by := store.TermOrder(resource.OrderBy.Value(v))
	if by == "term_id" {
		by = store.TermsByID
	}
	f.Order = by
	order := resource.Order.Value(v)
	f.Descending = order != "" && order != "0" && !strings.EqualFold(order, "asc") // "0" counts as none
	k.CarryOn(r, links)
	versions, err := k.ofObject(ctx, r, f)
	return f, versions, err
}

// ofObject replaces the terms of a post by those that an event shows: their versions
// in the request's language, if any.
func (k *Kind) ofObject(ctx context.Context, r *rest.Request, f *store.TermFilter) (*resource.Versions, error) {
	v := k.Versions(ctx, r)
	if f.Object == nil || v == nil {
		return v, nil
	}
	found, err := k.Store.Posts.Content(ctx, store.ContentQuery{IDs: []int64{*f.Object}, NoRows: true, Taxonomies: []string{k.Taxonomy}})
	if err != nil {
		return nil, err
	}
	terms, shown := found.Terms[*f.Object], []int64{}
	if err := v.Load(ctx, nil, terms); err != nil {
		return nil, err
	}
	for _, t := range v.ShownTerms(terms) {
		shown = append(shown, t.ID)
	}
	f.Only, f.Object, f.Language = &shown, nil, store.LanguageFilter{}
	return v, nil
}

// carry adds the given values of parameters to the address of a list's pages.
func carry[T any](v *param.Values, links *rest.Query, keys ...param.Key[T]) {
	for _, key := range keys {
		given := key.Given(v)
		if given == nil {
			continue
		}
		switch x := any(*given).(type) {
		case string:
			links.Add(string(key), x)
		case int64:
			links.Add(string(key), strconv.FormatInt(x, 10))
		case bool:
			links.Add(string(key), map[bool]string{true: "1", false: "0"}[x])
		case Assigned:
			links.AddList(string(key), x.Items)
		}
	}
}

// ancestors returns the empty terms above terms that are not empty.
func ancestors(tree map[int64]*store.TaxonomyTerm) []int64 {
	var ids []int64
	seen := map[int64]bool{}
	for _, t := range tree {
		if t.Count == 0 {
			continue
		}
		for p := tree[t.Parent]; p != nil && !seen[p.ID]; p = tree[p.Parent] {
			seen[p.ID] = true
			if p.Count == 0 {
				ids = append(ids, p.ID)
			}
		}
	}
	return ids
}

// place is a term with its tree, nil for a kind without parents.
type place struct {
	term *store.TaxonomyTerm
	tree map[int64]*store.TaxonomyTerm
}

// locate reads a term; the place has none if it does not exist.
func (k *Kind) locate(ctx context.Context, id int64) (*place, error) {
	tree, err := k.tree(ctx)
	if err != nil {
		return nil, err
	}
	if k.Tree {
		return &place{tree[id], tree}, nil
	}
	found, err := k.Store.Terms.Matching(ctx, k.Taxonomy, []int64{id}, nil, nil)
	if err != nil || len(found) == 0 {
		return &place{}, err
	}
	return &place{term: found[0]}, nil
}

const pathID param.Key[*place] = "id"

// id is the path's id of a term. An unknown id is the fault of the parameter, so
// rights do not matter.
func (k *Kind) id() *param.Param {
	return resource.ID(pathID, 12, param.LookedUp(k.termID, func(ctx context.Context, id int64) (*place, error) {
		at, err := k.locate(ctx, id)
		if err == nil && at.term == nil {
			err = param.Invalid(k.unknown())
		}
		return at, err
	}))
}

// unknown is the message for an unknown id.
func (k *Kind) unknown() string { return "fault_" + k.Collection + "_id" }

// byID answers one term.
func (k *Kind) byID(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	at := pathID.Value(r.Values)
	r.Revision = revision(at.term)
	s, err := k.shelf(ctx, r, at.tree, nil, at.term)
	if err != nil {
		return nil, err
	}
	k.write(ctx, r, s, at.term, true)
	return nil, nil
}
