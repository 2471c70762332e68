package follow

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/content"
)

// Limits of a Hook.
const (
	hookTimeout = 30 * time.Second // of a hook's context
	hookQueue   = 4096             // maximal number of changes that wait; further ones are dropped and logged
)

// Hook calls a function of the host in one goroutine, which ends when no change waits: for one change after the other, in
// the order of the commits.
type Hook struct {
	// Call is the function of the host; nil if it has none. foreign reports whether another program made the change.
	Call func(ctx context.Context, c content.Change, foreign bool)
	// Context returns the context for Call, which does not end, given that of the write or of the follower.
	Context func(ctx context.Context, foreign bool) context.Context
	Logger  *slog.Logger

	mu    sync.Mutex
	queue []queued      // the hook is running for the first
	idle  chan struct{} // closed when the queue becomes empty; nil while it is empty
	kept  int           // changes being recorded in the journal, for which capacity is reserved
}

// queued is a change with the context for its hook.
type queued struct {
	content.Change
	foreign bool
	ctx     context.Context
	done    chan<- struct{} // receives a value when the hook has returned, unless nil
}

// Changed queues the changes of a write.
func (h *Hook) Changed(ctx context.Context, changes []content.Change) {
	ctx = h.Context(ctx, false)
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range changes {
		if len(h.queue) > hookQueue {
			h.Logger.Error("change hook is too slow: a change is dropped", "kind", c.Kind, "id", c.ID, "op", c.Op)
			continue
		}
		h.queue = append(h.queue, queued{Change: c, ctx: ctx})
	}
	h.begin()
}

// begin starts the goroutine if changes wait and it is not running. h.mu must be held.
func (h *Hook) begin() {
	if h.idle == nil && len(h.queue) > 0 {
		h.idle = make(chan struct{})
		go h.run(h.queue[0])
	}
}

func (h *Hook) run(c queued) {
	for more := true; more; {
		h.one(c)
		if c.done != nil {
			c.done <- struct{}{}
		}
		h.mu.Lock()
		h.queue = h.queue[1:]
		if more = len(h.queue) > 0; more {
			c = h.queue[0]
		} else {
			close(h.idle)
			h.idle = nil
		}
		h.mu.Unlock()
	}
}

// one calls the hook for one change. A panic or a timeout does not affect other changes.
func (h *Hook) one(c queued) {
	ctx, cancel := context.WithTimeout(c.ctx, hookTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			h.Logger.Error("panic in change hook", "kind", c.Kind, "id", c.ID, "op", c.Op, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	h.Call(ctx, c.Change, c.foreign)
}

// reserve reserves capacity for n changes that are recorded in the journal first. It returns false if there is not
// enough.
func (h *Hook) reserve(n int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue)+h.kept+n > hookQueue {
		return false
	}
	h.kept += n
	return true
}

func (h *Hook) release(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept -= n
}

// Foreign calls the hook for changes of other programs, in order with those that wait, and returns after the last one.
func (h *Hook) Foreign(ctx context.Context, changes []content.Change) error {
	done := make(chan struct{}, 1)
	call := h.Context(ctx, true)
	for _, c := range changes {
		h.mu.Lock()
		h.queue = append(h.queue, queued{Change: c, foreign: true, ctx: call, done: done})
		h.begin()
		h.mu.Unlock()
		select {
		case <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Pending returns the number of changes for which the hook has not returned.
func (h *Hook) Pending() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return int64(len(h.queue) + h.kept)
}

// Wait returns when no change waits for the hook, or when ctx ends.
func (h *Hook) Wait(ctx context.Context) error {
	h.mu.Lock()
	idle := h.idle
	h.mu.Unlock()
	if idle != nil {
		select {
		case <-idle:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// Commits handles what the program itself commits.
type Commits struct {
	Hook    *Hook
	Journal *Runner
}

// Changed returns the function to be called with the changes of each write, or nil if none is needed. unrecorded
// reports whether this process records nothing in the journal.
func (m Commits) Changed(unrecorded bool) func(context.Context, []content.Change) {
	switch {
	case !unrecorded:
		return m.commit
	case m.Hook.Call != nil:
		return m.Hook.Changed
	}
	return nil
}

// commit records changes in the journal, and calls the hook afterwards, so that what the hook reads is not older than
// the journal. Without a journal it calls the hook.
func (m Commits) commit(ctx context.Context, changes []content.Change) {
	h := m.Hook
	own := make([]Own, len(changes))
	for i, change := range changes {
		own[i] = Own{Kind: change.Kind, IDs: []int64{change.ID}}
	}
	switch {
	case h.Call == nil:
		m.Journal.Commit(own...)
	case h.reserve(len(changes)):
		own[len(own)-1].Then = func() {
			h.release(len(changes))
			h.Changed(ctx, changes)
		}
		if !m.Journal.Commit(own...) {
			own[len(own)-1].Then()
		}
	default: // The queue is full: the hook is called for these later, as it is for changes of other programs.
		for i := range own {
			own[i].Foreign = true
		}
		if !m.Journal.Commit(own...) {
			h.Changed(ctx, changes)
		}
	}
}
