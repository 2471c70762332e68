package store

import (
	"context"
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// The following methods record what a Write changes. After a rollback to a savepoint too much may be recorded, which is
// harmless: WordPress then reads something again that has not changed.

// touchPost records a post. Revisions need not be recorded, because WordPress finds them by their post.
func (w *write) touchPost(p *schema.Post) {
	if p.Type != schema.TypeRevision {
		w.changed.Posts(p.ID)
	}
}

// place records which term a term_taxonomy row belongs to. Outside of a Write it does nothing.
func (w *write) place(row, term int64, taxonomy string) {
	if w != nil {
		w.places[row] = schema.TouchedTerm{Taxonomy: taxonomy, ID: term}
	}
}

func (w *write) placeTerms(list []*TaxonomyTerm) {
	for _, t := range list {
		w.place(t.TaxonomyID, t.ID, t.Taxonomy)
	}
}

// touchTerm records a term.
func (w *write) touchTerm(t *TaxonomyTerm) {
	w.place(t.TaxonomyID, t.ID, t.Taxonomy)
	w.touchRows([]int64{t.TaxonomyID})
}

// touchRows records the terms of term_taxonomy rows.
func (w *write) touchRows(lists ...[]int64) {
	for _, list := range lists {
		for _, row := range list {
			w.unplaced[row] = true
		}
	}
}

// touchChildren records the posts below a post, if the site has the companion.
func (s *Posts) touchChildren(ctx context.Context, parent int64) error {
	w := s.db.writing(ctx)
	if !w.of.companion.has(schema.CompanionTable) {
		return nil
	}
	children, err := allIDs(ctx, s.db.Select().From(TablePosts, "").Where("post_parent = ?", parent).
		Where("post_type <> ?", schema.TypeRevision), "ID")
	w.changed.Posts(children...)
	return err
}

// touchNeighbours records a term that is to be deleted, the terms below it, and the posts that have it, if the site has
// the companion.
func (s *Terms) touchNeighbours(ctx context.Context, t *TaxonomyTerm) error {
	w := s.db.writing(ctx)
	w.touchTerm(t)
	if !w.of.companion.has(schema.CompanionTable) {
		return nil
	}
	below, err := allIDs(ctx, s.db.Select().From(TableTermTaxonomy, "").Where("parent = ?", t.ID).
		Where("taxonomy = ?", t.Taxonomy), "term_id")
	if err != nil {
		return err
	}
	for _, id := range below {
		w.changed.Terms(schema.TouchedTerm{Taxonomy: t.Taxonomy, ID: id})
	}
	objects, err := allIDs(ctx, s.db.Select().From(TableTermRelationships, "").
		Where("term_taxonomy_id = ?", t.TaxonomyID), "object_id")
	w.changed.Posts(objects...)
	return err
}

// Places returns the terms of those term_taxonomy rows that exist. It takes at most one statement: terms that the Write
// in ctx has read or written are known.
func (s *Terms) Places(ctx context.Context, rows []int64) ([]schema.TouchedTerm, error) {
	w := s.db.writing(ctx)
	var unknown []int64
	for _, row := range rows {
		if _, known := w.places[row]; !known {
			unknown = append(unknown, row)
		}
	}
	if len(unknown) > 0 {
		q := s.db.Select().From(TableTermTaxonomy, "").Column("term_taxonomy_id", "term_id", "taxonomy").
			Where("term_taxonomy_id IN (?)", bun.List(unknown))
		err := Each(ctx, q, func(r *schema.TermTaxonomy) error {
			w.place(r.ID, r.TermID, r.Taxonomy)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var list []schema.TouchedTerm
	for _, row := range rows {
		if t, known := w.places[row]; known {
			list = append(list, t)
		}
	}
	return list, nil
}

// leaveChanges records the changes for the companion of the site and for Yoast SEO.
func (s *Transactions) leaveChanges(ctx context.Context, w *write) error {
	if !s.companion.has(schema.CompanionTable) && !s.companion.has(yoastIndex) {
		return nil
	}
	terms, err := s.terms.Places(ctx, slices.Sorted(maps.Keys(w.unplaced)))
	if err != nil {
		return err
	}
	w.changed.Terms(terms...)
	return s.companion.Leave(ctx, w.tx, &w.changed)
}
