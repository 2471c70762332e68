package eventlist

import (
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
)

// A scan would read most of the index for a page of few events. So if few events satisfy a condition, their occurrences
// are read first and sorted.

// These are the numbers of events up to which a condition counts as selective. If more than manyLinked events have a
// link, it occurs so often in a scan that looking up each event is faster than listing all links. Up to that number
// events are also counted one by one.
const (
	fewMembers = 1000
	fewLinked  = 300
	manyLinked = 4000
	fewIDs     = 10 // ids in a filter
)

// size returns the approximate number of events that a filter of links selects. Before the first count, few ids are
// assumed to have few events, and more ids neither few nor many.
func (l *List) size(f *Filter) int64 {
	l.mu.Lock()
	n, known := l.sizes[f.sizeKey()]
	l.mu.Unlock()
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

// sized stores how many events a filter selected.
func (l *List) sized(f *Filter, n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.sizes) >= maxSizes {
		clear(l.sizes)
	}
	l.sizes[f.sizeKey()] = n
}

// source returns the index of the condition whose events are read first, -1 for none.
func (l *List) source(f *Filter, mostLinked int64) int {
	for i, c := range f.Conditions {
		if c, is := c.(sized); is && c.size() > 0 && c.size() <= fewMembers {
			return i
		}
	}
	first := slices.IndexFunc(f.Conditions, func(c Condition) bool { _, is := c.(linking); return is })
	if first >= 0 && l.size(f) > mostLinked {
		return -1
	}
	return first
}

// fromSource selects the occurrences of the events that satisfy a condition, with the columns that a filter needs.
func (l *List) fromSource(f *Filter, source selective) *store.Query {
	q, event := source.source(l, l.store.DB.Select().Distinct())
	q = q.Join(l.store.DB.Then(), store.TableOccurrences, "o", "o.post_id = ?", event)
	columns := []bun.Ident{"o.post_id", "o.occurrence_id", l.dateColumn(false, f.OrderUTC), l.dateColumn(true, f.OrderUTC)}
	for _, b := range f.Bounds {
		for _, c := range []bun.Ident{l.dateColumn(b.End, b.UTC), l.dateColumn(false, b.UTC)} { // see startsWithin
			if !slices.Contains(columns, c) {
				columns = append(columns, c)
			}
		}
	}
	if f.each() {
		columns = append(columns, "o.has_recurrence")
	}
	for _, c := range columns {
		q = q.ColumnExpr("?", c)
	}
	return l.bounded(q, f)
}
