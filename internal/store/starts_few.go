package store

import (
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Along the starts a page of few events is a long way, most of it past others. So
// where a filter names few of them, the occurrences of these are read from an index
// and put in order; the rest is the same.

// Up to how many events there are few. Many are linked from where so many events on
// the way have a link that each is better looked up than looked for in a list of all;
// fewer than many are also counted one by one.
const (
	fewMembers = 1000
	fewLinked  = 300
	manyLinked = 4000
	fewIDs     = 10 // that a filter names
)

// sizeKey names what decides how many events a filter selects, to the day: a strategy
// that is fast for a venue may be slow for what one category has there in a month.
func (f *EventFilter) sizeKey() string {
	days := make([]string, len(f.Bounds))
	for i, b := range f.Bounds {
		days[i] = fmt.Sprint(b.End, b.UTC, b.Op, b.Value[:min(len(b.Value), len("YYYY-MM-DD"))])
	}
	key := fmt.Sprint(days, f.Language, f.Visible, f.Unlocked)
	for _, c := range f.Conditions {
		key += fmt.Sprintf(" %T%v", c, c)
	}
	return key
}

// size is about how many events a filter of links selects. Where they were never
// counted, few ids are taken to be linked by few, and others by neither few nor many.
func (s *Store) size(f *EventFilter) int64 {
	n, known := s.totals.size(f.sizeKey())
	if known {
		return n
	}
	ids := 0
	for _, c := range f.Conditions {
		if l, is := c.(linking); is {
			ids += l.named()
		}
	}
	if ids > fewIDs {
		return manyLinked
	}
	return 0
}

// source returns the place of the condition whose events are read first, -1 for none.
func (s *Store) source(f *EventFilter, mostLinked int64) int {
	for i, c := range f.Conditions {
		if c, is := c.(sized); is && c.size() > 0 && c.size() <= fewMembers {
			return i
		}
	}
	first := slices.IndexFunc(f.Conditions, func(c Condition) bool { _, is := c.(linking); return is })
	if first >= 0 && s.size(f) > mostLinked {
		return -1
	}
	return first
}

// fewFirst selects, with the columns that a filter needs, the occurrences of the
// events that a condition selects.
func (s *Store) fewFirst(f *EventFilter, source selective) *bun.SelectQuery {
	q, event := source.source(s, s.db.NewSelect().Distinct())
	q = q.Join("? ?(prefix)tec_occurrences AS o ON o.post_id = ?", s.then(), event)
	columns := []bun.Ident{"o.post_id", "o.occurrence_id", s.dateColumn(false, f.OrderUTC), s.dateColumn(true, f.OrderUTC)}
	for _, b := range f.Bounds {
		for _, c := range []bun.Ident{s.dateColumn(b.End, b.UTC), s.dateColumn(false, b.UTC)} { // see startsWithin
			if !slices.Contains(columns, c) {
				columns = append(columns, c)
			}
		}
	}
	for _, c := range columns {
		q = q.ColumnExpr("?", c)
	}
	return s.bounded(q, f)
}

// fromStarts selects visible events p by their occurrences o, which come in the order
// of an index or, where a condition selects few events, are those of these. It may
// select an event by more than one of its occurrences.
func (s *Store) fromStarts(f *EventFilter, conditions []scannable, mostLinked int64) (q *bun.SelectQuery, few bool) {
	q = s.db.NewSelect()
	at := oneByOne{event: alongStarts}
	source := s.source(f, mostLinked)
	if source >= 0 {
		q, at.event = q.TableExpr("(?) AS o", s.fewFirst(f, f.Conditions[source].(selective))), afterSort
	} else {
		q = q.TableExpr("?(prefix)tec_occurrences AS o")
		if some[linking](f.Conditions) {
			n := s.size(f)
			at.inList = n > fewLinked && n <= manyLinked
		}
	}
	q = q.Join("? ?(prefix)posts AS p ON p.ID = o.post_id", s.then()).
		Join("LEFT JOIN ?(prefix)postmeta AS h ON h.post_id = o.post_id AND h.meta_key = ?", schema.MetaHideFromUpcoming).
		Where("h.meta_id IS NULL")
	q = s.spokenOneByOne(s.seen(q, f), f.Language, s.names.Event)
	for i, c := range conditions {
		if i != source {
			q = c.scan(s, q, at)
		}
	}
	return q, source >= 0
}
