package store

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// Lock returns a term of a taxonomy, nil if it does not exist. The term is locked until the Write ends.
func (s *Terms) Lock(ctx context.Context, taxonomy string, id int64) (*TaxonomyTerm, error) {
	found, err := termRows(ctx, s.db.Locked(s.rows().Where("tt.taxonomy = ?", taxonomy).Where("t.term_id = ?", id)))
	s.db.writing(ctx).placeTerms(found)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// longSlug is the length in bytes up to which a numbered variant of a slug contains the whole slug.
const longSlug = 190

// Slugs returns, in lower case, the slugs among the terms of all taxonomies that equal a slug or are a longer or
// numbered variant of it.
func (s *Terms) Slugs(ctx context.Context, slug string) (map[string]bool, error) {
	family := slug + "-"
	if len(slug) > longSlug {
		family = wp.CutSlug(slug, longSlug)
	}
	used := map[string]bool{}
	q := s.db.Select().From(TableTerms, "").Column("slug").
		Where("(slug = ? OR slug LIKE ? ESCAPE '|')", slug, likeEscaper.Replace(family)+"%")
	return used, eachValue(ctx, q, func(slug string) { used[strings.ToLower(slug)] = true })
}

// Insert adds a term to a taxonomy and sets its ids.
func (s *Terms) Insert(ctx context.Context, t *TaxonomyTerm) error {
	term := &schema.Term{Name: t.Name, Slug: t.Slug, Group: t.Group}
	if err := insertOne(ctx, s.db.withForeign(s.db.writing(ctx).conn().NewInsert().Model(term), "terms"), &term.ID); err != nil {
		return err
	}
	place := &schema.TermTaxonomy{TermID: term.ID, Taxonomy: t.Taxonomy, Description: t.Description, Parent: t.Parent}
	if err := insertOne(ctx, s.db.withForeign(s.db.writing(ctx).conn().NewInsert().Model(place), "term_taxonomy"), &place.ID); err != nil {
		return err
	}
	t.ID, t.TaxonomyID = term.ID, place.ID
	s.db.writing(ctx).touchTerm(t)
	return nil
}

// Update writes what has changed about a term: name and slug, description and parent.
func (s *Terms) Update(ctx context.Context, was, is *TaxonomyTerm) error {
	s.db.writing(ctx).touchTerm(was)
	if was.Name != is.Name || was.Slug != is.Slug {
		_, err := s.db.writing(ctx).conn().NewUpdate().TableExpr("?(prefix)terms").Set("name = ?", is.Name).Set("slug = ?", is.Slug).
			Where("term_id = ?", was.ID).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if was.Description == is.Description && was.Parent == is.Parent {
		return nil
	}
	_, err := s.db.writing(ctx).conn().NewUpdate().TableExpr("?(prefix)term_taxonomy").Set("description = ?", is.Description).
		Set("parent = ?", is.Parent).Where("term_taxonomy_id = ?", was.TaxonomyID).Exec(ctx)
	return err
}

// Delete removes a term from its taxonomy and from everything to which it is assigned. Its children move to its parent.
// Its name and meta rows are deleted too, unless the term is also in another taxonomy, as on old sites.
func (s *Terms) Delete(ctx context.Context, t *TaxonomyTerm) error {
	if err := s.touchNeighbours(ctx, t); err != nil {
		return err
	}
	// Other programs may have stored a term as its own parent.
	parent := t.Parent
	if parent == t.ID {
		parent = 0
	}
	err := UpdateAll(ctx, s.db.writing(ctx).conn(), func(q *bun.UpdateQuery) *bun.UpdateQuery {
		return q.TableExpr("?(prefix)term_taxonomy").Set("parent = CASE WHEN term_id = ? THEN 0 ELSE ? END", parent, parent).
			Where("parent = ?", t.ID).Where("taxonomy = ?", t.Taxonomy)
	})
	if err != nil {
		return err
	}
	for _, table := range []string{"term_relationships", "term_taxonomy"} {
		if err := s.deleteWhere(ctx, table, "term_taxonomy_id", t.TaxonomyID); err != nil {
			return err
		}
	}
	others := s.db.Select().From(TableTermTaxonomy, "").ColumnExpr("COUNT(*)").Where("term_id = ?", t.ID)
	if n, err := Number(ctx, others); err != nil || n > 0 {
		return err
	}
	// Sites that are older than this table may not have it.
	if err := s.deleteWhere(ctx, "termmeta", "term_id", t.ID); err != nil && !dberr.IsNoTable(err) {
		return err
	}
	return s.deleteWhere(ctx, "terms", "term_id", t.ID)
}

func (s *Terms) deleteWhere(ctx context.Context, table, column string, id int64) error {
	return DeleteAll(ctx, s.db.writing(ctx).conn(), func(q *bun.DeleteQuery) *bun.DeleteQuery {
		return q.ModelTableExpr("?(prefix)?", bun.Safe(table)).Where("? = ?", bun.Ident(column), id)
	})
}
