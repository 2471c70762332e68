package change

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Tables is a set of tables: bit i is the table of that index among those of a Source.
type Tables uint16

// All are all tables.
const All = ^Tables(0)

// maxTables is how many tables a Source may have.
const maxTables = 16

// State is what a look found. It does not change. The methods of nil, the state where
// there is no clock, report that nothing may be cached.
type State struct {
	base      uint64 // epoch of all tables
	foreign   uint64 // the same, without commits of this program
	epochs    [maxTables]uint64
	foreigns  [maxTables]uint64
	unsettled Tables
	options   *map[string]string
	columns   uint64
	began     time.Time // of the look, zero where it told nothing
	own       uint64    // commits of this program, before the look
}

// Epoch returns a number that is greater after each change to one of the tables, 0 where
// it is not known.
func (s *State) Epoch(of Tables) uint64 {
	if s == nil {
		return 0
	}
	return newest(s.base, &s.epochs, of)
}

// Foreign is Epoch without what this program alone committed. What others committed is
// missed, until the maximal age, where no look was between it and a later commit of ours to
// the same table, and on SQLite between it and any commit of ours.
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

// Settled reports whether what is computed of the tables now may be cached.
func (s *State) Settled(of Tables) bool { return s != nil && s.unsettled&of == 0 }

// Began returns when the look began: what was computed since shows all that was committed
// before. It is zero where the look told nothing.
func (s *State) Began() time.Time {
	if s == nil {
		return time.Time{}
	}
	return s.began
}

// Own returns a number that grew before the look with each commit of this program, when it
// began and when it was over.
func (s *State) Own() uint64 {
	if s == nil {
		return 0
	}
	return s.own
}

// Columns returns a number that is greater after each change to the columns of the tables, 0 where that is not known: then
// they are what the database says now.
func (s *State) Columns() uint64 {
	if s == nil {
		return 0
	}
	return s.columns
}

// Options returns the site's options as the look found them, nil where they are not
// known. As long as they are the same it is the same pointer.
func (s *State) Options() *map[string]string {
	if s == nil {
		return nil
	}
	return s.options
}

var stills atomic.Uint64

// Still returns a state for tests, settled but for some tables, to which this program
// alone committed since the one before: nothing that was cached counts, but what was proved.
func Still(unsettled Tables) *State {
	return &State{base: stills.Add(1), foreign: 1, unsettled: unsettled}
}

type stateKey struct{}

// With returns a context whose reads may use what is cached for a state.
func With(ctx context.Context, s *State) context.Context {
	return context.WithValue(ctx, stateKey{}, s)
}

// From returns the state of a context, nil without one.
func From(ctx context.Context) *State {
	s, _ := ctx.Value(stateKey{}).(*State)
	return s
}

// Validity collects for how long an answer stays as it is, as far as it depends on the
// time. The zero value is the answer that does not depend on it. It is safe for
// concurrent use.
type Validity struct {
	mu          sync.Mutex
	from, until time.Time // zero: no limit
	looked      time.Time // when the first look began that a part of it is of, though others may have committed since; zero: of none
	moment      bool
}

type validityKey struct{}

// WithValidity returns a context whose answer is limited by v.
func WithValidity(ctx context.Context, v *Validity) context.Context {
	return context.WithValue(ctx, validityKey{}, v)
}

// Momentary notes that the answer of a context depends on the exact time: it is good
// for this moment alone.
func Momentary(ctx context.Context) {
	if v, ok := ctx.Value(validityKey{}).(*Validity); ok {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.moment = true
	}
}

// Within notes that the answer of a context is the same from one moment until before
// another one.
func Within(ctx context.Context, from, until time.Time) {
	v, ok := ctx.Value(validityKey{}).(*Validity)
	if !ok {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.from.Before(from) {
		v.from = from
	}
	if v.until.IsZero() || until.Before(v.until) {
		v.until = until
	}
}

// ValidityOf returns what limits the answer of a context, nil without one.
func ValidityOf(ctx context.Context) *Validity {
	v, _ := ctx.Value(validityKey{}).(*Validity)
	return v
}

// Add limits an answer by a part of it. A part of nil may be anything by now. To nil nothing is added.
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
	v.Look(limits.looked)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.moment = v.moment || limits.moment
	if v.from.Before(limits.from) {
		v.from = limits.from
	}
	if !limits.until.IsZero() && (v.until.IsZero() || limits.until.Before(v.until)) {
		v.until = limits.until
	}
}

// Look notes that a part of the answer shows what a look found that began at a moment, though others may have committed since.
func (v *Validity) Look(began time.Time) {
	if v == nil || began.IsZero() {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.looked.IsZero() || began.Before(v.looked) {
		v.looked = began
	}
}

// Looked returns when the first look began that Look has noted, zero for none.
func (v *Validity) Looked() time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.looked
}

// Moment reports whether the answer is good for one moment alone.
func (v *Validity) Moment() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.moment
}

// Covers reports whether the answer is good at a time.
func (v *Validity) Covers(t time.Time) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.moment && !t.Before(v.from) && (v.until.IsZero() || t.Before(v.until))
}
