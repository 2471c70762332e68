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
	Dates       bool // each is one of an existing event, and ends no earlier than it starts
	Clocks      bool // each starts at most a day later or earlier in UTC than on its own clock; only known with Dates
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

// Probe finds out in the background whether the tables keep the Invariants.
type Probe struct {
	db *DB

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

// tables are the tables that each of the Invariants is about.
func (*Probe) tables() [2]change.Tables {
	return [2]change.Tables{TablePosts.Set() | TableOccurrences.Set(), TablePostMeta.Set()}
}

// Invariants returns what was proved of the tables as they are in the state of ctx, but
// for what this program committed since.
func (s *Probe) Invariants(ctx context.Context) (known Invariants) {
	state, tables := change.From(ctx), s.tables()
	if state == nil {
		return known
	}
	s.mu.Lock()
	known.Dates = s.found.Dates && s.foreign[0] == state.Foreign(tables[0])
	known.Occurrences, known.Clocks = known.Dates && s.found.Occurrences, known.Dates && s.found.Clocks
	known.Links = s.found.Links && s.foreign[1] == state.Foreign(tables[1])
	known.LinkIndex = known.Links && s.found.LinkIndex
	s.mu.Unlock()
	if known != (Invariants{}) {
		s.Start(ctx)
	}
	return known
}

// Start checks the invariants in the background, unless that was done since the tables
// changed, or lately, or they change at the moment.
func (s *Probe) Start(ctx context.Context) { s.StartIfMany(ctx, 0) }

// StartIfMany is Start if there are more than so many occurrences, which is found out in
// the background too.
func (s *Probe) StartIfMany(ctx context.Context, many int64) {
	state, tables := change.From(ctx), s.tables()
	epochs := [2]uint64{state.Epoch(tables[0]), state.Epoch(tables[1])}
	s.mu.Lock()
	defer s.mu.Unlock()
	worth := state.Settled(tables[0]) && (s.epochs[0] != epochs[0] || s.epochs[1] != epochs[1] && state.Settled(tables[1]))
	if !worth || many > 0 && s.small == epochs[0] || s.running || s.closed || time.Now().Before(s.rest) {
		return
	}
	probing, cancel := context.WithTimeout(context.Background(), longestProbe)
	s.running, s.cancel = true, cancel
	s.done.Go(func() {
		defer cancel()
		var found Invariants
		var few bool
		var err error
		began := time.Now()
		defer func() {
			if cause := recover(); cause != nil { // what is not known takes the general path
				s.db.config.Logger.Error("panic while the tables were checked", "panic", cause, "stack", string(debug.Stack()))
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.running = false
			s.noteFailure(err)
			switch {
			case few:
				s.small = epochs[0]
				return
			case err == nil:
				s.epochs = epochs
			}
			s.found = found
			s.foreign = [2]uint64{state.Foreign(tables[0]), state.Foreign(tables[1])}
			s.rest = time.Now().Add((probeShare - 1) * time.Since(began))
			if err != nil {
				s.rest = later(s.rest, time.Now().Add(probeAgain))
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
func (s *Probe) noteFailure(err error) {
	text := ""
	if err != nil && !s.closed { // Close ends a check
		text = err.Error()
	}
	if text != "" && text != s.failed {
		s.db.config.Logger.Warn("the tables could not be checked, so lists do without what is faster", "error", err)
	}
	s.failed = text
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// prove finds out what holds. With an error, what it returns was proved before.
func (s *Probe) prove(ctx context.Context, links bool) (found Invariants, err error) {
	if found.Dates, err = s.none(ctx, s.irregularOccurrences()...); err == nil && found.Dates {
		if found.Clocks, err = s.none(ctx, s.farClocks()...); err == nil {
			found.Occurrences, err = s.none(ctx, s.severalOccurrences()...)
		}
	}
	if err != nil || !links {
		return found, err
	}
	if found.Links, err = s.none(ctx, s.irregularLinks()); err != nil || !found.Links {
		return found, err
	}
	indexes, err := schema.OwnIndexes(ctx, s.db.pool.DB, s.db.prefix)
	found.LinkIndex = indexes[indexOfLinks]
	return found, err
}

// Wait returns when no probe runs. It is for tests.
func (s *Probe) Wait() { s.done.Wait() }

// close ends the check and keeps others from beginning.
func (s *Probe) close() {
	s.mu.Lock()
	s.closed = true
	if s.cancel != nil {
		s.cancel()
	}
	s.mu.Unlock()
	s.done.Wait()
}

// none reports whether each query gives zero.
func (s *Probe) none(ctx context.Context, queries ...*Query) (bool, error) {
	for _, q := range queries {
		if n, err := Number(ctx, q); err != nil || n > 0 {
			return false, err
		}
	}
	return true, nil
}

// moreOccurrences reports whether there are more than so many occurrences.
func (s *Probe) moreOccurrences(ctx context.Context, many int64) (bool, error) {
	next := newQuery(s.db.pool.DB).From(TableOccurrences, "o").ColumnExpr("1").Limit(1).Offset(many)
	n, err := Number(ctx, newQuery(s.db.pool.DB).Comment(probeComment).FromQuery(next, "n").ColumnExpr("COUNT(*)"))
	return n > 0, err
}

// severalOccurrences counts those that are not the only one of their event.
func (s *Probe) severalOccurrences() []*Query {
	if !s.db.config.Occurrences {
		return nil
	}
	return []*Query{s.db.Select().From(TableOccurrences, "o").ColumnExpr("COUNT(*) - COUNT(DISTINCT o.post_id)")}
}

// farClocks counts those whose starts are further from each other than any zone is from UTC.
func (s *Probe) farClocks() []*Query {
	if !s.db.config.Occurrences {
		return nil
	}
	return []*Query{s.db.Select().From(TableOccurrences, "o").ColumnExpr("COUNT(*)").
		Where("COALESCE(o.start_date BETWEEN ? AND ?, 0) = 0", s.db.dayOff("o.start_date_utc", -1), s.db.dayOff("o.start_date_utc", 1))}
}

func (s *Probe) irregularOccurrences() []*Query {
	if !s.db.config.Occurrences {
		return nil
	}
	from := func() *Query { return s.db.Select().From(TableOccurrences, "o") }
	return []*Query{
		from().ColumnExpr("COUNT(*)").Where("(o.start_date > o.end_date OR o.start_date_utc > o.end_date_utc)"),
		from().ColumnExpr("COUNT(*)").Join("LEFT JOIN", TablePosts, "p", "p.ID = o.post_id AND p.post_type = ?",
			s.db.config.Names.Event).
			Where("p.ID IS NULL"),
	}
}

// irregularLinks counts links that are not an id as it is written. A number with
// other text after it names an id too.
func (s *Probe) irregularLinks() *Query {
	return s.db.Select().From(TablePostMeta, "m").ColumnExpr("COUNT(*)").
		Where("m.meta_key IN (?)", bun.List(slices.Sorted(maps.Values(s.db.config.Links)))).
		Where("COALESCE(m.meta_value, '') NOT IN ('', '0')").Where("m.meta_value <> CONCAT(CAST(m.meta_value AS UNSIGNED INTEGER))")
}
