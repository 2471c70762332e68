package change

import (
	"context"
	"runtime"
	"sync"
)

// Group makes callers with the same key share what one of them computes: those that
// came before the computing began. So nobody gets what was computed of older data than
// those that a call of its own would have read. The zero value is ready.
type Group[K comparable, V any] struct {
	// Gathers lets other goroutines run once before the computing begins: those that call meanwhile share it. It is for what takes
	// much longer than that.
	Gathers bool

	mu      sync.Mutex
	running map[K]*run[V]
}

// run is a computation of one caller.
type run[V any] struct {
	gathers bool          // the computing has not begun
	done    chan struct{} // closed when it ended
	value   V
	ok      bool    // the value may be shared
	next    *run[V] // the first one that began after it, nil if none did
}

// Do returns what fn computes, or what another caller's fn computed if that began after
// this call. While one runs for a key no other begins. fn reports whether its value may be
// shared; if it may not, or if it failed or panicked, those that waited for it compute
// their own. found, unless it is nil, is called after a run that was too early: a value
// that it returns is taken instead of another run. Waiting ends with ctx.
func (g *Group[K, V]) Do(ctx context.Context, key K, found func() (V, bool), fn func() (V, bool, error)) (value V, shared bool, err error) {
	g.mu.Lock()
	early := g.running[key]
	if early == nil {
		return g.lead(key, g.begin(key), fn)
	}
	if early.gathers {
		g.mu.Unlock()
		return early.share(ctx, fn)
	}
	g.mu.Unlock()
	if err := early.wait(ctx); err != nil {
		return value, false, err
	}
	if found != nil {
		if value, ok := found(); ok {
			return value, true, nil
		}
	}
	g.mu.Lock()
	if early.next == nil {
		early.next = g.running[key]
	}
	if early.next == nil {
		early.next = g.begin(key)
		return g.lead(key, early.next, fn)
	}
	g.mu.Unlock()
	return early.next.share(ctx, fn)
}

// share waits for a run, and returns its value, or what fn computes where that may not be shared.
func (r *run[V]) share(ctx context.Context, fn func() (V, bool, error)) (value V, shared bool, err error) {
	if err := r.wait(ctx); err != nil {
		return value, false, err
	}
	if r.ok {
		return r.value, true, nil
	}
	value, _, err = fn()
	return value, false, err
}

// begin returns a run that others find. The lock is held when it is called.
func (g *Group[K, V]) begin(key K) *run[V] {
	if g.running == nil {
		g.running = map[K]*run[V]{}
	}
	r := &run[V]{gathers: g.Gathers, done: make(chan struct{})}
	g.running[key] = r
	return r
}

// lead runs fn for all that wait for it. The lock is held when it is called.
func (g *Group[K, V]) lead(key K, r *run[V], fn func() (V, bool, error)) (value V, shared bool, err error) {
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.running, key)
		g.mu.Unlock()
		close(r.done)
	}()
	if r.gathers {
		runtime.Gosched()
		g.mu.Lock()
		r.gathers = false
		g.mu.Unlock()
	}
	value, share, err := fn()
	r.value, r.ok = value, share && err == nil
	return value, false, err
}

// wait returns when a run ended, or with an error when ctx did.
func (r *run[V]) wait(ctx context.Context) error {
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
