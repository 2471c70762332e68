package store

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Some questions have short ways to their answers that are right as long as the
// tables are as this service and the site's own editors leave them. Whether they
// are is itself a long look, so it is taken beside the requests, only where there
// is much, and again after a while: others write here too.

const (
	manyEvents  = 2000 // counted at once
	manyLinks   = 100  // different ones
	lookAgain   = 10 * time.Minute
	longestLook = 2 * time.Minute
)

// facts are what a look found.
type facts struct {
	occurrences bool // each is the only one of an event that exists, and ends no earlier than it starts
	links       bool // each names one id, in digits, and there is indexOfLinks
}

// A fast path that an index makes fast is taken only where the index is, which
// shared databases lack unless their owners added it:
//
//   - Linked asks of each venue for one event that links it. Without indexOfLinks it
//     reads the links of all events for each, which takes a hundred times as long as
//     the general path.
//   - quickCount and deepRows read the occurrences alone, and startRows in their
//     order: an index of the dates spares reading the others, or sorting. Without it
//     they read that one narrow table, as the general path does before it reads the
//     posts and their meta rows, so they need none.
//   - fromStarts and fewFirst begin with a list that a key of every site finds:
//     term_taxonomy_id, meta_key.
//   - The kept totals ask nothing.
const indexOfLinks = "postmeta.agenda_value" // as schema.OwnIndexes names it

// regularity is what is known of the tables.
type regularity struct {
	mu      sync.Mutex
	facts   facts
	since   time.Time // when that was looked at; zero: never
	looking bool
	closed  bool
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

// regular returns what is known.
func (s *Store) regular() facts {
	r := &s.regularity
	r.mu.Lock()
	known, old := r.facts, time.Since(r.since) > lookAgain
	r.mu.Unlock()
	if known != (facts{}) && old {
		s.look()
	}
	return known
}

// lookIf looks at the tables where there is much.
func (s *Store) lookIf(much bool) {
	if much {
		s.look()
	}
}

// look looks at the tables beside the requests, unless that was done lately.
func (s *Store) look() {
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
		began, found := time.Now(), facts{}
		defer func() {
			if p := recover(); p != nil { // what is not known takes the general way
				s.logger.Error("panic while the tables were checked", "panic", p, "stack", string(debug.Stack()))
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.looking, r.facts, r.since = false, found, began
		}()
		found.occurrences = s.none(ctx, s.irregularOccurrences()...)
		indexes, err := schema.OwnIndexes(ctx, s.db.DB, s.db.QueryGen().FormatQuery("?(prefix)"))
		found.links = err == nil && indexes[indexOfLinks] && s.none(ctx, s.irregularLinks())
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

// none tells that each query gives zero.
func (s *Store) none(ctx context.Context, queries ...*bun.SelectQuery) bool {
	for _, q := range queries {
		if n, err := number(ctx, q); err != nil || n > 0 {
			return false
		}
	}
	return true
}

func (s *Store) irregularOccurrences() []*bun.SelectQuery {
	if !s.occurrences {
		return nil
	}
	from := func() *bun.SelectQuery { return s.db.NewSelect().TableExpr("?(prefix)tec_occurrences AS o") }
	return []*bun.SelectQuery{
		from().ColumnExpr("COUNT(*) - COUNT(DISTINCT o.post_id)"),
		from().ColumnExpr("COUNT(*)").Where("(o.start_date > o.end_date OR o.start_date_utc > o.end_date_utc)"),
		from().ColumnExpr("COUNT(*)").Join("LEFT JOIN ?(prefix)posts AS p ON p.ID = o.post_id AND p.post_type = ?", s.names.Event).
			Where("p.ID IS NULL"),
	}
}

// irregularLinks are those that are not an id as it is written. A number in front
// of anything else names an id too.
func (s *Store) irregularLinks() *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("COUNT(*)").
		Where("m.meta_key IN (?)", bun.List([]string{schema.MetaVenueID, schema.MetaOrganizerID})).
		Where("COALESCE(m.meta_value, '') NOT IN ('', '0')").Where("m.meta_value <> CONCAT(?)", s.integer("m.meta_value"))
}
