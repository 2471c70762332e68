package calendar

import (
	"context"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Operations of a Change.
const (
	OpCreate = content.OpCreate // "create"
	OpUpdate = content.OpUpdate // "update": also out of the trash, and by PublishDue
	OpTrash  = content.OpTrash  // "trash"
	OpDelete = content.OpDelete // "delete": for good
)

// Change is what a committed write did to one item. A write of an event with a
// new venue in it is two changes.
type Change struct {
	// Kind is the item's collection: "events", "venues", "organizers",
	// "categories" or "tags".
	Kind string

	// ID is the item's id.
	ID int64

	// Slug is the item's slug after the write; of a deleted item, its last one.
	Slug string

	// Language is the code of the language that the site stores for the item, as
	// its member "language" has it; "" on a site without translations.
	Language string

	// Op is one of the Op constants.
	Op string

	// Principal is the caller; the zero value for what PublishDue publishes. It is
	// the hook's own copy.
	Principal Principal

	// Before and After are the status of a post, such as "publish", "draft" or
	// "trash". Before is "" if it was created, After if it was deleted; both are ""
	// for terms.
	Before, After string

	// Terms are the ids of the categories and tags, and other terms, that lost or gained the item, in order: those
	// that it was given or that were taken from it, and all that it has if it was or is no longer published. None for
	// terms, and for changes of other programs.
	Terms []int64

	// Foreign reports whether another program made the change, which the site's journal found: then there is
	// no Principal. Without a journal no such change is reported.
	Foreign bool
}

// Limits of hooks.
const (
	hookTimeout = 30 * time.Second // after which a hook's context ends
	hookQueue   = 4096             // changes that wait; further ones are dropped and logged
)

// hooks calls Hooks.OnChange in a goroutine of its own, which ends when there is
// nothing to do: one change after the other, in the order of the commits.
type hooks struct {
	call   func(context.Context, Change)
	logger *slog.Logger

	mu    sync.Mutex
	queue []queued      // the first is the one that is called for
	idle  chan struct{} // closed when the queue is empty again, nil while it is
	kept  int           // changes that are being noted in the journal, for which there is room
}

// queued is a change with the context whose values its hook gets.
type queued struct {
	Change
	ctx  context.Context
	done chan<- struct{} // nil, or told when the hook has returned
}

// changed takes what a write did.
func (h *hooks) changed(ctx context.Context, changes []content.Change) {
	p := PrincipalFrom(ctx)
	// A hook may run while another calendar is within a transaction with this context.
	ctx = store.Outside(context.WithoutCancel(WithPrincipal(rest.CallerContext(ctx), p)))
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range changes {
		if len(h.queue) > hookQueue {
			h.logger.Error("change hook is too slow: a change is dropped", "kind", c.Kind, "id", c.ID, "op", c.Op)
			continue
		}
		change := Change{
			Kind: c.Kind, ID: c.ID, Slug: c.Slug, Language: c.Language, Op: c.Op, Principal: p, Before: c.Before, After: c.After,
			Terms: slices.Clone(c.Terms),
		}
		h.queue = append(h.queue, queued{Change: change, ctx: ctx})
	}
	h.begin()
}

// begin calls the hook for what waits. The lock is held when it is called.
func (h *hooks) begin() {
	if h.idle == nil && len(h.queue) > 0 {
		h.idle = make(chan struct{})
		go h.run(h.queue[0])
	}
}

func (h *hooks) run(c queued) {
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

// one calls the hook for one change; neither its panic nor its time is anyone
// else's.
func (h *hooks) one(c queued) {
	ctx, cancel := context.WithTimeout(c.ctx, hookTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			h.logger.Error("panic in change hook", "kind", c.Kind, "id", c.ID, "op", c.Op, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	c.Principal.Capabilities = maps.Clone(c.Principal.Capabilities) // the hook may change its own
	h.call(ctx, c.Change)
}

// reserve keeps room for changes that are noted first. It reports false if there is none.
func (h *hooks) reserve(n int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue)+h.kept+n > hookQueue {
		return false
	}
	h.kept += n
	return true
}

func (h *hooks) release(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept -= n
}

// foreign calls the hook for changes of others, one after the other with those that wait, and returns when it has.
func (h *hooks) foreign(ctx context.Context, changes []content.Change) error {
	done := make(chan struct{}, 1)
	call := store.Outside(WithPrincipal(context.WithoutCancel(ctx), Principal{}))
	for _, c := range changes {
		h.mu.Lock()
		change := Change{
			Kind: c.Kind, ID: c.ID, Slug: c.Slug, Language: c.Language, Op: c.Op, Before: c.Before, After: c.After, Foreign: true,
		}
		h.queue = append(h.queue, queued{Change: change, ctx: call, done: done})
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

// pending is the number of changes that the hook has not returned for.
func (h *hooks) pending() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return int64(len(h.queue) + h.kept)
}

// wait returns when no change waits for the hook any more, or ctx has ended.
func (h *hooks) wait(ctx context.Context) error {
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
