package store

import (
	"context"
	"database/sql"
	"slices"

	"github.com/uptrace/bun"
	bunschema "github.com/uptrace/bun/schema"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store/dberr"
)

// Terms reads and writes terms of all taxonomies, and the posts to which they are assigned.
type Terms struct {
	db        *DB
	languages *Languages
}

// TaxonomyTerm is a term with its properties in a taxonomy.
type TaxonomyTerm struct {
	ID          int64  `bun:"term_id"`
	TaxonomyID  int64  `bun:"term_taxonomy_id"`
	Parent      int64  `bun:"parent"`
	Count       int64  `bun:"count"`
	Group       int64  `bun:"term_group"`
	Name        string `bun:"name"`
	Slug        string `bun:"slug"`
	Taxonomy    string `bun:"taxonomy"`
	Description string `bun:"description"`
	Omitted     bool   `bun:"-"` // Description was omitted, because the list that shows the term would exceed its memory limit
}

// Ancestors returns the ancestors of a term, its parent first, given all terms of its taxonomy by id. Each is contained
// once, although stored parents may form a cycle.
func (t *TaxonomyTerm) Ancestors(tree map[int64]*TaxonomyTerm) (above []*TaxonomyTerm) {
	for up := tree[t.Parent]; up != nil && up.ID != t.ID && !slices.Contains(above, up); up = tree[up.Parent] {
		above = append(above, up)
	}
	return above
}

// TermOrder is the column by which a list of terms is sorted.
type TermOrder string

// Orders of terms. Ties are sorted by id.
const (
	termsByName        TermOrder = "name"
	TermsByID          TermOrder = "id"
	termsBySlug        TermOrder = "slug"
	termsByCount       TermOrder = "count"
	termsByParent      TermOrder = "parent"
	termsByDescription TermOrder = "description"
	termsByGroup       TermOrder = "term_group"
	termsByInclude     TermOrder = "include" // the order of the Include list
)

var termColumns = map[TermOrder]string{
	TermsByID: "t.term_id", termsBySlug: "t.slug", termsByCount: "tt.count", termsByParent: "tt.parent",
	termsByDescription: "tt.description", termsByGroup: "t.term_group",
}

// TermFilter selects terms of one taxonomy.
type TermFilter struct {
	Taxonomy   string
	Language   LanguageFilter
	Search     string
	Slug       *string
	Include    []int64
	Exclude    []int64
	Parent     *int64
	Object     *int64   // assigned to this post
	Only       *[]int64 // one of these
	NonEmpty   bool     // assigned to a published post
	EvenEmpty  []int64  // terms that are selected despite NonEmpty
	Meta       []MetaFilter
	Order      TermOrder
	Descending bool
	Without    Texts // texts that are not read, and are ""
}

// Page returns one page of terms.
func (s *Terms) Page(ctx context.Context, f *TermFilter, limit, offset int64) ([]*TaxonomyTerm, error) {
	description, length := shortDescription, bun.Safe("OCTET_LENGTH(tt.description)")
	if f.Without&Descriptions != 0 {
		description, length = "''", "0"
	}
	q := s.filter(s.rowsWith(description), f).ColumnExpr("? AS length", length).Limit(limit).Offset(offset)
	column := termColumns[f.Order]
	switch {
	case f.Order == termsByInclude && len(f.Include) > 0:
		q = q.OrderExpr("? ?", Rank{"t.term_id", f.Include}, Direction(f.Descending))
	case column != "":
		q = q.OrderExpr("? ?", bun.Ident(column), Direction(f.Descending))
	default:
		q = q.OrderExpr("t.name ?", Direction(f.Descending))
	}
	list, left, err := termPage(ctx, q.OrderExpr("t.term_id"))
	if err != nil {
		return nil, dberr.UnlessUnmatchable(err, f.Search != "" || len(f.Meta) > 0)
	}
	return list, left.readTexts(ctx, s.db, func(r *longText) { left.describe(r.ID, string(r.Text)) })
}

