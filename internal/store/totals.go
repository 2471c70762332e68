package store

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"
)

// totals keeps how many items filters select, for a moment: a total costs as
// much as there is, a page only what stands on it.
type totals struct {
	age   time.Duration    // how long one is kept; 0 for not at all
	clock func() time.Time // time.Now unless a test sets it
	mu    sync.Mutex
	kept  map[string]*total // by statement
	sizes map[string]int64  // about how many events there were last time, by what they link
}

// total is the answer to one statement.
type total struct {
	turn    chan struct{} // holds one token: who has it counts
	counted atomic.Pointer[counted]
}

type counted struct {
	number int64
	since  time.Time // when counting began
}

// maxTotals bounds how many totals are kept.
const maxTotals = 10_000

// KeepTotals makes the Store keep the totals of lists for a time. Every Write
// forgets them: a total is late only in what another program wrote.
func (s *Store) KeepTotals(age time.Duration) {
	s.totals = totals{age: age, clock: time.Now, kept: map[string]*total{}}
}

// total runs a query of one number, or returns what it gave a moment ago. One
// caller counts for all that wait.
func (s *Store) total(ctx context.Context, q *bun.SelectQuery) (int64, error) {
	return s.kept(ctx, q.String(), func() (int64, error) { return number(ctx, q) })
}

// kept returns a number that was counted a moment ago under a key, or counts it.
func (s *Store) kept(ctx context.Context, key string, count func() (int64, error)) (int64, error) {
	if s.totals.age <= 0 || writing(ctx) != nil {
		return count()
	}
	t := s.totals.of(key)
	if c := s.totals.fresh(t); c != nil {
		return c.number, nil
	}
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if c := s.totals.fresh(t); c != nil {
		return c.number, nil
	}
	since := s.totals.clock()
	n, err := count()
	if err == nil {
		t.counted.Store(&counted{n, since})
	}
	return n, err
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

func (t *totals) fresh(of *total) *counted {
	if c := of.counted.Load(); c != nil && t.clock().Sub(c.since) < t.age {
		return c
	}
	return nil
}

// size is about how many events link something, 0 if that was never counted.
func (t *totals) size(links string) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sizes[links]
}

func (t *totals) sized(links string, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sizes == nil || len(t.sizes) >= maxTotals {
		t.sizes = map[string]int64{}
	}
	t.sizes[links] = n
}

// forget drops all totals. One that is being counted goes to those who wait for
// it already, and to nobody after.
func (t *totals) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.kept)
}
