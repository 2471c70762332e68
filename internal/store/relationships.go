package store

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// TaxonomyIDs returns the ids of the term_taxonomy rows assigned to a post, with their taxonomies.
func (s *Terms) TaxonomyIDs(ctx context.Context, post int64) (map[int64]string, error) {
	found := map[int64]string{}
	w := s.db.writing(ctx)
	q := s.db.Select().From(TableTermRelationships, "r").
		Join("JOIN", TableTermTaxonomy, "tt", "tt.term_taxonomy_id = r.term_taxonomy_id").
		Column("tt.term_taxonomy_id", "tt.term_id", "tt.taxonomy").Where("r.object_id = ?", post)
	return found, Each(ctx, s.languages.ofPosts(q), func(r *schema.TermTaxonomy) error {
		found[r.ID] = r.Taxonomy
		w.place(r.ID, r.TermID, r.Taxonomy)
		return nil
	})
}

// LockAttached returns the terms that are attached to an object and that where selects, by their term_taxonomy_id. They
// are locked until the Write ends.
func (s *Terms) LockAttached(ctx context.Context, object int64, where func(*Query) *Query) ([]*TaxonomyTerm, error) {
	q := s.rows().Join("JOIN", TableTermRelationships, "r", "r.term_taxonomy_id = tt.term_taxonomy_id").
		Where("r.object_id = ?", object).OrderExpr("tt.term_taxonomy_id")
	return termRows(ctx, s.db.Locked(where(q)))
}

// Attach assigns term_taxonomy rows to a post and removes others from it.
func (s *Terms) Attach(ctx context.Context, post int64, add, remove []int64) error {
	w := s.db.writing(ctx)
	if len(add)+len(remove) > 0 {
		w.changed.Posts(post)
		w.touchRows(add, remove)
	}
	if len(remove) > 0 {
		_, err := w.conn(TableTermRelationships).NewDelete().ModelTableExpr("?(prefix)term_relationships").
			Where("object_id = ?", post).Where("term_taxonomy_id IN (?)", bun.List(remove)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if len(add) == 0 {
		return nil
	}
	rows := make([]schema.TermRelationship, len(add))
	for i, id := range add {
		rows[i] = schema.TermRelationship{ObjectID: post, TermTaxonomyID: id}
	}
	_, err := s.db.withForeign(w.conn(TableTermRelationships).NewInsert().Model(&rows), "term_relationships").Returning("NULL").Exec(ctx)
	return err
}

// Recount counts the published posts of term_taxonomy rows again.
func (s *Terms) Recount(ctx context.Context, taxonomyIDs []int64) error {
	return s.setCounts(ctx, taxonomyIDs, s.assigned().Join("JOIN", TablePosts, "p", "p.ID = r.object_id").
		Where("p.post_status = ?", schema.StatusPublish))
}

// RecountObjects counts the objects to which term_taxonomy rows are assigned again.
func (s *Terms) RecountObjects(ctx context.Context, taxonomyIDs []int64) error {
	return s.setCounts(ctx, taxonomyIDs, s.assigned())
}

// assigned counts the objects to which the term_taxonomy row tt is assigned.
func (s *Terms) assigned() *Query {
	return s.db.Select().From(TableTermRelationships, "r").ColumnExpr("COUNT(*)").Where("r.term_taxonomy_id = tt.term_taxonomy_id")
}

// setCounts sets the counts of term_taxonomy rows tt to what a query counts.
func (s *Terms) setCounts(ctx context.Context, taxonomyIDs []int64, count *Query) error {
	if len(taxonomyIDs) == 0 {
		return nil
	}
	s.db.writing(ctx).touchRows(taxonomyIDs)
	_, err := s.db.writing(ctx).conn().NewUpdate().TableExpr("?(prefix)term_taxonomy AS tt").Set("count = (?)", count).
		Where("tt.term_taxonomy_id IN (?)", bun.List(taxonomyIDs)).Exec(ctx)
	return err
}

// AddCounts adds by to the counts of term_taxonomy rows.
func (s *Terms) AddCounts(ctx context.Context, taxonomyIDs []int64, by int64) error {
	s.db.writing(ctx).touchRows(taxonomyIDs)
	_, err := s.db.writing(ctx).conn().NewUpdate().TableExpr("?(prefix)term_taxonomy").Set("count = count + ?", by).
		Where("term_taxonomy_id IN (?)", bun.List(taxonomyIDs)).Exec(ctx)
	return err
}
