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
	q, err := s.events(ctx, f)
	if err != nil {
		return 0, err
	}
	q = q.ColumnExpr("COUNT(DISTINCT p.ID)")
	return s.kept(ctx, q.String(), func() (int64, error) {
		n, err := s.countEvents(ctx, f, q)
		err = unlessUnmatchable(err, len(f.Search) > 0)
		if f.links() && err == nil {
			s.totals.sized(f.sizeKey(), n)
		}
		return n, err
	})
}

// countEvents counts by the shortest way that there is; long is right for any filter.
func (s *Store) countEvents(ctx context.Context, f *EventFilter, long *bun.SelectQuery) (int64, error) {
	if !s.occurrences || s.inSearchIndex(f) || f.named() {
		return number(ctx, long)
	}
	if few, ok, err := s.fromStarts(ctx, f, manyLinked); err != nil {
		return 0, err
	} else if ok {
		return number(ctx, few.ColumnExpr("COUNT(DISTINCT p.ID)"))
	}
	if f.inIndexes() && s.regular().occurrences {
		return number(ctx, s.quickCount(f))
	}
	n, err := number(ctx, long)
	s.lookIf(f.inIndexes() && n > manyEvents)
	return n, err
}

// inIndexes tells that indexes hold all that a filter asks for.
func (f *EventFilter) inIndexes() bool {
	return f.Search == nil && f.NoVenues == nil && f.Parent == nil && f.Include == nil &&
		(f.Ticketed == nil || f.tickets != nil)
}

// quickCount counts regular occurrences: all within the bounds, but for those
// that are out of sight.
func (s *Store) quickCount(f *EventFilter) *bun.SelectQuery {
	q := s.db.NewSelect()
	counts, args := "(?)", []any{s.within(s.occurrencesAlone(), f).ColumnExpr("COUNT(*)")}
	for _, out := range s.outOfSight(f) {
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
func (s *Store) outOfSight(f *EventFilter) []*bun.SelectQuery {
	ofPosts := func() *bun.SelectQuery {
		return s.within(s.db.NewSelect().TableExpr("?(prefix)posts AS p").Join("JOIN ?(prefix)tec_occurrences AS o ON o.post_id = p.ID").
			Where("p.post_type = ?", s.names.Event), f)
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
func (s *Store) within(q *bun.SelectQuery, f *EventFilter) *bun.SelectQuery {
	q = s.startsWithin(s.bounded(q, f), f)
	if where, rows := s.spoken(f.Language, "post_"+s.names.Event, taxLanguage, "o.post_id"); rows != nil {
		q = q.Where(where, rows)
	}
	for _, list := range f.Terms {
		q = q.Where("o.post_id IN (?)", s.db.NewSelect().TableExpr("?(prefix)term_relationships AS r").Column("r.object_id").
			Where("r.term_taxonomy_id IN (?)", bun.List(list)))
	}
	for _, list := range f.Venues {
		q = q.Where("o.post_id IN (?)", s.linking(schema.MetaVenueID, list))
	}
	if f.Organizers != nil {
		q = q.Where("o.post_id IN (?)", s.linking(schema.MetaOrganizerID, *f.Organizers))
	}
	if f.Featured != nil {
		q = q.Where("o.post_id ? (?)", in(*f.Featured), s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").Column("m.post_id").
			Where("m.meta_key = ?", schema.MetaFeatured))
	}
	if f.Ticketed != nil && (*f.Ticketed || len(*f.tickets) > 0) {
		q = q.Where("o.post_id ? (?)", in(*f.Ticketed), bun.List(*f.tickets))
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

func in(yes bool) bun.Safe {
	if yes {
		return "IN"
	}
	return "NOT IN"
}

// linking selects the posts that link one of the ids.
func (s *Store) linking(key string, ids []int64) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").Column("m.post_id").
		Where("m.meta_key = ?", key).Where("m.meta_value IN (?)", bun.List(texts(ids)))
}

// hidden selects the posts that lists leave out.
func (s *Store) hidden() *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS h").Column("h.post_id").Where("h.meta_key = ?", schema.MetaHideFromUpcoming)
}
