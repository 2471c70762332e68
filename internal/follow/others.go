package follow

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// Intervals of following the journal for the hook.
const (
	followLease = time.Minute
	followAgain = 5 * time.Second          // after an error, or while another process follows
	followPoll  = 5 * time.Second          // if not notified earlier
	claimed     = time.Second + mostGather // within which a process records that changes are its own
	followMost  = 200                      // changes at a time
)

// followOthers calls Notify with the changes that other programs made, in one process at a time, until ctx ends.
func (r *Runner) followOthers(ctx context.Context) {
	for ctx.Err() == nil {
		f, err := r.Follow(ctx, "hooks", followLease)
		if err == nil {
			err = r.notifyOthers(ctx, f)
			_ = f.End(ctx)
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, followstore.ErrOthersTurn) {
			r.Logger.WarnContext(ctx, "OnChange is not called for changes by others", "error", err)
		}
		waitFor(ctx, followAgain, nil)
	}
}

// waitFor waits until a duration has passed, or a channel is closed or sent to. It returns false if ctx ended first.
func waitFor(ctx context.Context, d time.Duration, told <-chan struct{}) bool {
	select {
	case <-time.After(d):
		return true
	case <-told:
		return true
	case <-ctx.Done():
		return false
	}
}

// notifyOthers advances the position of a follower each time Notify has returned.
func (r *Runner) notifyOthers(ctx context.Context, f *followstore.JournalFollower) error {
	for ctx.Err() == nil {
		told := r.Changed()
		changes, err := f.Next(ctx, followMost)
		if err != nil {
			return err
		}
		if f.Jumped() {
			r.Logger.WarnContext(ctx, "OnChange is not called for some changes by others", "reason", "the journal started again")
		}
		if len(changes) == 0 {
			waitFor(ctx, followPoll, told)
			continue
		}
		last := changes[len(changes)-1].Sequence
		if foreign(changes) { // some may be changes of a process that is about to record them as its own
			waitFor(ctx, claimed, nil)
			if changes, err = f.Next(ctx, followMost); err != nil {
				return err
			}
		}
		if err := r.Notify(ctx, changesOf(changes, last)); err != nil {
			return err
		}
		if err := f.Done(ctx, last); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func foreign(changes []*schema.JournalChange) bool {
	return slices.ContainsFunc(changes, func(c *schema.JournalChange) bool { return !c.Own })
}

// changesOf returns the changes of others up to a sequence number: for each item the last one, with the status before
// the first.
func changesOf(rows []*schema.JournalChange, upto int64) (list []content.Change) {
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
		change := content.Change{
			Kind: c.Kind, ID: c.ID, Slug: c.Slug, Language: c.Language, Op: content.OpUpdate, Before: was.WasStatus, After: c.Status,
		}
		switch {
		case c.Operation == schema.JournalGone:
			change.Op, change.Slug, change.Language = content.OpDelete, c.WasSlug, c.WasLanguage
		case was.Operation == schema.JournalNew:
			change.Op = content.OpCreate
		case c.Status == schema.StatusTrash && was.WasStatus != schema.StatusTrash:
			change.Op = content.OpTrash
		}
		list = append(list, change)
	}
	return list
}
