package calendar

import (
	"context"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Values of Change.Op.
const (
	OpCreate = content.OpCreate // "create"
	OpUpdate = content.OpUpdate // "update": also moves out of the trash, and publishing by PublishDue
	OpTrash  = content.OpTrash  // "trash"
	OpDelete = content.OpDelete // "delete": permanently
)

// Change is the effect of a committed write on one item. Writing an event with a new venue in it results in two
// changes.
type Change struct {
	// Kind is the item's collection: "events", "venues", "organizers", "categories" or "tags".
	Kind string

	// ID is the item's id.
	ID int64

	// Slug is the item's slug after the write. For a deleted item it is the last one.
	Slug string

	// Language is the code of the language that the site stores for the item, as in its member "language". It is "" on
	// a site without translations.
	Language string

	// Op is one of the Op constants.
	Op string

	// Principal is the caller, or the zero value if PublishDue published the post. It is a copy for the hook.
	Principal Principal

	// Before and After are the status of a post, such as "publish", "draft" or "trash". Before is "" if the post was
	// created, After if it was deleted permanently. Both are "" for terms.
	Before, After string

	// Terms are the ids, in ascending order, of the categories, tags and other terms whose lists gained or lost the
	// item: those that were added to it or removed from it, and all of its terms if it became published or stopped
	// being published. It is empty for terms, and for changes of other programs.
	Terms []int64

	// Foreign reports whether another program made the change, and the site's journal recorded it. There is no
	// Principal then. Without a journal no such changes are reported.
	Foreign bool
}

// Limits of hooks.
const (
	hookTimeout = 30 * time.Second // of a hook's context
	hookQueue   = 4096             // maximal number of changes that wait; further ones are dropped and logged
)

// hooks calls Hooks.OnChange in one goroutine, which ends when no change waits: for one change after the other, in the
// order of the commits.
type hooks struct {
	call   func(context.Context, Change)
	logger *slog.Logger

	mu    sync.Mutex
	queue []queued      // the hook is running for the first
	idle  chan struct{} // closed when the queue becomes empty; nil while it is empty
	kept  int           // changes being recorded in the journal, for which capacity is reserved
}

// queued is a change with the context for its hook.
type queued struct {
	Change
	ctx  context.Context
	done chan<- struct{} // receives a value when the hook has returned, unless nil
}

// changed queues the changes of a write.
func (h *hooks) changed(ctx context.Context, changes []content.Change) {
	p := Principal(caller.From(ctx)) // one copies the capabilities for each call of the hook
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

// begin starts the goroutine if changes wait and it is not running. h.mu must be held.
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

// one calls the hook for one change. A panic or a timeout does not affect other changes.
func (h *hooks) one(c queued) {
	ctx, cancel := context.WithTimeout(c.ctx, hookTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			h.logger.Error("panic in change hook", "kind", c.Kind, "id", c.ID, "op", c.Op, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	c.Principal.Capabilities = maps.Clone(c.Principal.Capabilities) // the hook may modify the map
	h.call(ctx, c.Change)
}

// reserve reserves capacity for n changes that are recorded in the journal first. It returns false if there is not
// enough.
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

// foreign calls the hook for changes of other programs, in order with those that wait, and returns after the last one.
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

// pending returns the number of changes for which the hook has not returned.
func (h *hooks) pending() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return int64(len(h.queue) + h.kept)
}

// wait returns when no change waits for the hook, or when ctx ends.
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
