package calendar

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/follow"
)

// newRunner returns the runner that keeps the journal of a site, if it has one.
func newRunner(o *Options, v *covered, h *hooks, readOnly bool) *follow.Runner {
	config := follow.RunnerConfig{
		Store: v.store, Comparison: v.comparison, Share: o.JournalShare, Settle: o.Cache.Settle, MaxAge: o.Cache.MaxAge, Logger: o.Logger,
	}
	if readOnly || config.Share == None {
		config.Share = 0
	}
	if h.call != nil && !readOnly {
		config.Notify = h.foreign
	}
	return follow.NewRunner(config)
}

// commits handles what the calendar itself commits.
type commits struct {
	hooks   *hooks
	journal *follow.Runner
}

// changed returns the function to be called with the changes of each write, or nil if none is needed. unrecorded
// reports whether this process records nothing in the journal.
func (m commits) changed(unrecorded bool) func(context.Context, []content.Change) {
	switch {
	case !unrecorded:
		return m.commit
	case m.hooks.call != nil:
		return m.hooks.changed
	}
	return nil
}

// commit records changes in the journal, and calls the hook afterwards, so that what the hook reads is not older than
// the journal. Without a journal it calls the hook.
func (m commits) commit(ctx context.Context, changes []content.Change) {
	h := m.hooks
	own := make([]follow.Own, len(changes))
	for i, change := range changes {
		own[i] = follow.Own{Kind: change.Kind, IDs: []int64{change.ID}}
	}
	switch {
	case h.call == nil:
		m.journal.Commit(own...)
	case h.reserve(len(changes)):
		own[len(own)-1].Then = func() {
			h.release(len(changes))
			h.changed(ctx, changes)
		}
		if !m.journal.Commit(own...) {
			own[len(own)-1].Then()
		}
	default: // The queue is full: the hook is called for these later, as it is for changes of other programs.
		for i := range own {
			own[i].Foreign = true
		}
		if !m.journal.Commit(own...) {
			h.changed(ctx, changes)
		}
	}
}
