package event

import (
	"context"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store"
)

// revision returns the revision of an event: of its row, the meta rows of answers and
// its terms.
func (k *UseCases) revision(ctx context.Context, p *store.Post, m store.Meta, terms []*store.TaxonomyTerm) string {
	ids := make([]int64, len(terms))
	for i, t := range terms {
		ids[i] = t.TaxonomyID
	}
	keys, _ := k.metaKeys(ctx)
	return item.Revision(p, m, keys, ids...)
}

// Match refuses a write that was meant for another revision of the event.
func (k *UseCases) Match(ctx context.Context, c *call.Call, d *content.Edit) error {
	if c.IfMatch == "" {
		return nil
	}
	found, err := k.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{
		IDs: []int64{d.Row.ID}, NoRows: true, Taxonomies: k.Service.Content.Taxonomies,
	})
	if err != nil {
		return err
	}
	meta := d.StoredMeta()
	if d.Dates.Named != nil {
		meta = datedMeta(meta, d.Dates.Named)
	}
	return item.CheckMatch(c, k.revision(ctx, d.StoredRow(), meta, found.Terms[d.Row.ID]))
}
