package store

import (
	"context"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/schema"
)

// Some queries have fast paths that are right only while the tables keep certain
// invariants, as this service and the site's own editors leave them. Checking takes
// long, so it is done in the background, only on large tables, and again after other
// programs wrote. What this program commits keeps them.

const (
	manyLinks    = 100  // distinct
	manyLinking  = 2000 // events
	longestProbe = 2 * time.Minute
	probeShare   = 20          // a probe runs at most one part in so many of the time
	probeAgain   = time.Minute // until one that failed is tried again
)

// probeComment begins the statement that finds out whether tables are large.
const probeComment = "agenda probe"

// Invariants are what the last probe proved; what is not known is false.
type Invariants struct {
	Occurrences bool // each is the only one of an existing event, and ends no earlier than it starts
	Links       bool // each is one id in digits
	LinkIndex   bool // indexOfLinks exists; only known with Links
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
	found   Invariants
	foreign [2]uint64 // of the tables of each invariant when the check began
	epochs  [2]uint64 // the same, with what this program committed
	small   uint64    // that of the occurrences when there were few, 0 if that is not known
	rest    time.Time // until when no other check begins
	failed  string    // the error of the last check, so that it is logged once
	running bool
	closed  bool
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

// invariantTables are the tables that each of the Invariants is about.
func (s *Store) invariantTables() [2]change.Tables {
	return [2]change.Tables{s.tablesIn(s.prefix + "posts " + s.prefix + "tec_occurrences"), s.tablesIn(s.prefix + "postmeta")}
}

// Invariants returns what was proved of the tables as they are in the state of ctx, but
// for what this program committed since.
func (s *Store) Invariants(ctx context.Context) (known Invariants) {
	state, tables := change.From(ctx), s.invariantTables()
	if state == nil {
		return known
	}
	p := &s.probe
	p.mu.Lock()
	known.Occurrences = p.found.Occurrences && p.foreign[0] == state.Foreign(tables[0])
	known.Links = p.found.Links && p.foreign[1] == state.Foreign(tables[1])
	known.LinkIndex = known.Links && p.found.LinkIndex
	p.mu.Unlock()
	if known != (Invariants{}) {
		s.Probe(ctx)
	}
	return known
}

// Probe checks the invariants in the background, unless that was done since the tables
// changed, or lately, or they change at the moment.
func (s *Store) Probe(ctx context.Context) { s.ProbeIfMany(ctx, 0) }

// ProbeIfMany is Probe if there are more than so many occurrences, which is found out in
// the background too.
func (s *Store) ProbeIfMany(ctx context.Context, many int64) {
	state, tables := change.From(ctx), s.invariantTables()
	epochs := [2]uint64{state.Epoch(tables[0]), state.Epoch(tables[1])}
	p := &s.probe
	p.mu.Lock()
	defer p.mu.Unlock()
	worth := state.Settled(tables[0]) && (p.epochs[0] != epochs[0] || p.epochs[1] != epochs[1] && state.Settled(tables[1]))
	if !worth || many > 0 && p.small == epochs[0] || p.running || p.closed || time.Now().Before(p.rest) {
		return
	}
	probing, cancel := context.WithTimeout(context.Background(), longestProbe)
	p.running, p.cancel = true, cancel
	p.done.Go(func() {
		defer cancel()
		var found Invariants
		var few bool
		var err error
		began := time.Now()
		defer func() {
			if cause := recover(); cause != nil { // what is not known takes the general path
				s.Config.Logger.Error("panic while the tables were checked", "panic", cause, "stack", string(debug.Stack()))
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			p.running = false
			s.noteFailure(err)
			switch {
			case few:
				p.small = epochs[0]
				return
			case err == nil:
				p.epochs = epochs
			}
			p.found = found
			p.foreign = [2]uint64{state.Foreign(tables[0]), state.Foreign(tables[1])}
			p.rest = time.Now().Add((probeShare - 1) * time.Since(began))
			if err != nil {
				p.rest = later(p.rest, time.Now().Add(probeAgain))
			}
		}()
		if many > 0 {
			var more bool
			if more, err = s.moreOccurrences(probing, many); err != nil || !more {
				few = err == nil
				return
			}
		}
		found, err = s.prove(probing, state.Settled(tables[1]))
	})
}

// noteFailure logs why a check did not come to its end, once for the same reason. What is
// not known takes the general path, which is slower and as right.
func (s *Store) noteFailure(err error) {
	p := &s.probe
	text := ""
	if err != nil && !p.closed { // Close ends a check
		text = err.Error()
	}
	if text != "" && text != p.failed {
		s.Config.Logger.Warn("the tables could not be checked, so lists do without what is faster", "error", err)
	}
	p.failed = text
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// prove finds out what holds. With an error, what it returns was proved before.
func (s *Store) prove(ctx context.Context, links bool) (found Invariants, err error) {
	if found.Occurrences, err = s.none(ctx, s.irregularOccurrences()...); err != nil || !links {
		return found, err
	}
	if found.Links, err = s.none(ctx, s.irregularLinks()); err != nil || !found.Links {
		return found, err
	}
	indexes, err := schema.OwnIndexes(ctx, s.db.DB, s.prefix)
	found.LinkIndex = indexes[indexOfLinks]
	return found, err
}

// Wait returns when no probe runs. It is for tests.
func (s *Store) Wait() { s.probe.done.Wait() }

// Close ends the background check, and gives the connection of the clock back.
func (s *Store) Close() {
	s.closing.Do(s.unwatch)
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
func (s *Store) none(ctx context.Context, queries ...*bun.SelectQuery) (bool, error) {
	for _, q := range queries {
		if n, err := Number(ctx, q); err != nil || n > 0 {
			return false, err
		}
	}
	return true, nil
}

// moreOccurrences reports whether there are more than so many occurrences.
func (s *Store) moreOccurrences(ctx context.Context, many int64) (bool, error) {
	next := s.db.DB.NewSelect().TableExpr("?(prefix)tec_occurrences AS o").ColumnExpr("1").Limit(1).Offset(many)
	n, err := Number(ctx, s.db.DB.NewSelect().Comment(probeComment).TableExpr("(?) AS n", next).ColumnExpr("COUNT(*)"))
	return n > 0, err
}

func (s *Store) irregularOccurrences() []*bun.SelectQuery {
	if !s.Config.Occurrences {
		return nil
	}
	from := func() *bun.SelectQuery { return s.db.NewSelect().TableExpr("?(prefix)tec_occurrences AS o") }
	return []*bun.SelectQuery{
		from().ColumnExpr("COUNT(*) - COUNT(DISTINCT o.post_id)"),
		from().ColumnExpr("COUNT(*)").Where("(o.start_date > o.end_date OR o.start_date_utc > o.end_date_utc)"),
		from().ColumnExpr("COUNT(*)").Join("LEFT JOIN ?(prefix)posts AS p ON p.ID = o.post_id AND p.post_type = ?", s.Config.Names.Event).
			Where("p.ID IS NULL"),
	}
}

// irregularLinks counts links that are not an id as it is written. A number with
// other text after it names an id too.
func (s *Store) irregularLinks() *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("COUNT(*)").
		Where("m.meta_key IN (?)", bun.List(slices.Sorted(maps.Values(s.Config.Links)))).
		Where("COALESCE(m.meta_value, '') NOT IN ('', '0')").Where("m.meta_value <> CONCAT(CAST(m.meta_value AS UNSIGNED INTEGER))")
}
