package store

import (
	"context"

	"github.com/agendahq/agenda/schema"
)

// EndlessSet is what is stored about the dates of an event whose rule has no end.
type EndlessSet struct {
	Post int64  `bun:"post_id"`
	Text string `bun:"rset"`
	Zone string `bun:"timezone"`
	Last string `bun:"last_start"` // the last stored occurrence of the rule, in the event's time zone; "" if there is none
}

// Endless returns at most most sets whose rules have no end and whose posts have ids above after, by post id. It reads
// the rows of all events, most of which have no set.
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

// AddDates adds occurrences to those that Dates has read, and deletes those with the ids in gone. It must be called
// within a Write.
func (s *Events) AddDates(ctx context.Context, stored *Dates, rows []*schema.OccurrenceDates, gone []int64) error {
	s.db.writing(ctx).changed.Posts(stored.Event.PostID)
	if err := s.deleteOccurrences(ctx, gone); err != nil {
		return err
	}
	return datesError(s.insertDates(ctx, stored.Event.ID, rows))
}
