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

// Some queries have fast paths that are correct only while the tables satisfy certain invariants, as they do if only
// this service and the plugins' own editors write them. Checking takes long, so it is done in the background, only for
// large tables, and again after other programs have written. Commits of this program preserve the invariants.

const (
	manyLinks    = 100  // distinct links
	manyLinking  = 2000 // events
	longestProbe = 2 * time.Minute
	probeShare   = 20          // a check may use 1/probeShare of the time
	probeAgain   = time.Minute // until a failed check is repeated
)

// probeComment begins the statement that finds out whether tables are large.
const probeComment = "agenda probe"

// Invariants are what the last check proved; what is not known is false.
type Invariants struct {
	Occurrences bool // each is the only one of an existing event, and does not end before it starts
	Dates       bool // each belongs to an existing event, and does not end before it starts
	Clocks      bool // the UTC and local start of each differ by at most a day; only known with Dates
	Links       bool // each consists of one id in digits
	LinkIndex   bool // indexOfLinks exists; only known with Links
}

// A fast path that needs an index is used only if the index exists; databases shared with WordPress do not have it
// unless their owners added it:
//
//   - Linked looks up one event for each venue. Without indexOfLinks each look-up reads
//     the links of all events, which takes a hundred times as long as the general path.
//   - The strategies of package eventlist begin with the occurrences, in order if
//     there is an index of the dates, or with a list that is found by a key that every site has.
const indexOfLinks = "postmeta.agenda_value" // as schema.OwnIndexes names it

// Probe checks in the background whether the tables satisfy the Invariants.
type Probe struct {
	db *DB

	mu      sync.Mutex
	found   Invariants
	foreign [2]uint64 // epochs of the tables of each invariant when the check began, without own commits
	epochs  [2]uint64 // the same, including own commits
	small   uint64    // epoch of the occurrences when there were few, 0 if that is not known
	rest    time.Time // the time before which no other check begins
	failed  string    // the error of the last check, so that it is logged once
	running bool
	closed  bool
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

// tables returns the tables that each of the Invariants is about.
func (*Probe) tables() [2]change.Tables {
	return [2]change.Tables{TablePosts.Set() | TableOccurrences.Set(), TablePostMeta.Set()}
}

// Invariants returns what was proved about the tables in the state of ctx, ignoring later commits of this program.
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

// Start checks the invariants in the background, unless that was done since the tables changed or recently, or the
// tables are changing.
func (s *Probe) Start(ctx context.Context) { s.StartIfMany(ctx, 0) }

// StartIfMany is Start if there are more than many occurrences, which is determined in the background too.
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
			if cause := recover(); cause != nil { // the general path is used for what is not known
				s.db.config.Logger.Error("panic while checking the tables", "panic", cause, "stack", string(debug.Stack()))
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
			if again := time.Now().Add(probeAgain); err != nil && again.After(s.rest) {
				s.rest = again
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

// noteFailure logs why a check failed, once for each reason. The general path, which is used for what is not known, is
// slower and equally correct.
func (s *Probe) noteFailure(err error) {
	text := ""
	if err != nil && !s.closed { // Close stops a check
		text = err.Error()
	}
	if text != "" && text != s.failed {
		s.db.config.Logger.Warn("the tables could not be checked: lists use slower queries", "error", err)
	}
	s.failed = text
}

// prove checks the invariants. If it returns an error, it also returns what was proved before.
func (s *Probe) prove(ctx context.Context, links bool) (found Invariants, err error) {
	if !s.db.config.Occurrences { // none can be irregular
		found.Dates, found.Clocks, found.Occurrences = true, true, true
	} else if found.Dates, err = s.none(ctx, s.irregularOccurrences()...); err == nil && found.Dates {
		if found.Clocks, err = s.none(ctx, s.farClocks()); err == nil {
			found.Occurrences, err = s.none(ctx, s.severalOccurrences())
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

// Wait waits until no check runs. It is for tests.
func (s *Probe) Wait() { s.done.Wait() }

// close stops the check and prevents others.
func (s *Probe) close() {
	s.mu.Lock()
	s.closed = true
	if s.cancel != nil {
		s.cancel()
	}
	s.mu.Unlock()
	s.done.Wait()
}

// none reports whether each query returns zero.
func (s *Probe) none(ctx context.Context, queries ...*Query) (bool, error) {
	for _, q := range queries {
		if n, err := Number(ctx, q); err != nil || n > 0 {
			return false, err
		}
	}
	return true, nil
}

// moreOccurrences reports whether there are more than many occurrences.
func (s *Probe) moreOccurrences(ctx context.Context, many int64) (bool, error) {
	next := newQuery(s.db.pool.DB).From(TableOccurrences, "o").ColumnExpr("1").Limit(1).Offset(many)
	n, err := Number(ctx, newQuery(s.db.pool.DB).Comment(probeComment).FromQuery(next, "n").ColumnExpr("COUNT(*)"))
	return n > 0, err
}

// severalOccurrences counts the occurrences of events that have several.
func (s *Probe) severalOccurrences() *Query {
	return s.db.Select().From(TableOccurrences, "o").ColumnExpr("COUNT(*) - COUNT(DISTINCT o.post_id)")
}

// farClocks counts the occurrences whose local and UTC starts differ by more than any time zone's offset.
func (s *Probe) farClocks() *Query {
	return s.db.Select().From(TableOccurrences, "o").ColumnExpr("COUNT(*)").
		Where("COALESCE(o.start_date BETWEEN ? AND ?, 0) = 0", s.db.dayOff("o.start_date_utc", -1), s.db.dayOff("o.start_date_utc", 1))
}

func (s *Probe) irregularOccurrences() []*Query {
	from := func() *Query { return s.db.Select().From(TableOccurrences, "o") }
	return []*Query{
		from().ColumnExpr("COUNT(*)").Where("(o.start_date > o.end_date OR o.start_date_utc > o.end_date_utc)"),
		from().ColumnExpr("COUNT(*)").Join("LEFT JOIN", TablePosts, "p", "p.ID = o.post_id AND p.post_type = ?",
			s.db.config.Names.Event).
			Where("p.ID IS NULL"),
	}
}

// irregularLinks counts links that are not exactly one id in digits. MySQL would also read a number with text after it
// as an id.
func (s *Probe) irregularLinks() *Query {
	return s.db.Select().From(TablePostMeta, "m").ColumnExpr("COUNT(*)").
		Where("m.meta_key IN (?)", bun.List(slices.Sorted(maps.Values(s.db.config.Links)))).
		Where("COALESCE(m.meta_value, '') NOT IN ('', '0')").Where("m.meta_value <> CONCAT(CAST(m.meta_value AS UNSIGNED INTEGER))")
}
