package store

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// SeveralDates returns how many dates the events have that have several, by id (D65): the number of their occurrences,
// which may be 0 where rules alone say so.
func (s *Events) SeveralDates(ctx context.Context, postType string) (map[int64]int64, error) {
	c, err := schema.ReadDateColumns(ctx, s.db.pool)
	if err != nil {
		return nil, err
	}
	recurrence := s.db.Select().TableExpr("?(prefix)postmeta AS m").Where("m.post_id = p.ID").
		Where("m.meta_key = ?", schema.MetaRecurrence)
	several, number := c.Several("p.ID"), s.db.Select().ColumnExpr("0")
	if c.Occurrences {
		number = s.db.Select().TableExpr("?(prefix)tec_occurrences AS n").ColumnExpr("COUNT(*)").Where("n.post_id = p.ID")
	}
	q := s.db.Select().TableExpr("?(prefix)posts AS p").Column("p.ID").ColumnExpr("?, (?)", several, number).
		ColumnExpr("COALESCE((?), '')", recurrence.ColumnExpr("MAX(m.meta_value)")).
		Where("p.post_type = ?", postType).Where("(? OR EXISTS (?))", several, recurrence)
	dates := map[int64]int64{}
	return dates, Each(ctx, q, func(r *sql.Rows) error {
		var id, n int64
		var byRows bool
		var rules string
		err := r.Scan(&id, &byRows, &n, &rules)
		if byRows || schema.Recurs(rules) {
			dates[id] = n
		}
		return err
	})
}

// CountHidden returns how many events are hidden from lists.
func (s *Events) CountHidden(ctx context.Context, postType string) (int64, error) {
	return Number(ctx, s.db.Select().TableExpr("?(prefix)posts AS p").ColumnExpr("COUNT(*)").Where("p.post_type = ?", postType).
		Where("p.post_status NOT IN (?)", bun.List([]string{schema.StatusTrash, schema.StatusAutoDraft})).Where("p.ID IN (?)", s.Hidden()))
}
