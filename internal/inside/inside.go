// Package inside names what a Calendar shows to packages of this module, such as
// calendar/exchange, and not to its hosts.
package inside

import (
	"context"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/rest"
)

// Parts are what a Calendar is made of.
type Parts struct {
	Events *event.Kind // with all other kinds, and the services of all
	// Prepare returns a context with what reads need of the site, for the caller and the
	// first language.
	Prepare func(context.Context) (context.Context, error)
	// Caller returns the caller of a context, with the rights that the site gives it.
	Caller func(context.Context) (caller.Principal, error)
	// Use calls do with what an operation of the API is asked, after its parameters were read and
	// the rights of the caller of the context were asked. What it refuses is a *calendar.Error.
	Use           func(ctx context.Context, l rest.Local, do func(context.Context, *call.Call) error) error
	LanguageParam string
	Site          string // the address of the site
}

// Of returns the parts of a *calendar.Calendar.
func Of(calendar interface{ Inside(*Parts) }) *Parts {
	parts := &Parts{}
	calendar.Inside(parts)
	return parts
}