// termPage reads the terms of a page, and records which descriptions were not read because they are large.
func termPage(ctx context.Context, q *Query) (list []*TaxonomyTerm, left *longTexts, err error) {
	fit := newFitting(ctx)
	left = &longTexts{}
	type row struct {
		TaxonomyTerm
		Short  sql.NullString `bun:"description"`
		Length int64          `bun:"length"`
	}
	err = Each(ctx, q, func(r *row) error {
		t := r.TaxonomyTerm
		if t.Description = r.Short.String; !r.Short.Valid {
			left.term(&t, r.Length)
		}
		list = append(list, &t)
		return fit.row(int64(len(t.Name)+len(t.Description)), &t, nil, slices.Values(list))
	})
	return list, left, err
}

// Count returns the number of terms that a filter selects.
func (s *Terms) Count(ctx context.Context, f *TermFilter) (int64, error) {
	q := s.db.Select().From(TableTerms, "t").
		Join("JOIN", TableTermTaxonomy, "tt", "tt.term_id = t.term_id").ColumnExpr("COUNT(*)")
	n, err := s.db.Total(ctx, s.filter(q, f))
	return n, dberr.UnlessUnmatchable(err, f.Search != "" || len(f.Meta) > 0)
}

// Tree returns all terms of a taxonomy, by id.
func (s *Terms) Tree(ctx context.Context, taxonomy string) ([]*TaxonomyTerm, error) {
	list, _, err := s.TreeIn(ctx, LanguageFilter{}, taxonomy)
	return list, err
}

// treeKey is the key of a result of TreeIn within a Write.
type treeKey struct {
	taxonomy string
	in       LanguageFilter
}

// TreeIn is Tree with the terms in a language first, whose number is native. The terms are shared and must not be
// changed.
func (s *Terms) TreeIn(ctx context.Context, in LanguageFilter, taxonomy string) (list []*TaxonomyTerm, native int, err error) {
	type tree struct {
		list   []*TaxonomyTerm
		native int
	}
	t, err := keptIn(s.db.writing(ctx), treeKey{taxonomy, in}, func() (tree, change.Tables, error) {
		q := s.nativeFirst(s.rows().Where("tt.taxonomy = ?", taxonomy), in, taxonomy)
		t, err := Cached(ctx, s.db, q, func() (t tree, err error) {
			t.list, t.native, err = nativeRows(budget.With(ctx, nil), q) // without a claim, since the result is used for many answers
			s.db.writing(ctx).placeTerms(t.list)
			return t, err
		})
		return t, q.reads(), err
	})
	return slices.Clone(t.list), t.native, err
}

// nativeFirst completes a query of terms for nativeRows.
func (s *Terms) nativeFirst(q *Query, in LanguageFilter, taxonomy string) *Query {
	where, rows := s.languages.termLanguage(in, taxonomy)
	if rows == nil {
		return q.ColumnExpr("0 AS strange").OrderExpr("t.term_id")
	}
	return q.ColumnExpr("CASE WHEN "+where+" THEN 0 ELSE 1 END AS strange", rows).OrderExpr("strange, t.term_id")
}

// nativeRows returns the terms of a query that nativeFirst has completed. native is the number of those in the
// language.
func nativeRows(ctx context.Context, q *Query) (list []*TaxonomyTerm, native int, err error) {
	claim := budget.From(ctx)
	type row struct {
		TaxonomyTerm
		Strange bool `bun:"strange"`
	}
	err = Each(ctx, q, func(r *row) error {
		t := r.TaxonomyTerm
		if list = append(list, &t); !r.Strange {
			native++
		}
		return claim.Row(int64(len(t.Description)))
	})
	return list, native, err
}

// Matching returns the terms of a taxonomy that have one of the ids, slugs or names, by id.
func (s *Terms) Matching(ctx context.Context, taxonomy string, ids []int64, slugs, names []string) ([]*TaxonomyTerm, error) {
	list, _, err := s.MatchingIn(ctx, LanguageFilter{}, taxonomy, ids, slugs, names)
	return list, err
}

