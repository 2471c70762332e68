package calendar

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/store"
)

// newRunner returns the runner that keeps the journal of a site, if it has one.
func (jn journaling) newRunner(st *store.Store, readOnly bool) *follow.Runner {
	o := &jn.calendar.options
	config := follow.RunnerConfig{
		Store: st, Comparison: jn.comparison, Share: o.JournalShare, Settle: o.Cache.Settle, MaxAge: o.Cache.MaxAge, Logger: o.Logger,
	}
	if readOnly || config.Share == None {
		config.Share = 0
	}
	if o.Hooks.OnChange != nil && !readOnly {
		config.Notify = jn.calendar.hooks.foreign
	}
	return follow.NewRunner(config)
}

// keepJournal starts to keep the journal, if the site has one. It may be called again.
func (jn journaling) keepJournal(ctx context.Context) error {
	if jn.calendar.options.unattended || jn.calendar.ReadOnly() {
		return nil
	}
	return jn.calendar.journal.Start(ctx)
}

// changed returns the function to be called with the changes of each write, or nil if none is needed.
func (jn journaling) changed(readOnly bool) func(context.Context, []content.Change) {
	if readOnly || jn.calendar.options.unattended {
		if jn.calendar.hooks.call == nil {
			return nil
		}
		return jn.calendar.hooks.changed
	}
	return jn.commit
}

// commit records changes in the journal, and calls the hook afterwards, so that what the hook reads is not older than
// the journal. Without a journal it calls the hook.
func (jn journaling) commit(ctx context.Context, changes []content.Change) {
	h := jn.calendar.hooks
	own := make([]follow.Own, len(changes))
	for i, change := range changes {
		own[i] = follow.Own{Kind: change.Kind, IDs: []int64{change.ID}}
	}
	switch {
	case h.call == nil:
		jn.calendar.journal.Commit(own...)
	case h.reserve(len(changes)):
		own[len(own)-1].Then = func() {
			h.release(len(changes))
			h.changed(ctx, changes)
		}
		if !jn.calendar.journal.Commit(own...) {
			own[len(own)-1].Then()
		}
	default: // The queue is full: the hook is called for these later, as it is for changes of other programs.
		for i := range own {
			own[i].Foreign = true
		}
		if !jn.calendar.journal.Commit(own...) {
			h.changed(ctx, changes)
		}
	}
}
