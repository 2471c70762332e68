package store

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"
)

// countCache keeps for a moment how many items filters select: a total costs as much
// as there is, a page only what it shows.
type countCache struct {
	age    time.Duration    // how long one is kept; 0 for not at all
	clock  func() time.Time // time.Now unless a test sets it
	mu     sync.Mutex
	counts map[string]*total // by statement
}

// total is the answer to one statement.
type total struct {
	busy  chan struct{} // holds a token while somebody counts
	found atomic.Pointer[found]
}

type found struct {
	value int64
	since time.Time // when asking began
}

// maxCounts bounds how many counts are kept: each has its statement for a key.
const maxCounts = 1000

// CacheCounts makes the Store keep the totals of lists for a time. Every Write
// forgets them: they miss only what another program wrote.
func (s *Store) CacheCounts(age time.Duration) {
	s.counts = countCache{age: age, clock: time.Now, counts: map[string]*total{}}
}

// total runs a query of one number, or returns what it gave a moment ago. One
// caller counts for all that wait.
func (s *Store) total(ctx context.Context, q *bun.SelectQuery) (int64, error) {
	return s.Cached(ctx, q.String(), func() (int64, error) { return Number(ctx, q) })
}

// Cached returns the number that was found a moment ago under a key, or finds it.
func (s *Store) Cached(ctx context.Context, key string, find func() (int64, error)) (value int64, err error) {
	if s.counts.age <= 0 || writing(ctx) != nil {
		return find()
	}
	t := s.counts.of(key)
	if f := s.counts.fresh(t); f != nil {
		return f.value, nil
	}
	select {
	case t.busy <- struct{}{}:
		defer func() { <-t.busy }()
	case <-ctx.Done():
		return value, ctx.Err()
	}
	if f := s.counts.fresh(t); f != nil {
		return f.value, nil
	}
	since := s.counts.clock()
	if value, err = find(); err == nil {
		t.found.Store(&found{value, since})
	}
	return value, err
}

func (c *countCache) of(key string) *total {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.counts) >= maxCounts {
		c.counts = map[string]*total{}
	}
	found := c.counts[key]
	if found == nil {
		found = &total{busy: make(chan struct{}, 1)}
		c.counts[key] = found
	}
	return found
}

func (c *countCache) fresh(of *total) *found {
	if f := of.found.Load(); f != nil && c.clock().Sub(f.since) < c.age {
		return f
	}
	return nil
}

// forget drops all counts. One that is being made is returned to those who already
// wait for it, and to nobody after them.
func (c *countCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.counts)
}
