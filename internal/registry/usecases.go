package registry

import (
	"context"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/param"
)

// UseCases are those of all kinds of a calendar, and what they are called with. Packages of this module get them
// from a *calendar.Calendar by Of.
type UseCases struct {
	Events *event.UseCases // with those of all other kinds, and the services of all
	// Prepare returns a context with what reads need of the site, for the caller and the
	// first language.
	Prepare func(context.Context) (context.Context, error)
	// Caller returns the caller of a context, with the rights that the site gives it.
	Caller func(context.Context) (caller.Principal, error)
	// Use calls do with what a use case is called with, for the caller of the context, after that
	// caller's rights, the limits and the values were checked as those of a request are. What is
	// refused, there or by do, is a *calendar.Error.
	Use func(ctx context.Context, u Use, do func(context.Context, *call.Call) error) error
}

// What packages of this module reach in package calendar without exporting it to hosts, who could not name the types.
// That package sets both.
var (
	// Of returns the use cases of a *calendar.Calendar.
	Of func(calendar any) *UseCases
	// Declare adds to what the calendar of a *calendar.Options serves. Tests declare with it what all adapters have to follow.
	Declare func(options any, more More)
)

// Use says which use case of a kind is called, and for what.
type Use struct {
	Collection string // of the kind
	Verb       Verb
	ID         int64      // of the item that is updated or deleted
	Values     *param.Map // that are given
	Language   string     // code of a language that the site stores, "" for the first one
}

// Verb names a use case.
type Verb int

// The use cases of all kinds.
const (
	List Verb = iota
	Create
	Update
	Delete
)
