package content

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// postTerms writes the categories and tags of a post, and how many published posts each of them has. The counts of a
// batch are written at its end.
type postTerms struct {
	store      *store.Store
	taxonomies []string
}

// termChange is what an edit changes about the terms of a post.
type termChange struct {
	changed     []string // taxonomies
	add, remove []int64
	recount     []int64
	by          map[int64]int64 // term_taxonomy_id → the difference to its count
}

// termChanges compares the terms of an edit with the stored ones. Counts include only published posts, so they change
// with the status too.
func (p *postTerms) termChanges(ctx context.Context, d *Edit) (c termChange, err error) {
	attached := map[int64]string{}
	published := d.Row.Status == schema.StatusPublish
	was := !d.New() && d.Stored.Status == schema.StatusPublish
	if len(d.terms) == 0 && was == published {
		return c, nil
	}
	if !d.New() {
		if attached, err = p.store.Terms.TaxonomyIDs(ctx, d.Row.ID); err != nil {
			return c, err
		}
	}
	for _, taxonomy := range p.taxonomies {
		want, set := d.terms[taxonomy]
		if !set {
			continue
		}
		before := len(c.add) + len(c.remove)
		for _, id := range want {
			if _, has := attached[id]; !has && !slices.Contains(c.add, id) {
				c.add = append(c.add, id)
			}
		}
		for id, t := range attached {
			if t == taxonomy && !slices.Contains(want, id) {
				c.remove = append(c.remove, id)
			}
		}
		if len(c.add)+len(c.remove) > before {
			c.changed = append(c.changed, taxonomy)
		}
	}
	if was || published {
		c.recount = slices.Concat(c.add, c.remove)
	}
	if was != published {
		c.recount = slices.AppendSeq(c.recount, maps.Keys(attached))
	}
	slices.Sort(c.remove)
	c.by = map[int64]int64{}
	for _, id := range c.recount {
		_, had := attached[id]
		has := (had || slices.Contains(c.add, id)) && !slices.Contains(c.remove, id)
		c.by[id] = oneIf(has && published) - oneIf(had && was)
	}
	return c, nil
}

// rows returns the ids of the term_taxonomy rows to which the post is added, from which it is removed, or whose count
// changes.
func (c *termChange) rows() []int64 { return slices.Concat(c.add, c.remove, c.recount) }

func oneIf(counts bool) int64 {
	if counts {
		return 1
	}
	return 0
}

func (p *postTerms) saveTerms(ctx context.Context, d *Edit) (termChange, error) {
	c, err := p.termChanges(ctx, d)
	if err != nil {
		return c, err
	}
	return c, p.writeTerms(ctx, d, c)
}

func (p *postTerms) writeTerms(ctx context.Context, d *Edit, c termChange) error {
	if err := p.store.Terms.Attach(ctx, d.Row.ID, c.add, c.remove); err != nil {
		return err
	}
	if u := batchOf(ctx, p.store); u != nil {
		for id, by := range c.by {
			u.counts[id] += by
		}
		return nil
	}
	if site.From(ctx).DateForm == schema.DatesOwn {
		// No other program writes the rows of such a site, so its stored counts are right. Counting the posts of a large
		// category again would take longer than all the rest of the write.
		return addCounts(ctx, p.store.Terms, c.by)
	}
	slices.Sort(c.recount)
	return p.store.Terms.Recount(ctx, slices.Compact(c.recount))
}
