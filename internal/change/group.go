package change

import (
	"context"
	"runtime"
	"sync"
)

// Group makes callers with the same key share the result of one computation, if it began after their call. So no caller
// gets a result that was computed from older data than its own computation would have read. The zero value is ready to
// use.
type Group[K comparable, V any] struct {
	// Gathers lets other goroutines run once before the computation begins, so that their calls share it. It is worth
	// its delay where a computation takes much longer.
	Gathers bool

	mu      sync.Mutex
	running map[K]*run[V]
}

// run is the computation of one caller.
type run[V any] struct {
	gathers bool          // the computation has not begun
	done    chan struct{} // closed when it has ended
	value   V
	ok      bool    // the value may be shared
	next    *run[V] // the first run that began after this one, nil if there is none
}

// Do returns what fn returns, or what another caller's fn returned if that began after this call. For each key only one
// fn runs at a time. fn reports whether its value may be shared; if it may not, or if fn failed or panicked, the
// callers that waited for it call their own fn. found may be nil; otherwise it is called after a run that had begun
// before this call, and if it returns a value, that is used instead of another run. Waiting ends with ctx.
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

// share waits for a run and returns its value, or calls fn if the value may not be shared.
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

// begin returns a run that later callers find. The lock must be held.
func (g *Group[K, V]) begin(key K) *run[V] {
	if g.running == nil {
		g.running = map[K]*run[V]{}
	}
	r := &run[V]{gathers: g.Gathers, done: make(chan struct{})}
	g.running[key] = r
	return r
}

// lead calls fn for all callers that wait for it. The lock must be held.
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

// wait waits until the run has ended, or returns the error of ctx when that ends first.
func (r *run[V]) wait(ctx context.Context) error {
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
