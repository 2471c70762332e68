package change

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Tables is a set of tables: bit i is the table with that index in Versions.Tables.
type Tables uint16

// All contains all tables.
const All = ^Tables(0)

// maxTables is the maximum number of tables of a Source.
const maxTables = 16

// State is the result of a poll. It is immutable. The methods of a nil State, which is used without a Tracker, report
// that nothing may be cached.
type State struct {
	base      uint64 // epoch of all tables
	foreign   uint64 // the same, without commits of this program
	epochs    [maxTables]uint64
	foreigns  [maxTables]uint64
	unsettled Tables
	options   *map[string]string
	columns   uint64
	began     time.Time // when the poll began, zero if it failed
	own       uint64    // number of commits of this program before the poll
	unchanged func() bool
	until     time.Time // when a poll is due, whatever unchanged reports
}

// Epoch returns a number that increases with each change to one of the tables, 0 if it is not known.
func (s *State) Epoch(of Tables) uint64 {
	if s == nil {
		return 0
	}
	return newest(s.base, &s.epochs, of)
}

// Foreign is Epoch without what only this program committed. It misses a commit of another program, until the maximum
// age, if there was no poll between that and a later commit of this program to the same table; on SQLite, between that
// and any commit of this program.
func (s *State) Foreign(of Tables) uint64 {
	if s == nil {
		return 0
	}
	return newest(s.foreign, &s.foreigns, of)
}

func newest(epoch uint64, epochs *[maxTables]uint64, of Tables) uint64 {
	for i, e := range epochs {
		if of&(1<<i) != 0 {
			epoch = max(epoch, e)
		}
	}
	return epoch
}

// Settled reports whether what is computed from the tables now may be cached.
func (s *State) Settled(of Tables) bool { return s != nil && s.unsettled&of == 0 }

// Began returns when the poll began: values that were computed later include everything committed before. It is zero if
// the poll failed.
func (s *State) Began() time.Time {
	if s == nil {
		return time.Time{}
	}
	return s.began
}

// Own returns a number that was incremented before the poll with each commit of this program, when it began and when it
// had ended.
func (s *State) Own() uint64 {
	if s == nil {
		return 0
	}
	return s.own
}

// Columns returns a number that increases with each change to the columns of the tables. If it is 0 it is not known,
// and the columns have to be read from the database.
func (s *State) Columns() uint64 {
	if s == nil {
		return 0
	}
	return s.columns
}

// Options returns the site's options as the poll found them, nil if they are not known. It returns the same pointer for
// as long as they do not change.
func (s *State) Options() *map[string]string {
	if s == nil {
		return nil
	}
	return s.options
}

var stills atomic.Uint64

// Still returns a state for tests, settled except for some tables. It is as if this program alone had committed since
// the previous state: nothing that was cached is valid, but what was proved is.
func Still(unsettled Tables) *State {
	return &State{base: stills.Add(1), foreign: 1, unsettled: unsettled}
}

type stateKey struct{}

// With returns a context whose reads may use what is cached for a state.
func With(ctx context.Context, s *State) context.Context {
	return context.WithValue(ctx, stateKey{}, s)
}

// From returns the state of a context, nil if it has none.
func From(ctx context.Context) *State {
	s, _ := ctx.Value(stateKey{}).(*State)
	return s
}

// Validity collects how long an answer stays the same, as far as it depends on the time. The zero value is that of an
// answer that does not depend on it. It is safe for concurrent use.
type Validity struct {
	mu          sync.Mutex
	from, until time.Time // zero: no limit
	looked      time.Time // start of the oldest poll in use though others may have committed since; zero for none
	moment      bool
}

type validityKey struct{}

// WithValidity returns a context whose answer is limited by v.
func WithValidity(ctx context.Context, v *Validity) context.Context {
	return context.WithValue(ctx, validityKey{}, v)
}

// Momentary records that the answer of a context depends on the exact time, so that it is only valid at this instant.
func Momentary(ctx context.Context) { ValidityOf(ctx).Add(nil) }

// Within records that the answer of a context is the same from one time until before another. The zero time is no limit.
func Within(ctx context.Context, from, until time.Time) {
	ValidityOf(ctx).Add(&Validity{from: from, until: until})
}

// ValidityOf returns the Validity of a context, nil if it has none.
func ValidityOf(ctx context.Context) *Validity {
	v, _ := ctx.Value(validityKey{}).(*Validity)
	return v
}

// Add limits an answer by the validity of a part of it. A nil part may be outdated already, so that the answer is only
// valid at this instant. A nil v does nothing.
func (v *Validity) Add(part *Validity) {
	if v == nil {
		return
	}
	limits := Validity{moment: true}
	if part != nil {
		part.mu.Lock()
		limits.from, limits.until, limits.looked, limits.moment = part.from, part.until, part.looked, part.moment
		part.mu.Unlock()
	}
	v.AddPoll(limits.looked)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.moment = v.moment || limits.moment
	if v.from.Before(limits.from) {
		v.from = limits.from
	}
	if until := limits.until; !until.IsZero() && (v.until.IsZero() || until.Before(v.until)) {
		v.until = until
	}
}

// AddPoll records that a part of the answer shows the result of a poll that began at a time, although other programs may
// have committed since.
func (v *Validity) AddPoll(began time.Time) {
	if v == nil || began.IsZero() {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.looked.IsZero() || began.Before(v.looked) {
		v.looked = began
	}
}

// Looked returns the earliest time that was passed to AddPoll, zero if there is none.
func (v *Validity) Looked() time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.looked
}

// Covers reports whether the answer is valid at a time.
func (v *Validity) Covers(t time.Time) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.moment && !t.Before(v.from) && (v.until.IsZero() || t.Before(v.until))
}
