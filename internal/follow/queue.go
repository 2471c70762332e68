package follow

import (
	"context"
	"errors"
	"time"

	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// Parameters of turning changes into messages.
const (
	queueLease = 30 * time.Second // of the process that does it
	queuePoll  = time.Second      // how often it looks for changes
	queueMost  = 200              // changes in one transaction
)

// queue turns the changes of the journal into messages, unless another process does, until ctx ends.
func (w *Sender) queue(ctx context.Context) {
	w.repeat(ctx, "webhooks do not get changes", func(ctx context.Context, j *followstore.Journal) error {
		all, err := j.Webhooks().All(ctx)
		if err != nil || len(all) == 0 {
			return err
		}
		f, err := j.Follow(ctx, followstore.FollowerOfWebhooks, queueLease)
		if err != nil {
			return err
		}
		defer f.End(ctx) // otherwise the lease expires
		for ctx.Err() == nil {
			told, err := w.queueNext(ctx, j, f)
			if err != nil {
				return err
			}
			if told {
				w.wake()
			} else {
				waitFor(ctx, queuePoll, nil)
			}
		}
		return nil
	})
}

// queueNext processes the next changes. It reports whether there were any.
func (w *Sender) queueNext(ctx context.Context, j *followstore.Journal, f *followstore.JournalFollower) (bool, error) {
	changes, err := f.Next(ctx, queueMost)
	if err != nil {
		return false, err
	}
	lost := f.Jumped() || !f.Passed()
	if len(changes) == 0 && !lost {
		return false, nil
	}
	last := followstore.Told{Sequence: f.Position(), Moment: w.messages.Now().UnixMilli()}
	if n := len(changes); n > 0 {
		last.Sequence, last.Moment = changes[n-1].Sequence, changes[n-1].Moment
	}
	return true, j.Webhooks().Queue(ctx, f, w.messages.aboutAll(changes), lost, last)
}

// Replay queues the messages of a webhook about the changes after a position again.
func (m *Messages) Replay(
	ctx context.Context, hooks *followstore.Webhooks, j *followstore.Journal, row *schema.Webhook, after int64,
) error {
	for {
		changes, err := j.Changes(ctx, after, queueMost)
		if err != nil || len(changes) == 0 {
			return err
		}
		if err := hooks.QueueAgain(ctx, row, m.aboutAll(changes)); err != nil {
			return err
		}
		after = changes[len(changes)-1].Sequence
	}
}

// aboutAll returns the messages about changes.
func (m *Messages) aboutAll(changes []*schema.JournalChange) (told []followstore.Told) {
	for _, change := range changes {
		if t, ok := m.about(change); ok {
			told = append(told, t)
		}
	}
	return told
}

// about returns the message about a change. There is one only for an item that was or is readable by everybody. There
// is none about images and settings: receivers get them as part of the items that show them.
func (m *Messages) about(change *schema.JournalChange) (t followstore.Told, ok bool) {
	for _, kind := range m.Kinds {
		if kind.Collection != change.Kind {
			continue
		}
		was, is := change.Operation != schema.JournalNew, change.Operation != schema.JournalGone
		if kind.Posts {
			was, is = was && change.WasStatus == schema.StatusPublish, is && change.Status == schema.StatusPublish
		}
		t = followstore.Told{Type: kind.Name, Kind: kind.Collection, ID: change.ID, Sequence: change.Sequence, Moment: change.Moment}
		switch {
		case was && is:
			t.Operation = followstore.ToldUpdate
		case is:
			t.Operation = followstore.ToldCreate
		case was:
			t.Operation = followstore.ToldDelete
		}
		return t, t.Operation != ""
	}
	return t, false
}

// repeat calls fn with the journal until ctx ends, again after a pause when it returns. An error is logged when it
// first occurs.
func (w *Sender) repeat(ctx context.Context, what string, fn func(context.Context, *followstore.Journal) error) {
	said := ""
	for ctx.Err() == nil {
		j, err := followstore.OpenJournal(ctx, w.messages.Store)
		if err == nil {
			err = errors.Join(fn(ctx, j), j.Close())
		}
		text := ""
		if err != nil && ctx.Err() == nil && !errors.Is(err, followstore.ErrNoJournal) && !errors.Is(err, followstore.ErrOthersTurn) {
			if text = err.Error(); text != said {
				w.messages.Logger.WarnContext(ctx, what, "error", err)
			}
		}
		said = text
		waitFor(ctx, deliveryRetry, nil)
	}
}
