package store

import (
	"context"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Some queries have fast paths that are right only while the tables keep certain
// invariants, as this service and the site's own editors leave them. Checking takes
// long, so it is done in the background, only on large tables, and repeated, since
// other programs write too.

const (
	manyLinks    = 100 // distinct
	probeAgain   = 10 * time.Minute
	longestProbe = 2 * time.Minute
)

// Invariants are what the last probe proved; what is not known is false.
type Invariants struct {
	Occurrences bool // each is the only one of an existing event, and ends no earlier than it starts
	Links       bool // each is one id in digits, and indexOfLinks exists
}

// A fast path that needs an index is taken only where the index exists; shared
// databases lack it unless their owners added it:
//
//   - Linked asks for each venue for one event that links it. Without indexOfLinks
//     this reads the links of all events for each, which takes a hundred times as long
//     as the general path.
//   - The strategies of package eventlist begin with the occurrences, in their order if
//     there is an index of the dates, or with a list that a key of every site finds.
const indexOfLinks = "postmeta.agenda_value" // as schema.OwnIndexes names it

// probe is the state of the background check.
type probe struct {
	mu      sync.Mutex
	proved  Invariants
	since   time.Time // when the probe began; zero: never
	running bool
	closed  bool
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

// Invariants returns what is known.
func (s *Store) Invariants() Invariants {
	p := &s.probe
	p.mu.Lock()
	known, old := p.proved, time.Since(p.since) > probeAgain
	p.mu.Unlock()
	if known != (Invariants{}) && old {
		s.Probe()
	}
	return known
}

// Probe checks the invariants in the background, unless that was done lately.
func (s *Store) Probe() {
	p := &s.probe
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running || p.closed || !p.since.IsZero() && time.Since(p.since) < probeAgain {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestProbe)
	p.running, p.cancel = true, cancel
	p.done.Go(func() {
		defer cancel()
		began, found := time.Now(), Invariants{}
		defer func() {
			if cause := recover(); cause != nil { // what is not known takes the general path
				s.logger.Error("panic while the tables were checked", "panic", cause, "stack", string(debug.Stack()))
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			p.running, p.proved, p.since = false, found, began
		}()
		found.Occurrences = s.none(ctx, s.irregularOccurrences()...)
		indexes, err := schema.OwnIndexes(ctx, s.db.DB, s.db.QueryGen().FormatQuery("?(prefix)"))
		found.Links = err == nil && indexes[indexOfLinks] && s.none(ctx, s.irregularLinks())
	})
}

// Wait returns when no probe runs. It is for tests.
func (s *Store) Wait() { s.probe.done.Wait() }

// Close ends the background check.
func (s *Store) Close() {
	p := &s.probe
	p.mu.Lock()
	p.closed = true
	if p.cancel != nil {
		p.cancel()
	}
	p.mu.Unlock()
	p.done.Wait()
}

// none reports whether each query gives zero.
func (s *Store) none(ctx context.Context, queries ...*bun.SelectQuery) bool {
	for _, q := range queries {
		if n, err := Number(ctx, q); err != nil || n > 0 {
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

// irregularLinks counts links that are not an id as it is written. A number with
// other text after it names an id too.
func (s *Store) irregularLinks() *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("COUNT(*)").
		Where("m.meta_key IN (?)", bun.List(slices.Sorted(maps.Values(s.linkKeys)))).
		Where("COALESCE(m.meta_value, '') NOT IN ('', '0')").Where("m.meta_value <> CONCAT(?)", s.integer("m.meta_value"))
}
