package store

import (
	"context"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Counting the events of a range looks at every post and at its meta rows. Where
// the occurrences are regular it is enough to count these, in their index, and to
// take off the few whose events a caller does not see. Whether they are is itself
// a long look, so it is taken beside the requests, only where counting is slow,
// and again after a while: other programs write here too.

const (
	slowCount   = 30 * time.Millisecond
	lookAgain   = 10 * time.Minute
	longestLook = 2 * time.Minute
)

// regularity is what is known about the occurrences.
type regularity struct {
	mu      sync.Mutex
	regular bool
	since   time.Time // when that was looked at; zero: never
	looking bool
	closed  bool
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

// EventCount returns the number of events that a filter selects.
func (s *Store) EventCount(ctx context.Context, f *EventFilter) (int64, error) {
	q, err := s.events(ctx, f)
	if err != nil {
		return 0, err
	}
	q = q.ColumnExpr("COUNT(DISTINCT p.ID)")
	return s.kept(ctx, q.String(), func() (int64, error) {
		if !s.occurrences || !f.rangeAlone() {
			return number(ctx, q)
		}
		if s.isRegular() {
			return number(ctx, s.quickCount(f))
		}
		began := time.Now()
		n, err := number(ctx, q)
		if err == nil && time.Since(began) > slowCount {
			s.lookWhetherRegular()
		}
		return n, err
	})
}

// rangeAlone tells that a filter asks for dates and for nothing else.
func (f *EventFilter) rangeAlone() bool {
	return f.Language == Spoken{} && f.Search == nil && f.Terms == nil && f.Venues == nil && f.NoVenues == nil &&
		f.Organizers == nil && f.Featured == nil && f.Parent == nil && f.Include == nil && f.Ticketed == nil
}

// quickCount counts regular occurrences: all within the bounds, but for those of
// events that the caller does not see and those of hidden ones.
func (s *Store) quickCount(f *EventFilter) *bun.SelectQuery {
	within := func(q *bun.SelectQuery) *bun.SelectQuery {
		for _, b := range f.Bounds {
			q = q.Where("? ? ?", s.dateColumn(b.End, b.UTC), bun.Safe(operator(b.Op)), storable(b.Value))
			if b.End && (b.Op == "<" || b.Op == "<=") { // what ends before a moment starts before it: the index begins with starts
				q = q.Where("? <= ?", s.dateColumn(false, b.UTC), storable(b.Value))
			}
		}
		return q.ColumnExpr("COUNT(*)")
	}
	ofPosts := func() *bun.SelectQuery {
		return s.db.NewSelect().TableExpr("?(prefix)posts AS p").Join("JOIN ?(prefix)tec_occurrences AS o ON o.post_id = p.ID").
			Where("p.post_type = ?", s.names.Event)
	}
	all := s.db.NewSelect().TableExpr("?(prefix)tec_occurrences AS o")
	unseen := ofPosts().Where("p.post_status NOT IN (?)", bun.List(f.Visible.Statuses))
	if v := f.Visible; v.Author != 0 && len(v.OwnStatuses) > 0 {
		unseen = unseen.Where("NOT (p.post_author = ? AND p.post_status IN (?))", v.Author, bun.List(v.OwnStatuses))
	}
	hidden := f.Visible.where(ofPosts(), "p").Where("p.ID IN (?)", s.hidden())
	return s.db.NewSelect().ColumnExpr("(?) - (?) - (?)", within(all), within(unseen), within(hidden))
}

func (s *Store) isRegular() bool {
	s.regularity.mu.Lock()
	regular, old := s.regularity.regular, time.Since(s.regularity.since) > lookAgain
	s.regularity.mu.Unlock()
	if regular && old {
		s.lookWhetherRegular()
	}
	return regular
}

// lookWhetherRegular looks at the occurrences, beside the requests.
func (s *Store) lookWhetherRegular() {
	r := &s.regularity
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.looking || r.closed || !r.since.IsZero() && time.Since(r.since) < lookAgain {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestLook)
	r.looking, r.cancel = true, cancel
	r.done.Go(func() {
		defer cancel()
		began := time.Now()
		regular, err := s.regularOccurrences(ctx)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.looking, r.regular, r.since = false, regular && err == nil, began
	})
}

// Close ends what runs beside requests.
func (s *Store) Close() {
	r := &s.regularity
	r.mu.Lock()
	r.closed = true
	if r.cancel != nil {
		r.cancel()
	}
	r.mu.Unlock()
	r.done.Wait()
}

// regularOccurrences tells whether each occurrence is the only one of an event
// that exists, and ends no earlier than it starts.
func (s *Store) regularOccurrences(ctx context.Context) (bool, error) {
	from := func() *bun.SelectQuery { return s.db.NewSelect().TableExpr("?(prefix)tec_occurrences AS o") }
	for _, irregular := range []*bun.SelectQuery{
		from().ColumnExpr("COUNT(*) - COUNT(DISTINCT o.post_id)"),
		from().ColumnExpr("COUNT(*)").Where("(o.start_date > o.end_date OR o.start_date_utc > o.end_date_utc)"),
		from().ColumnExpr("COUNT(*)").Join("LEFT JOIN ?(prefix)posts AS p ON p.ID = o.post_id AND p.post_type = ?", s.names.Event).
			Where("p.ID IS NULL"),
	} {
		if n, err := number(ctx, irregular); err != nil || n > 0 {
			return false, err
		}
	}
	return true, nil
}

// hidden selects the posts that lists leave out.
func (s *Store) hidden() *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS h").Column("h.post_id").Where("h.meta_key = ?", schema.MetaHideFromUpcoming)
}
