package store

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"
)

// totals keeps, for a moment, how many items filters select: a total costs as
// much as there is, a page only what stands on it.
type totals struct {
	age   time.Duration    // how long one is kept; 0 for not at all
	clock func() time.Time // time.Now unless a test sets it
	mu    sync.Mutex
	kept  map[string]*total // by statement
	sizes map[string]int64  // how many events there were last time, by EventFilter.sizeKey
}

// total is the answer to one statement.
type total struct {
	turn  chan struct{} // holds one token: who has it asks
	found atomic.Pointer[found]
}

type found struct {
	value int64
	since time.Time // when asking began
}

// maxTotals bounds how many totals are kept: each has its statement for a key.
const maxTotals = 1000

// KeepTotals makes the Store keep the totals of lists for a time. Every Write
// forgets them: they are late only in what another program wrote.
func (s *Store) KeepTotals(age time.Duration) {
	s.totals = totals{age: age, clock: time.Now, kept: map[string]*total{}}
}

// total runs a query of one number, or returns what it gave a moment ago. One
// caller counts for all that wait.
func (s *Store) total(ctx context.Context, q *bun.SelectQuery) (int64, error) {
	return s.kept(ctx, q.String(), func() (int64, error) { return number(ctx, q) })
}

// kept returns the number that was found a moment ago under a key, or finds it.
func (s *Store) kept(ctx context.Context, key string, find func() (int64, error)) (value int64, err error) {
	if s.totals.age <= 0 || writing(ctx) != nil {
		return find()
	}
	t := s.totals.of(key)
	if f := s.totals.fresh(t); f != nil {
		return f.value, nil
	}
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return value, ctx.Err()
	}
	if f := s.totals.fresh(t); f != nil {
		return f.value, nil
	}
	since := s.totals.clock()
	if value, err = find(); err == nil {
		t.found.Store(&found{value, since})
	}
	return value, err
}

func (t *totals) of(key string) *total {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.kept) >= maxTotals {
		t.kept = map[string]*total{}
	}
	found := t.kept[key]
	if found == nil {
		found = &total{turn: make(chan struct{}, 1)}
		t.kept[key] = found
	}
	return found
}

func (t *totals) fresh(of *total) *found {
	if f := of.found.Load(); f != nil && t.clock().Sub(f.since) < t.age {
		return f
	}
	return nil
}

// size is how many events a filter selected when they were last counted.
func (t *totals) size(filter string) (n int64, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, known = t.sizes[filter]
	return n, known
}

func (t *totals) sized(filter string, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sizes == nil || len(t.sizes) >= maxTotals {
		t.sizes = map[string]int64{}
	}
	t.sizes[filter] = n
}

// forget drops all that is kept. What is being asked for goes to those who wait
// for it already, and to nobody after.
func (t *totals) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.kept)
}
