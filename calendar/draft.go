package calendar

import (
	"context"
	"errors"
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

// OpRestore is the Op of a Draft that moves an item out of the trash. The Change that follows is an OpUpdate.
const OpRestore = content.OpRestore // "restore"

// Draft is a write that Hooks.BeforeWrite may reject or change. PrincipalFrom(ctx) returns its caller,
// LanguageFrom(ctx) its language.
type Draft struct {
	// Kind is the item's collection: "events", "venues", "organizers", "categories" or "tags".
	Kind string

	// Op is OpCreate, OpUpdate, OpTrash, OpRestore or OpDelete.
	Op string

	// ID is the item's id, or 0 if the item is new.
	ID int64

	// Before contains the values that are stored, nil for a new item. Values contains the values after the write, nil
	// for an item that is deleted permanently. Both use the names and forms of the API's parameters for writes, and
	// omit what has no value: "title", "start_date", "seats"; for terms "name", "slug", "description", "parent". Times
	// are strings in the event's time zone: "2031-05-01 10:00:00". Numbers are json.Number, booleans bool. What an
	// event links is a list of ids ([]int64): "venue", "organizer". Both lack the author, the image, categories, tags,
	// event_status, and all occurrences of a recurring event but the main one: see Dates.
	Before, Values map[string]any

	draft *item.Draft
	dates *[2]DraftDates // nil until Dates reads them
	set   func(name string, value any) error
}

// DraftDates contains the occurrences of an event in a Draft.
type DraftDates struct {
	Dates []EventDate // in the order of their starts, with ID 0
	Rule  string      // RRULE of the recurrence, or ""
}

// Set changes the value of a Field of the host's own. The value is validated as in a request, except that the caller
// needs no capability. The hook should return the error. Set fails for an item that is deleted permanently.
func (d *Draft) Set(name string, value any) error { return d.set(name, value) }

// Dates returns all occurrences of an event before and after the write, including those of a recurrence rule. before is
// empty for a new event, after for one that is deleted permanently; both are empty for items that are not events. The
// occurrences are read at the first call for a Draft. The hook should return the error, such as one about dates that
// the event cannot have.
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
		d.Dates = append(d.Dates, EventDate{
			Start: item.Moment(one.Start, one.StartUTC, all.Zone), End: item.Moment(one.End, one.EndUTC, all.Zone),
		})
	}
	return d
}

// PrincipalFrom returns the caller in the context of a hook or of a Route's handler. It is a copy: changing it changes
// nobody's rights.
func PrincipalFrom(ctx context.Context) Principal { return forHost(caller.From(ctx)) }

// forHost returns a caller for the host's code. It copies the capabilities, since the map may be that of a role, which
// all users with the role share.
func forHost(p caller.Principal) Principal {
	p.Capabilities = maps.Clone(p.Capabilities)
	return Principal(p)
}

// LanguageFrom returns the language tag of the request in the context of a hook or of a Route's handler.
func LanguageFrom(ctx context.Context) string { return caller.LanguageFrom(ctx) }

// askedKey is the key of a context in which a Calendar's BeforeWrite hook runs.
type askedKey struct{ of *Calendar }

// review calls Hooks.BeforeWrite of a calendar with a draft of a write.
func review(ctx context.Context, c *Calendar, d *item.Draft) (err error) {
	if ctx.Value(askedKey{c}) != nil {
		return errors.New("Hooks.BeforeWrite must not write")
	}
	defer func() {
		if p := recover(); p != nil {
			err = reviewPanicked(c, p)
		}
	}()
	return answerOf(ctx, c.options.Hooks.BeforeWrite(reviewContext(ctx, c), &Draft{
		Kind: d.Resource.Collection, Op: d.Op, ID: d.ID, Before: d.Was, Values: d.Is, draft: d,
		set: func(name string, value any) error { return d.Set(ctx, name, value) },
	}))
}

// reviewPanicked logs a panic of the hook, and returns an error in its place.
func reviewPanicked(c *Calendar, p any) error {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	c.options.Logger.Error("panic in the host's code", "in", "Hooks.BeforeWrite", "panic", p, "stack", string(debug.Stack()))
	return errors.New("panic in Hooks.BeforeWrite")
}

// reviewContext returns the context of a hook within a write. Its reads are part of the transaction, so nothing is
// cached, and they are done as the caller of the write.
func reviewContext(ctx context.Context, c *Calendar) context.Context {
	ctx = WithPrincipal(budget.Counted(change.With(ctx, nil)), PrincipalFrom(ctx))
	known := &prepared{settings: site.From(ctx), given: principalIn(ctx), caller: caller.From(ctx)}
	return context.WithValue(context.WithValue(ctx, preparedKey{c}, known), askedKey{c}, true)
}
