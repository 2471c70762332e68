package term

import (
	"context"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// List is a page of a list.
type List struct {
	*call.Page
	*Shown
}

// List finds a page, of which the number and the size are given, and the total.
func (k *Kind) List(ctx context.Context, c *call.Call, number, size int64) (*List, error) {
	page := &call.Page{Number: number, Size: size}
	tree, err := k.tree(ctx)
	if err != nil {
		return nil, err
	}
	f, versions, err := k.filter(ctx, c, page, tree)
	if err != nil {
		return nil, err
	}
	terms, err := k.Service.Content.Store.Terms.Page(ctx, f, page.Size, item.Offset(page.Number, page.Size))
	if err != nil {
		return nil, err
	}
	if err = page.Count(len(terms), func() (int64, error) { return k.Service.Content.Store.Terms.Count(ctx, f) }); err != nil {
		return nil, err
	}
	if item.Editing(c) && !k.CanEdit(c.Principal) {
		terms = nil
	}
	shown, err := k.shown(ctx, c, tree, versions, terms...)
	return &List{page, shown}, err
}

// tree returns the terms of a kind with parents, by id.
func (k *Kind) tree(ctx context.Context) (map[int64]*store.TaxonomyTerm, error) {
	if !k.Tree {
		return nil, nil
	}
	list, err := k.Service.Content.Store.Terms.Tree(ctx, k.Taxonomy)
	byID := make(map[int64]*store.TaxonomyTerm, len(list))
	for _, t := range list {
		byID[t.ID] = t
	}
	return byID, err
}

// filter makes the filter of a list and adds its parameters to the page's address. It
// also returns the versions in other languages that it loaded.
func (k *Kind) filter(ctx context.Context, c *call.Call, page *call.Page, tree map[int64]*store.TaxonomyTerm) (*store.TermFilter,
	*item.Versions, error) {
	v, links := c.Values, &page.Filters
	f := &store.TermFilter{Taxonomy: k.Taxonomy, Language: k.Service.Content.LanguageFilter(ctx)}
	if item.PerPage.In(v) {
		links.Add(string(item.PerPage), strconv.FormatInt(page.Size, 10))
	}
	carry(v, links, item.Search)
	carry(v, links, paramExclude, paramInclude)
	carry(v, links, item.Order, item.OrderBy)
	carry(v, links, paramHideEmpty)
	carry(v, links, paramParent, paramPost, paramEvent)
	carry(v, links, paramSlug)
	f.Search = item.Search.Value(v)
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
	by := store.TermOrder(item.OrderBy.Value(v))
	if by == "term_id" {
		by = store.TermsByID
	}
	f.Order = by
	order := item.Order.Value(v)
	f.Descending = order != "" && order != "0" && !strings.EqualFold(order, "asc") // "0" counts as none
	k.Service.CarryOn(c, links)
	versions, err := k.ofObject(ctx, c, f)
	return f, versions, err
}

// ofObject replaces the terms of a post by those that an event shows: their versions
// in the request's language, if any.
func (k *Kind) ofObject(ctx context.Context, c *call.Call, f *store.TermFilter) (*item.Versions, error) {
	v := k.Service.Versions(ctx, c)
	if f.Object == nil || v == nil {
		return v, nil
	}
	found, err := k.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{
		IDs: []int64{*f.Object}, NoRows: true, Taxonomies: []string{k.Taxonomy},
	})
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
func carry[T any](v *param.Values, links *call.Query, keys ...param.Key[T]) {
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
	found, err := k.Service.Content.Store.Terms.Matching(ctx, k.Taxonomy, []int64{id}, nil, nil)
	if err != nil || len(found) == 0 {
		return &place{}, err
	}
	return &place{term: found[0]}, nil
}

const pathID param.Key[*place] = "id"

// ID declares the path's id of a term. An unknown id is the fault of the parameter, so
// rights do not matter.
func (k *Kind) ID() *param.Param {
	return item.ID(pathID, 12, param.LookedUp(k.termID, func(ctx context.Context, id int64) (*place, error) {
		at, err := k.locate(ctx, id)
		if err == nil && at.term == nil {
			err = param.Invalid(k.unknown())
		}
		return at, err
	}))
}

// unknown is the message for an unknown id.
func (k *Kind) unknown() string { return "fault_" + k.Collection + "_id" }

// Get reads the term that the path names, and its revision.
func (k *Kind) Get(ctx context.Context, c *call.Call) (s *Shown, rev string, err error) {
	at := pathID.Value(c.Values)
	s, err = k.shown(ctx, c, at.tree, nil, at.term)
	return s, revision(at.term), err
}
