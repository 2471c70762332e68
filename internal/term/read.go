package term

import (
	"context"
	"strconv"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/surrogate"
)

// List reads a page, given its number and size, and the total.
func (k *UseCases) List(ctx context.Context, c *call.Call, number, size int64) (*item.List, error) {
	if err := item.RefuseSync(c); err != nil {
		return nil, err
	}
	page, view := &call.Page{Number: number, Size: size}, k.Service.View(ctx, c)
	view.Selected = c.Fields.Members(k.Collection)
	tree, err := k.tree(ctx)
	if err != nil {
		return nil, err
	}
	f, err := k.query(ctx, view, page, tree)
	if err != nil {
		return nil, err
	}
	terms, err := k.Service.Content.Store.Terms.Page(store.Fitting(ctx), f, page.Size, item.Offset(page.Number, page.Size))
	if err != nil {
		return nil, err
	}
	if err = page.Count(len(terms), func() (int64, error) { return k.Service.Content.Store.Terms.Count(ctx, f) }); err != nil {
		return nil, err
	}
	if item.Editing(c) && !k.CanEdit(c.Principal) {
		terms = nil
	}
	items, err := k.items(ctx, view, tree, terms...)
	surrogate.From(ctx).List(k.Collection, k.Service.Content.Types.Events().Collection)
	k.RecordKeys(ctx, items...)
	return item.ListOf(page, items), err
}

// tree returns all terms of a hierarchical taxonomy by id, nil for a flat one.
func (k *UseCases) tree(ctx context.Context) (map[int64]*store.TaxonomyTerm, error) {
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

// query builds the query of a list, and adds its parameters to the URLs of other pages.
func (k *UseCases) query(ctx context.Context, v *item.View, page *call.Page, tree map[int64]*store.TaxonomyTerm) (*store.TermFilter,
	error) {
	q := &query{
		TermFilter: &store.TermFilter{Taxonomy: k.Taxonomy, Language: k.Service.Content.Languages.Filter(ctx, k.Taxonomy)},
		Selection:  item.Selection{Ctx: ctx, Call: v.Call, View: v, Links: &page.Filters},
	}
	if item.PerPage.IsGiven(q.Values()) {
		q.Links.Add(string(item.PerPage), strconv.FormatInt(page.Size, 10))
	}
	if err := k.filters.Apply(q, &q.Selection); err != nil {
		return nil, err
	}
	q.Without = k.Fields.Unread(v.Selected)
	if sync := v.Call.Sync; sync != nil {
		q.Only = &sync.Among
	}
	if q.Object != nil {
		event, err := k.Service.EventOf(ctx, *q.Object)
		if err != nil {
			return nil, err
		}
		q.Object = &event
	}
	if q.NonEmpty = q.NonEmpty && q.Object == nil; q.NonEmpty {
		q.EvenEmpty = ancestors(tree)
	}
	k.Service.CarryOn(v.Call, q.Links)
	return q.TermFilter, k.ofObject(ctx, v.Versions, q.TermFilter)
}

// ofObject replaces the terms of a post by those that an event shows: their translations in the request's language, if
// there are any.
func (k *UseCases) ofObject(ctx context.Context, v *item.Versions, f *store.TermFilter) error {
	if f.Object == nil || v == nil {
		return nil
	}
	found, err := k.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{
		IDs: []int64{*f.Object}, NoRows: true, Taxonomies: []string{k.Taxonomy},
	})
	if err != nil {
		return err
	}
	terms, shown := found.Terms[*f.Object], []int64{}
	if err := v.Load(ctx, nil, terms); err != nil {
		return err
	}
	for _, t := range v.ShownTerms(terms) {
		shown = append(shown, t.ID)
	}
	f.Only, f.Object, f.Language = &shown, nil, store.LanguageFilter{}
	return nil
}

// ancestors returns the ids of empty terms that have a descendant that is not empty.
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

// place is a term with all terms of its taxonomy by id. tree is nil for a flat taxonomy.
type place struct {
	term *store.TaxonomyTerm
	tree map[int64]*store.TaxonomyTerm
}

// locate reads a term. If it does not exist, the place has no term.
func (k *UseCases) locate(ctx context.Context, id int64) (*place, error) {
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

// ID declares the id in a path. An unknown id is a validation error of the parameter, so it is reported before rights
// are checked.
func (k *UseCases) ID() *param.Param {
	return item.ID(pathID, 12, param.LookedUp(termID(k.Texts.UnknownID), func(ctx context.Context, id int64) (*place, error) {
		at, err := k.locate(ctx, id)
		if err == nil && at.term == nil {
			err = param.Invalid(k.Texts.UnknownID)
		}
		return at, err
	}))
}

// Get reads the term that the path names.
func (k *UseCases) Get(ctx context.Context, c *call.Call) (*item.Single, error) {
	at := pathID.Value(c.Values)
	it, err := k.item(ctx, c, at)
	if err != nil {
		return nil, err
	}
	k.RecordKeys(ctx, it)
	return &item.Single{Item: it, Revision: revision(at.term, it.Meta)}, nil
}
