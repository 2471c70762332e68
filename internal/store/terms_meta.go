package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// TermRows selects meta rows of terms by their keys.
type TermRows struct {
	Terms []int64
	Keys  []string
}

// Meta returns meta rows of terms, by term id, with one statement, and a digest of them. Without keys or terms it sends
// no statement.
func (s *Terms) Meta(ctx context.Context, asked ...TermRows) (map[int64]Meta, string, error) {
	var parts []*Query
	for _, a := range asked {
		if len(a.Terms) > 0 && len(a.Keys) > 0 {
			parts = append(parts, s.metaRows(a))
		}
	}
	if len(parts) == 0 {
		return nil, "", nil
	}
	rows, err := termMetaRows(ctx, parts[0].UnionAll(parts[1:]...))
	if err != nil {
		return nil, "", err
	}
	found, digest := map[int64]Meta{}, sha256.New()
	for _, r := range rows {
		if found[r.TermID] == nil {
			found[r.TermID] = Meta{}
		}
		found[r.TermID][r.Key] = append(found[r.TermID][r.Key], phpval.TextOf(r.Value))
		_, _ = fmt.Fprintf(digest, "%d %q %q\n", r.TermID, r.Key, r.Value)
	}
	return found, string(digest.Sum(nil)), nil
}

// metaRows selects meta rows. Keys are compared byte by byte, because other programs' keys may differ only in letter
// case.
func (s *Terms) metaRows(a TermRows) *Query {
	return s.db.Select().From(TableTermMeta, "tm").Column("tm.meta_id", "tm.term_id", "tm.meta_key", "tm.meta_value").
		Where("tm.term_id IN (?)", bun.List(Distinct(a.Terms))).Where("? IN (?)", s.db.Binary("tm.meta_key"), bun.List(a.Keys))
}

// termMetaRows returns the rows of a query sorted by id, because the rows of a UNION have no order.
func termMetaRows(ctx context.Context, q *Query) (list []*schema.TermMeta, err error) {
	claim := budget.From(ctx)
	type row struct {
		ID    int64          `bun:"meta_id"`
		Term  int64          `bun:"term_id"`
		Key   string         `bun:"meta_key"`
		Value sql.NullString `bun:"meta_value"`
	}
	err = Each(ctx, q, func(r *row) error {
		list = append(list, &schema.TermMeta{ID: r.ID, TermID: r.Term, Key: r.Key, Value: r.Value.String})
		return claim.Row(int64(len(r.Value.String)))
	})
	slices.SortFunc(list, func(a, b *schema.TermMeta) int { return int(a.ID - b.ID) })
	return list, err
}

// SetMeta replaces the values of a meta key of a term, with one row for each value. It must be called in the same Write
// as the term's Update or Insert.
func (s *Terms) SetMeta(ctx context.Context, term int64, key string, values []string) error {
	rows, err := termMetaRows(ctx, s.db.Locked(s.metaRows(TermRows{[]int64{term}, []string{key}})))
	if err != nil {
		return err
	}
	conn := s.db.writing(ctx).conn()
	for i, r := range rows[:min(len(rows), len(values))] {
		if phpval.TextOf(r.Value) == values[i] {
			continue
		}
		q := conn.NewUpdate().TableExpr("?(prefix)termmeta").Set("meta_value = ?", phpval.StoredText(values[i]))
		if _, err := q.Where("meta_id = ?", r.ID).Exec(ctx); err != nil {
			return err
		}
	}
	if len(rows) > len(values) {
		var gone []int64
		for _, r := range rows[len(values):] {
			gone = append(gone, r.ID)
		}
		_, err := conn.NewDelete().ModelTableExpr("?(prefix)termmeta").Where("meta_id IN (?)", bun.List(gone)).Exec(ctx)
		return err
	}
	var added []*schema.TermMeta
	for _, value := range values[len(rows):] {
		added = append(added, &schema.TermMeta{TermID: term, Key: key, Value: phpval.StoredText(value)})
	}
	if len(added) == 0 {
		return nil
	}
	_, err = s.db.withForeign(conn.NewInsert().Model(&added), "termmeta").Returning("NULL").Exec(ctx)
	return err
}
