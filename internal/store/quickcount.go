package store

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Counting the events of a range looks at every post and at its meta rows. Where
// the occurrences are regular it is enough to count these, in their index, and to
// take off the few whose events a caller does not see.

// EventCount returns the number of events that a filter selects.
func (s *Store) EventCount(ctx context.Context, f *EventFilter) (int64, error) {
	general := s.events(f).ColumnExpr("COUNT(DISTINCT p.ID)")
	return s.kept(ctx, general.String(), func() (int64, error) {
		n, err := s.countEvents(ctx, f, general)
		err = unlessUnmatchable(err, some[matching](f.Conditions))
		if err == nil && some[linking](f.Conditions) {
			s.totals.sized(f.sizeKey(), n)
		}
		return n, err
	})
}

// countEvents counts by the fastest strategy that knows all conditions.
func (s *Store) countEvents(ctx context.Context, f *EventFilter, general *bun.SelectQuery) (int64, error) {
	if scan, ok := as[scannable](f.Conditions); ok && s.occurrences {
		if few, ok := s.fromStarts(f, scan, manyLinked); ok {
			return number(ctx, few.ColumnExpr("COUNT(DISTINCT p.ID)"))
		}
	}
	index, ok := as[indexed](f.Conditions)
	ok = ok && s.occurrences
	if ok && s.regular().occurrences {
		return number(ctx, s.quickCount(f, index))
	}
	n, err := number(ctx, general)
	s.lookIf(ok && n > manyEvents)
	return n, err
}

// quickCount counts regular occurrences: all within the bounds, but for those
// that are out of sight.
func (s *Store) quickCount(f *EventFilter, conditions []indexed) *bun.SelectQuery {
	q := s.db.NewSelect()
	counts, args := "(?)", []any{s.within(s.occurrencesAlone(), f, conditions).ColumnExpr("COUNT(*)")}
	for _, out := range s.outOfSight(f, conditions) {
		counts, args = counts+" - (?)", append(args, out.ColumnExpr("COUNT(*)"))
	}
	return q.ColumnExpr(counts, args...)
}

func (s *Store) occurrencesAlone() *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)tec_occurrences AS o")
}

// outOfSight selects the regular occurrences within the bounds that a list leaves
// out, each once: those of events that the caller does not see, those of hidden
// ones, and those of protected ones where these are left out.
func (s *Store) outOfSight(f *EventFilter, conditions []indexed) []*bun.SelectQuery {
	ofPosts := func() *bun.SelectQuery {
		return s.within(s.db.NewSelect().TableExpr("?(prefix)posts AS p").Join("JOIN ?(prefix)tec_occurrences AS o ON o.post_id = p.ID").
			Where("p.post_type = ?", s.names.Event), f, conditions)
	}
	unseen := ofPosts().Where("p.post_status NOT IN (?)", bun.List(f.Visible.Statuses))
	if v := f.Visible; v.Author != 0 && len(v.OwnStatuses) > 0 {
		unseen = unseen.Where("NOT (p.post_author = ? AND p.post_status IN (?))", v.Author, bun.List(v.OwnStatuses))
	}
	hidden := f.Visible.where(ofPosts(), "p").Where("p.ID IN (?)", s.hidden())
	if !f.Unlocked {
		return []*bun.SelectQuery{unseen, hidden}
	}
	locked := f.Visible.where(ofPosts(), "p").Where("p.post_password <> ''").Where("p.ID NOT IN (?)", s.hidden())
	return []*bun.SelectQuery{unseen, hidden, locked}
}

// within keeps the regular occurrences that a filter selects as far as indexes
// can tell.
func (s *Store) within(q *bun.SelectQuery, f *EventFilter, conditions []indexed) *bun.SelectQuery {
	q = s.startsWithin(s.bounded(q, f), f)
	if where, rows := s.spoken(f.Language, "post_"+s.names.Event, taxLanguage, "o.post_id"); rows != nil {
		q = q.Where(where, rows)
	}
	for _, c := range conditions {
		q = c.index(s, q)
	}
	return q
}

// startsWithin tells an index, which begins with starts, that regular occurrences that
// end before a moment start before it.
func (s *Store) startsWithin(q *bun.SelectQuery, f *EventFilter) *bun.SelectQuery {
	for _, b := range f.Bounds {
		if b.End && (b.Op == "<" || b.Op == "<=") {
			q = q.Where("? <= ?", s.dateColumn(false, b.UTC), storable(b.Value))
		}
	}
	return q
}

// hidden selects the posts that lists leave out.
func (s *Store) hidden() *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS h").Column("h.post_id").Where("h.meta_key = ?", schema.MetaHideFromUpcoming)
}