// MatchingIn is Matching with the terms in a language first, whose number is native.
func (s *Terms) MatchingIn(ctx context.Context, in LanguageFilter, taxonomy string, ids []int64, slugs,
	names []string) (list []*TaxonomyTerm, native int, err error) {
	q := s.rows().Where("tt.taxonomy = ?", taxonomy).WhereGroup(" AND ", func(q *Query) *Query {
		return q.Where("t.term_id IN (?)", bun.List(ids)).
			WhereOr("t.slug IN (?)", bun.List(slugs)).WhereOr("t.name IN (?)", bun.List(names))
	})
	list, native, err = nativeRows(ctx, s.nativeFirst(q, in, taxonomy))
	s.db.writing(ctx).placeTerms(list)
	return list, native, err
}

func (s *Terms) rows() *Query { return s.rowsWith("tt.description") }

// rowsWith selects the columns of terms.
func (s *Terms) rowsWith(description bun.Safe) *Query {
	return s.db.Select().From(TableTerms, "t").
		Join("JOIN", TableTermTaxonomy, "tt", "tt.term_id = t.term_id").
		Column("t.term_id", "tt.term_taxonomy_id", "tt.parent", "tt.count", "t.term_group", "t.name", "t.slug", "tt.taxonomy").
		ColumnExpr("? AS description", description)
}

func termRows(ctx context.Context, q *Query) ([]*TaxonomyTerm, error) {
	var list []*TaxonomyTerm
	err := Each(ctx, q, func(r *TaxonomyTerm) error {
		t := *r
		list = append(list, &t)
		return nil
	})
	return list, err
}

func (s *Terms) filter(q *Query, f *TermFilter) *Query {
	q = q.Where("tt.taxonomy = ?", f.Taxonomy)
	if where, rows := s.languages.termLanguage(f.Language, f.Taxonomy); rows != nil {
		q = q.Where(where, rows)
	}
	if f.Only != nil {
		q = q.Where("t.term_id IN (?)", bun.List(*f.Only))
	}
	if f.Search != "" {
		text := Contains(f.Search)
		q = q.Where("(? LIKE ? ESCAPE '|' OR ? LIKE ? ESCAPE '|')", s.db.TextColumn("t.name", f.Search), text,
			s.db.TextColumn("t.slug", f.Search), text)
	}
	if f.Slug != nil {
		q = q.Where("t.slug = ?", *f.Slug)
	}
	if f.Include != nil {
		q = q.Where("t.term_id IN (?)", bun.List(f.Include))
	}
	if len(f.Exclude) > 0 {
		q = q.Where("t.term_id NOT IN (?)", bun.List(f.Exclude))
	}
	if f.Parent != nil {
		q = q.Where("tt.parent = ?", *f.Parent)
	}
	if f.Object != nil {
		q = q.Where("EXISTS (?)", s.db.Select().From(TableTermRelationships, "r").ColumnExpr("1").
			Where("r.term_taxonomy_id = tt.term_taxonomy_id").Where("r.object_id = ?", *f.Object))
	}
	for _, m := range f.Meta {
		q = s.db.whereMeta(q, m, metaOfTerms, "t.term_id")
	}
	if f.NonEmpty {
		q = q.Where("(tt.count > 0 OR t.term_id IN (?))", bun.List(f.EvenEmpty))
	}
	return q
}

// Rank is an SQL expression for the index in IDs of the id that the expression Of returns; NULL for other ids.
type Rank struct {
	Of  bun.Safe
	IDs []int64
}

// AppendQuery makes the rank usable as an argument of a query.
func (r Rank) AppendQuery(g bunschema.QueryGen, b []byte) ([]byte, error) {
	b = append(b, "CASE "+string(r.Of)...)
	for i, id := range r.IDs {
		b = g.AppendQuery(b, " WHEN ? THEN ?", id, i)
	}
	return append(b, " END"...), nil
}
