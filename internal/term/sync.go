package term

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Among returns which of the terms with these ids the list contains, for synchronization.
func (k *UseCases) Among(ctx context.Context, c *call.Call, ids []int64) (*item.Synced, error) {
	asked := *c
	asked.Sync = &call.Sync{Among: ids}
	view, found := k.Service.View(ctx, &asked), &item.Synced{}
	view.Selected = c.Fields.Members(k.Collection)
	tree, err := k.tree(ctx)
	if err != nil {
		return nil, err
	}
	f, err := k.query(ctx, view, &call.Page{Number: 1, Size: int64(len(ids))}, tree)
	if err != nil {
		return nil, err
	}
	found.Named = fmt.Sprint(f.Include, f.Exclude, f.Parent == nil)
	if len(ids) == 0 || item.Editing(c) && !k.CanEdit(c.Principal) {
		return found, nil
	}
	terms, err := k.Service.Content.Store.Terms.Page(ctx, f, int64(len(ids)), 0)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(terms, func(a, b *store.TaxonomyTerm) int { return cmp.Compare(a.ID, b.ID) })
	found.Items, err = k.items(ctx, view, tree, terms...)
	return found, err
}

// Known reports all ids as known: everybody may know of all terms.
func (k *UseCases) Known(_ context.Context, ids []int64, _ map[int64][]*schema.JournalChange) (map[int64]bool, error) {
	known := map[int64]bool{}
	for _, id := range ids {
		known[id] = true
	}
	return known, nil
}
