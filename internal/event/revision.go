package event

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store"
)

// revision returns the revision of an event. It depends on the row, the meta rows that responses show, the terms and,
// for a recurring event, the occurrences and the rule.
func (k *UseCases) revision(ctx context.Context, p *store.Post, m store.Meta, terms []*store.TaxonomyTerm, dates *store.Several) string {
	ids := make([]int64, len(terms))
	for i, t := range terms {
		ids[i] = t.TaxonomyID
	}
	keys, _ := k.metaKeys(ctx)
	if dates != nil {
		m = maps.Clone(m)
		m[string(fieldDates)] = []string{fmt.Sprint(*dates)}
		keys = append(slices.Clone(keys), string(fieldDates))
	}
	return item.Revision(p, m, keys, ids...)
}

// Match rejects a write that was meant for another revision of the event.
func (k *UseCases) Match(ctx context.Context, c *call.Call, d *content.Edit) error {
	if c.IfMatch == "" {
		return nil
	}
	base, err := k.Service.DateBase(ctx)
	if err != nil {
		return err
	}
	q := store.ContentQuery{IDs: []int64{d.Row.ID}, NoRows: true, Taxonomies: k.Service.Content.Taxonomies}
	if k.haveSeveral(base) {
		q.Several = q.IDs
	}
	found, err := k.Service.Content.Store.Posts.Content(ctx, q)
	if err != nil {
		return err
	}
	view := k.Service.View(ctx, c)
	view.Single = true
	found.Posts[d.Row.ID] = d.StoredRow()
	if err := k.Service.ReadDates(ctx, view, found); err != nil {
		return err
	}
	meta := d.StoredMeta()
	if d.Dates.Named != nil {
		meta = datedMeta(meta, d.Dates.Named)
	}
	return item.CheckMatch(c, k.revision(ctx, d.StoredRow(), meta, found.Terms[d.Row.ID], found.Several[d.Row.ID]))
}
