// Package inside gives packages below calendar, such as calendar/exchange, what a
// Calendar is made of and does not show its hosts.
package inside

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/event"
)

// Parts are what a Calendar is made of.
type Parts struct {
	Events *event.Kind // with all other kinds, and the services of all
	// Prepare returns a context with what reads need of the site, for the caller and the
	// first language.
	Prepare func(context.Context) (context.Context, error)
	// Caller returns the caller of a context, with the rights that the site gives it.
	Caller        func(context.Context) (caller.Principal, error)
	LanguageParam string
	Site          string // the address of the site
}

// Of returns the parts of a *calendar.Calendar. Package calendar sets it.
var Of func(calendar any) *Parts
