package exchange

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// prune lists the events that came from the source and are in it no more, and trashes them
// if that is asked for. What may be an item that could not be read is not one of them; where
// such an item has no name it does nothing.
func (r *run) prune(ctx context.Context) error {
	if r.Source == "" || r.unread[""] {
		return nil
	}
	gone, err := r.Events.Store.ImportedFrom(ctx, r.Events.PostType, r.Source, func(i store.Imported) bool {
		return !r.seen[i.UID] && !r.unread[folded(i.UID)] && !r.unread[folded(i.Title)]
	})
	if err != nil {
		return err
	}
	for _, one := range gone {
		o := Outcome{Action: Gone, Kind: Events, ID: one.ID, Name: plain(one.Title), Place: Place{Source: r.Source}}
		if r.Prune {
			if err := r.trash(ctx, one, &o); err != nil {
				return err
			}
		}
		r.done(o)
	}
	return nil
}

// trash trashes an event and notes why, so that it comes back if the source has it again.
func (r *run) trash(ctx context.Context, event store.Imported, o *Outcome) error {
	err := r.Calendar.Transaction(ctx, func(ctx context.Context) error {
		if _, err := r.Calendar.Do(ctx, http.MethodDelete, "/events/"+strconv.FormatInt(event.ID, 10), nil, nil); err != nil {
			return err
		}
		row := &schema.PostMeta{PostID: event.ID, Key: schema.MetaPruned, Value: "1"}
		if err := r.Events.Store.ChangeMeta(ctx, store.MetaChange{Insert: []*schema.PostMeta{row}}); err != nil {
			return err
		}
		if r.DryRun {
			return errDry
		}
		return nil
	})
	switch {
	case err == nil, errors.Is(err, errDry):
		o.Action = Trashed
		return nil
	case refusal(err):
		rec := &Record{Kind: Events, Place: o.Place, UID: event.UID}
		o.Action, o.Problems = Refused, rec.problems("", err)
		return nil
	}
	return err
}
