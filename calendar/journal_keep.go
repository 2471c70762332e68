package calendar

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/store"
)

// newRunner returns what keeps the journal of a site that has one.
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

// keepJournal begins to keep the journal, if the site has one. It may be called again.
func (jn journaling) keepJournal(ctx context.Context) error {
	if jn.calendar.options.unattended || jn.calendar.ReadOnly() {
		return nil
	}
	return jn.calendar.journal.Start(ctx)
}

// changed returns what is called with the changes of each write, nil if nobody wants to know.
func (jn journaling) changed(readOnly bool) func(context.Context, []content.Change) {
	if readOnly || jn.calendar.options.unattended {
		if jn.calendar.hooks.call == nil {
			return nil
		}
		return jn.calendar.hooks.changed
	}
	return jn.commit
}

// commit has changes noted in the journal, and tells the hook then: what that reads is not older than what the journal says. Without
// a journal it tells the hook.
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
	default: // there is no room for more: the hook gets them as it gets those of others
		for i := range own {
			own[i].Foreign = true
		}
		if !jn.calendar.journal.Commit(own...) {
			h.changed(ctx, changes)
		}
	}
}
