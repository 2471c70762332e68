package eventlist

import (
	"context"
	"sync"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
)

// List reads the events of one site.
type List struct {
	store *store.Store
	event string // the post type of events

	mu    sync.Mutex
	sizes map[string]int64 // how many events a filter last selected, by Filter.sizeKey
}

// maxSizes is the maximum number of sizes that are remembered.
const maxSizes = 1000

// manyEvents is the number of events from which it is worth probing the invariants of the tables: without them a count
// of a month reads everything that starts after its first day, however few events the month has.
const manyEvents = 2000

// New returns the List of a store.
func New(s *store.Store) *List {
	return &List{store: s, event: s.Config.Names.Event, sizes: map[string]int64{}}
}

// Query selects events by a filter.
type Query struct {
	list   *List
	filter *Filter
}

// Select returns the query of a filter.
func (l *List) Select(f *Filter) *Query { return &Query{l, f} }

// Page returns one page of items.
func (q *Query) Page(ctx context.Context, limit, offset int64) (items []store.Ref, err error) {
	l, f := q.list, q.filter
	if scan, ok := l.scan(f); ok && f.inOrderOfStarts() {
		items, err = scan.page(ctx, limit, offset)
	} else {
		items, err = l.generalPage(ctx, f, limit, offset)
	}
	return items, dberr.UnlessUnmatchable(err, some[matching](f.Conditions))
}

// regular reports whether it is known that each row of the table of occurrences is one item of the filter's list.
func (l *List) regular(ctx context.Context, f *Filter) bool {
	known := l.store.Probe.Invariants(ctx)
	return known.Occurrences || known.Dates && f.each()
}

// Count returns the number of items. It is cached under the statement of the general strategy, which contains the whole
// filter.
func (q *Query) Count(ctx context.Context) (int64, error) {
	l, f := q.list, q.filter
	general := l.general(f).ColumnExpr("COUNT(DISTINCT ?)", f.counted())
	return store.Cached(ctx, l.store.DB, general, func() (int64, error) {
		n, err := l.count(ctx, f, general)
		err = dberr.UnlessUnmatchable(err, some[matching](f.Conditions))
		if err == nil && some[linking](f.Conditions) {
			l.sized(f, n)
		}
		return n, err
	})
}

// count counts with the fastest strategy that can evaluate all conditions.
func (l *List) count(ctx context.Context, f *Filter, general *store.Query) (int64, error) {
	if scan, ok := l.scan(f); ok {
		if q, few := scan.query(manyLinked); few {
			return store.Number(ctx, q.ColumnExpr("COUNT(DISTINCT ?)", f.counted()))
		}
	}
	indexes, ok := l.indexes(f)
	if ok && l.regular(ctx, f) {
		return indexes.count(ctx)
	}
	n, err := store.Number(ctx, general)
	if ok {
		l.store.Probe.StartIfMany(ctx, manyEvents)
	}
	return n, err
}
