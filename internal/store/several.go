package store

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// SeveralDates returns how many dates the events have that have several, by id (D65): the number of their occurrences,
// which may be 0 where rules alone say so.
func (s *Events) SeveralDates(ctx context.Context, postType string) (map[int64]int64, error) {
	c, err := schema.ReadDateColumnsBy(ctx, func() *bun.SelectQuery { return s.db.Select().sql })
	if err != nil {
		return nil, err
	}
	recurrence := s.db.Select().From(TablePostMeta, "m").Where("m.post_id = p.ID").
		Where("m.meta_key = ?", schema.MetaRecurrence)
	several, number := c.Several("p.ID"), s.db.Select().ColumnExpr("0")
	if c.Occurrences {
		number = s.db.Select().From(TableOccurrences, "n").ColumnExpr("COUNT(*)").Where("n.post_id = p.ID")
	}
	q := s.db.Select().From(TablePosts, "p").Column("p.ID").ColumnExpr("? AS several, (?) AS dates", several, number).
		ColumnExpr("COALESCE((?), '') AS rules", recurrence.ColumnExpr("MAX(m.meta_value)")).
		Where("p.post_type = ?", postType).Where("(? OR EXISTS (?))", several, recurrence).readingDates(c)
	dates := map[int64]int64{}
	type row struct {
		ID      int64  `bun:"ID"`
		Several bool   `bun:"several"`
		Dates   int64  `bun:"dates"`
		Rules   string `bun:"rules"`
	}
	return dates, each(ctx, q, func(r *row) error {
		if r.Several || schema.Recurs(r.Rules) {
			dates[r.ID] = r.Dates
		}
		return nil
	})
}

// CountHidden returns how many events are hidden from lists.
func (s *Events) CountHidden(ctx context.Context, postType string) (int64, error) {
	return Number(ctx, s.db.Select().From(TablePosts, "p").ColumnExpr("COUNT(*)").Where("p.post_type = ?", postType).
		Where("p.post_status NOT IN (?)", bun.List([]string{schema.StatusTrash, schema.StatusAutoDraft})).Where("p.ID IN (?)", s.Hidden()))
}
