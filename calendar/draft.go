package calendar

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
)

// Draft is a write that Hooks.BeforeWrite may refuse or change. Its caller is PrincipalFrom(ctx).
type Draft struct {
	// Kind is the item's collection: "events", "venues" or "organizers".
	Kind string

	// ID is the item's id, 0 of a new one.
	ID int64

	// Stored is the item as it is stored, nil of a new one; Values is how it will be. Both have the parameters of writes,
	// as a write would give them, without those that have no value: "title", "start_date", "seats". Numbers are
	// json.Number. What an event links are lists of ids ([]int64): "venue", "organizer". They lack the author, the image,
	// categories, tags, event_status, and of an event with several dates all but its own.
	Stored, Values map[string]any

	set func(name string, value any) error
}

// Set changes the value of a Field of the host's own, checked like one that a write gives, but for the capabilities of the
// caller. An error is to be returned by the hook.
func (d *Draft) Set(name string, value any) error { return d.set(name, value) }

// Refuse returns the error by which Hooks.BeforeWrite refuses a write because of a parameter. The answer is that to an
// invalid parameter, 400, which ends in the reason as it is, in whatever language that is.
func Refuse(name, reason string) error {
	return param.Refuse(name, param.Invalid("fault_host", "Reason", reason))
}

// ErrForbidden is the error by which Hooks.BeforeWrite refuses a write to its caller: 403, or 401 to an anonymous one.
var ErrForbidden = caller.ErrForbidden

// PrincipalFrom returns the caller in the context of a hook.
func PrincipalFrom(ctx context.Context) Principal { return Principal(caller.From(ctx)) }

// beforeWrite returns what asks Hooks.BeforeWrite, nil without one.
func (o *Options) beforeWrite() func(context.Context, *item.Draft) error {
	hook := o.Hooks.BeforeWrite
	if hook == nil {
		return nil
	}
	return func(ctx context.Context, d *item.Draft) error {
		return hook(ctx, &Draft{
			Kind: d.Kind.Collection, ID: d.ID, Stored: d.Was, Values: d.Is,
			set: func(name string, value any) error { return d.Set(ctx, name, value) },
		})
	}
}
