package exchange

import (
	"context"
	"errors"

	"github.com/agendahq/agenda/internal/call"
	writes "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/sourcestore"
	"github.com/agendahq/agenda/schema"
)

// prune reports the events that came from the source and that the source no longer contains, and trashes them with
// Importer.Prune. It excludes events that may be an item that could not be read; if such an item has no name, or the
// source is a cancellation, which never contains the whole calendar, it does nothing. If the source contains nothing at
// all, reading it may have failed, and nothing is trashed.
func (r *run) prune(ctx context.Context) error {
	if r.importer.Source == "" {
		return nil
	}
	if r.unread[""] {
		r.kept("an item without a name could not be read, so nothing is trashed")
		return nil
	}
	if r.cancels {
		r.kept("it only names events that are canceled (METHOD:CANCEL), so nothing is trashed")
		return nil
	}
	sources := sourcestore.New(r.parts.Events.Service.Content.Store)
	gone, err := sources.ImportedFrom(ctx, r.parts.Events.PostType, r.sourceNames(), func(i sourcestore.Imported) bool {
		return r.ours[i.Source] && !r.seen[uidKey(i.UID)] && !r.found[i.ID] && !r.unread[foldName(i.UID)] && !r.unread[foldName(i.Title)]
	})
	if err != nil {
		return err
	}
	if r.read == 0 && len(gone) > 0 {
		r.kept("the source is empty, so nothing is trashed")
	}
	for _, one := range gone {
		o := Outcome{Action: Gone, Kind: Events, ID: one.ID, Name: plainText(one.Title),
			Place: SourceLine{Source: Shown(r.importer.Source)}}
		if r.importer.Prune && r.read > 0 {
			if err := r.trash(ctx, one, &o); err != nil {
				return err
			}
		}
		r.done(o)
	}
	return nil
}

// kept reports why Prune trashes nothing.
func (r *run) kept(reason string) {
	if r.importer.Prune {
		p := &Problem{Place: SourceLine{Source: Shown(r.importer.Source)}, Field: "source", Reason: reason}
		r.done(Outcome{Action: Refused, Place: p.Place, Problems: []*Problem{p}})
	}
}

// trash trashes an event and records why, so that it is restored if the source contains it again.
func (r *run) trash(ctx context.Context, event sourcestore.Imported, o *Outcome) error {
	err := r.importer.Calendar.Transaction(ctx, func(ctx context.Context) error {
		posts := r.parts.Events.Posts
		u := registry.Use{Collection: posts.Collection, Verb: registry.Delete, ID: event.ID}
		err := r.parts.Use(ctx, u, func(ctx context.Context, c *call.Call) error {
			change, err := posts.Delete(ctx, c)
			if err != nil {
				return err
			}
			_, err = writes.Run(ctx, posts.Service.Content, change.Work())
			return err
		})
		if err != nil {
			return err
		}
		row := &schema.PostMeta{PostID: event.ID, Key: schema.MetaPruned, Value: "1"}
		change := store.MetaChange{Insert: []*schema.PostMeta{row}}
		if err := r.parts.Events.Service.Content.Store.Posts.ChangeMeta(ctx, change); err != nil {
			return err
		}
		if r.importer.DryRun {
			return errDry
		}
		return nil
	})
	switch {
	case err == nil, errors.Is(err, errDry):
		o.Action = Trashed
		return nil
	case isRejection(err):
		rec := &Record{Kind: Events, Line: o.Place, UID: event.UID}
		o.Action, o.Problems = Refused, rec.problems("", err)
		return nil
	}
	return err
}
