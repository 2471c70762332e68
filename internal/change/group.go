package change

import (
	"context"
	"sync"
)

// Group makes callers with the same key share what one of them computes: those that
// came before the computing began. So nobody gets what was computed of older data than
// those that a call of its own would have read. The zero value is ready.
type Group[K comparable, V any] struct {
	mu      sync.Mutex
	calls   uint64 // counts callers and runs, to order them
	running map[K]*run[V]
}

// run is a computation of one caller.
type run[V any] struct {
	began uint64
	done  chan struct{} // closed when it ended
	value V
	ok    bool // the value may be shared
}

// Do returns what fn computes, or what another caller's fn computed if that began after
// this call. At any time one fn runs for a key. fn reports whether its value may be
// shared; if it may not, or if it panicked, those that waited for it compute their own.
// While another one runs, found is called after each run, unless it is nil: a value that
// it returns is taken instead of another run. Waiting ends with ctx.
func (g *Group[K, V]) Do(ctx context.Context, key K, found func() (V, bool), fn func() (V, bool, error)) (value V, shared bool, err error) {
	g.mu.Lock()
	g.calls++
	came := g.calls
	for {
		other := g.running[key]
		if other == nil {
			return g.lead(key, fn)
		}
		g.mu.Unlock()
		select {
		case <-other.done:
		case <-ctx.Done():
			return value, false, ctx.Err()
		}
		if other.began > came {
			if other.ok {
				return other.value, true, nil
			}
			value, _, err = fn()
			return value, false, err
		}
		if found != nil {
			if value, ok := found(); ok {
				return value, true, nil
			}
		}
		g.mu.Lock()
	}
}

// lead runs fn for all that wait for it. The lock is held when it is called.
func (g *Group[K, V]) lead(key K, fn func() (V, bool, error)) (value V, shared bool, err error) {
	if g.running == nil {
		g.running = map[K]*run[V]{}
	}
	g.calls++
	r := &run[V]{began: g.calls, done: make(chan struct{})}
	g.running[key] = r
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.running, key)
		g.mu.Unlock()
		close(r.done)
	}()
	value, r.ok, err = fn()
	r.value = value
	return value, false, err
}
