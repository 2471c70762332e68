package store

import (
	"context"
	"fmt"

	"github.com/agendahq/agenda/schema"
)

// EndlessSet is what is stored of the dates of an event whose rule has no end.
type EndlessSet struct {
	Post int64  `bun:"post_id"`
	Text string `bun:"rset"`
	Zone string `bun:"timezone"`
	Last string `bun:"last_start"` // of the dates that follow from the rule, on the clock of the event; "" without any
}

// Endless returns so many at most of the sets whose rules have no end, by the ids of their posts, of which the least is after
// one. It reads all rows of events, of which most have no set.
func (s *Events) Endless(ctx context.Context, after int64, most int) ([]EndlessSet, error) {
	c, err := s.DateColumns(ctx)
	if err != nil || !c.Keep() {
		return nil, err
	}
	last := s.db.Select().From(TableOccurrences, "o").ColumnExpr("MAX(o.start_date)").Where("o.post_id = te.post_id").
		Where("o.is_rdate = 0")
	q := s.db.Select().From(TableEvents, "te").ColumnExpr("te.post_id, te.rset, te.timezone").
		ColumnExpr("COALESCE(CAST((?) AS CHAR), '') AS last_start", last).
		Where("te.post_id > ?", after).Where("te.rset LIKE '%RRULE:%'").Where("te.rset NOT LIKE '%COUNT=%'").
		Where("te.rset NOT LIKE '%UNTIL=%'").Order("te.post_id").Limit(int64(most))
	return All[EndlessSet](ctx, q)
}

// AddDates adds occurrences to those that Dates has read, and deletes those with the given ids, within a Write.
func (s *Events) AddDates(ctx context.Context, stored *Dates, rows []*schema.OccurrenceDates, gone []int64) error {
	s.db.writing(ctx).changed.Posts(stored.Event.PostID)
	if err := s.deleteOccurrences(ctx, gone); err != nil {
		return err
	}
	err := s.insertDates(ctx, stored.Event.ID, rows)
	if isTaken(err) {
		return fmt.Errorf("%w: %w", ErrDatesConflict, err)
	}
	return err
}
