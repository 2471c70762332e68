package calendar

import (
	"context"
	"errors"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/journal"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// newRunner returns what keeps the journal of a site that has one.
func (c *Calendar) newRunner(st *store.Store, readOnly bool) *journal.Runner {
	o := &c.options
	config := journal.RunnerConfig{
		Store: st, Comparison: c.comparison, Share: o.JournalShare, Settle: o.Cache.Settle, MaxAge: o.Cache.MaxAge, Logger: o.Logger,
	}
	if readOnly || config.Share == None {
		config.Share = 0
	}
	if o.Hooks.OnChange != nil && !readOnly {
		config.Beside = c.followForHook
	}
	return journal.NewRunner(config)
}

// keepJournal begins to keep the journal, if the site has one. It may be called again.
func (c *Calendar) keepJournal(ctx context.Context) error {
	if c.options.unattended || c.ReadOnly() {
		return nil
	}
	return c.journal.Start(ctx)
}

// changed returns what is called with the changes of each write, nil if nobody wants to know.
func (c *Calendar) changed(readOnly bool) func(context.Context, []content.Change) {
	if readOnly || c.options.unattended {
		if c.hooks.call == nil {
			return nil
		}
		return c.hooks.changed
	}
	return c.commit
}

// commit has changes noted in the journal, and tells the hook then: what that reads is not older than what the journal says. Without
// a journal it tells the hook.
func (c *Calendar) commit(ctx context.Context, changes []content.Change) {
	h := c.hooks
	own := make([]journal.Own, len(changes))
	for i, change := range changes {
		own[i] = journal.Own{Kind: change.Kind, IDs: []int64{change.ID}}
	}
	switch {
	case h.call == nil:
		c.journal.Commit(own...)
	case h.reserve(len(changes)):
		own[len(own)-1].Then = func() {
			h.release(len(changes))
			h.changed(ctx, changes)
		}
		if !c.journal.Commit(own...) {
			own[len(own)-1].Then()
		}
	default: // there is no room for more: the hook gets them as it gets those of others
		for i := range own {
			own[i].Foreign = true
		}
		if !c.journal.Commit(own...) {
			h.changed(ctx, changes)
		}
	}
}

// Times of following the journal for the hook.
const (
	followLease = time.Minute
	followAgain = 5 * time.Second // after an error, or while another process follows
	followPoll  = 5 * time.Second // without being told
	claimed     = time.Second     // within which a process notes that changes are its own
	followMost  = 200             // changes at a time
)

// followForHook calls the hook for the changes of others, in one process at a time.
func (c *Calendar) followForHook(ctx context.Context) {
	for ctx.Err() == nil {
		f, err := c.journal.Follow(ctx, "hooks", followLease)
		if err == nil {
			err = c.followed(ctx, f)
			ended, cancel := context.WithTimeout(context.WithoutCancel(ctx), followAgain)
			_ = f.End(ended)
			cancel()
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrOthersTurn) {
			c.options.Logger.WarnContext(ctx, "the hook is not called for changes of others", "error", err)
		}
		after(ctx, followAgain, nil)
	}
}

// after waits until a time has passed, a channel is closed or sent to, or ctx has ended.
func after(ctx context.Context, d time.Duration, told <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-told:
	case <-ctx.Done():
	}
}

// followed calls the hook for one change after the other. A position moves when the hook has returned.
func (c *Calendar) followed(ctx context.Context, f *store.JournalFollower) error {
	for ctx.Err() == nil {
		told := c.journal.Changed()
		changes, err := f.Next(ctx, followMost)
		if err != nil {
			return err
		}
		if f.Jumped() {
			c.options.Logger.WarnContext(ctx, "the hook is not called for some changes of others", "reason", "the journal began anew")
		}
		if len(changes) == 0 {
			after(ctx, followPoll, told)
			continue
		}
		last := changes[len(changes)-1].Sequence
		if foreign(changes) { // some may be those of a process that is about to say so
			after(ctx, claimed, nil)
			if changes, err = f.Next(ctx, followMost); err != nil {
				return err
			}
		}
		if err := c.hooks.foreign(ctx, changesOf(changes, last)); err != nil {
			return err
		}
		if err := f.Done(ctx, last); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func foreign(changes []*schema.JournalChange) bool {
	for _, c := range changes {
		if !c.Own {
			return true
		}
	}
	return false
}

// changesOf returns the changes of others up to a sequence, of each item the last, with what it was before the first.
func changesOf(rows []*schema.JournalChange, upto int64) (list []Change) {
	type item struct {
		kind string
		id   int64
	}
	last, first := map[item]*schema.JournalChange{}, map[item]*schema.JournalChange{}
	for _, c := range rows {
		if c.Sequence > upto || c.Own {
			continue
		}
		key := item{c.Kind, c.ID}
		if last[key] = c; first[key] == nil {
			first[key] = c
		}
	}
	for _, c := range rows {
		key := item{c.Kind, c.ID}
		if last[key] != c {
			continue
		}
		was := first[key]
		change := Change{
			Kind: c.Kind, ID: c.ID, Slug: c.Slug, Language: c.Language, Op: OpUpdate, Before: was.WasStatus, After: c.Status, Foreign: true,
		}
		switch {
		case c.Operation == schema.JournalGone:
			change.Op, change.Slug, change.Language = OpDelete, c.WasSlug, c.WasLanguage
		case was.Operation == schema.JournalNew:
			change.Op = OpCreate
		case c.Status == schema.StatusTrash && was.WasStatus != schema.StatusTrash:
			change.Op = OpTrash
		}
		list = append(list, change)
	}
	return list
}
