package calendar

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/site"
)

// OpRestore is the Op of a Draft that takes an item out of the trash. The Change is an OpUpdate.
const OpRestore = content.OpRestore // "restore"

// Draft is a write that Hooks.BeforeWrite may refuse or change. Its caller is PrincipalFrom(ctx), its language LanguageFrom(ctx).
type Draft struct {
	// Kind is the item's collection: "events", "venues", "organizers", "categories" or "tags".
	Kind string

	// Op is OpCreate, OpUpdate, OpTrash, OpRestore or OpDelete.
	Op string

	// ID is the item's id, 0 of a new one.
	ID int64

	// Before is the item as it is stored, nil of a new one; Values is how it will be, nil of one that is deleted for good. Both
	// have the parameters of writes, as a write would give them, without those that have no value: "title", "start_date",
	// "seats"; of terms "name", "slug", "description", "parent". Times are texts by the clock of the event: "2031-05-01 10:00:00".
	// Numbers are json.Number, yes or no is a bool. What an event links are lists of ids ([]int64): "venue", "organizer". They lack
	// the author, the image, categories, tags, event_status, and of an event with several dates all but its own: see Dates.
	Before, Values map[string]any

	draft *item.Draft
	dates *[2]DraftDates // nil: not read yet
	set   func(name string, value any) error
}

// DraftDates are the dates of an event in a Draft.
type DraftDates struct {
	Dates []EventDate // in their order, with ID 0
	Rule  string      // RRULE that they follow from, "" for none
}

// Set changes the value of a Field of the host's own, checked like one that a write gives, but for the capabilities of the
// caller. An error is to be returned by the hook. What is deleted for good has nothing to set.
func (d *Draft) Set(name string, value any) error { return d.set(name, value) }

// Dates returns all dates that an event has and will have, of a series too: before is empty of a new one, after of one that is deleted
// for good, both of other kinds. They are read when they are asked for, once for a Draft. An error, such as that of dates that the
// event cannot have, is to be returned by the hook.
func (d *Draft) Dates(ctx context.Context) (before, after DraftDates, err error) {
	if d.dates == nil {
		was, is, err := d.draft.Dates(ctx)
		if err != nil {
			return before, after, err
		}
		d.dates = &[2]DraftDates{draftDates(was), draftDates(is)}
	}
	return d.dates[0], d.dates[1], nil
}

func draftDates(all content.AllDates) DraftDates {
	d := DraftDates{Rule: all.Rule}
	for _, one := range all.Dates {
		d.Dates = append(d.Dates, EventDate{Start: moment(one.Start, one.StartUTC, all.Zone), End: moment(one.End, one.EndUTC, all.Zone)})
	}
	return d
}

// PrincipalFrom returns the caller in the context of a hook or of a Route's handler. It is a copy: a change of it changes nobody's rights.
func PrincipalFrom(ctx context.Context) Principal { return forHost(caller.From(ctx)) }

// forHost returns a caller for the host's code, with capabilities of its own: the map may be that of a role, which all its users share.
func forHost(p caller.Principal) Principal {
	p.Capabilities = maps.Clone(p.Capabilities)
	return Principal(p)
}

// LanguageFrom returns the tag of the language of the request in the context of a hook or of a Route's handler.
func LanguageFrom(ctx context.Context) string { return caller.LanguageFrom(ctx) }

// askedKey is the key of a context in which a Calendar's hook runs.
type askedKey struct{ of *Calendar }

// beforeWrite returns what asks Hooks.BeforeWrite, nil without one.
func (c *Calendar) beforeWrite() func(context.Context, *item.Draft) error {
	hook := c.options.Hooks.BeforeWrite
	if hook == nil {
		return nil
	}
	return func(ctx context.Context, d *item.Draft) (err error) {
		if ctx.Value(askedKey{c}) != nil {
			return errors.New("a hook wrote within Hooks.BeforeWrite: it must not")
		}
		defer func() {
			if p := recover(); p != nil {
				err = c.panicked("Hooks.BeforeWrite", p)
			}
		}()
		return answerOf(ctx, hook(c.asked(ctx), &Draft{
			Kind: d.Kind.Collection, Op: d.Op, ID: d.ID, Before: d.Was, Values: d.Is, draft: d,
			set: func(name string, value any) error { return d.Set(ctx, name, value) },
		}))
	}
}

// panicked logs a panic of the host's code, and returns the error in its place.
func (c *Calendar) panicked(of string, p any) error {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	c.options.Logger.Error("panic in the host's code", "in", of, "panic", p, "stack", string(debug.Stack()))
	return fmt.Errorf("panic in %s", of)
}

// asked returns the context of a hook within a write. What it reads is that of the transaction, so nothing of it is cached, and it is
// read as the caller of the write.
func (c *Calendar) asked(ctx context.Context) context.Context {
	ctx = WithPrincipal(budget.Counted(change.With(ctx, nil)), PrincipalFrom(ctx))
	known := &prepared{settings: site.From(ctx), given: principalIn(ctx), caller: caller.From(ctx)}
	return context.WithValue(context.WithValue(ctx, preparedKey{c}, known), askedKey{c}, true)
}
