package event

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// revision returns the revision of an event: of its row, the meta rows of answers and
// its terms.
func (k *Kind) revision(ctx context.Context, p *store.Post, m store.Meta, terms []*store.TaxonomyTerm) string {
	ids := make([]int64, len(terms))
	for i, t := range terms {
		ids[i] = t.TaxonomyID
	}
	keys, _ := k.metaKeys(ctx)
	return resource.Revision(p, m, keys, ids...)
}

// Match refuses a write that was meant for another revision of the event.
func (k *Kind) Match(ctx context.Context, r *rest.Request, d *content.Edit) error {
	if len(r.HTTP.Header.Values("If-Match")) == 0 {
		return nil
	}
	found, err := k.Store.Posts.Content(ctx, store.ContentQuery{IDs: []int64{d.Row.ID}, NoRows: true, Taxonomies: k.Taxonomies})
	if err != nil {
		return err
	}
	return resource.CheckMatch(r, k.revision(ctx, d.StoredRow(), d.StoredMeta(), found.Terms[d.Row.ID]))
}
