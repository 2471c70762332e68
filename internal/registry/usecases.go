package registry

import (
	"context"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/param"
)

// Calendar is what packages of this module use of a *calendar.Calendar beside its exported methods: the use cases of all
// resources, and the functions to call them with.
type Calendar struct {
	Events *event.UseCases // contains the use cases of all other resources, and the services
	// Prepare returns a context with the settings of the site that reads need, for the caller and the first language.
	Prepare func(context.Context) (context.Context, error)
	// Caller returns the caller of a context, with the rights that the site grants.
	Caller func(context.Context) (caller.Principal, error)
	// Use calls do with the call for a use case, as the caller of the context, after it has checked the caller's
	// rights, the limits and the values like those of a request. An error that rejects the call, from these checks or
	// from do, is a *calendar.Error.
	Use func(ctx context.Context, u Use, do func(context.Context, *call.Call) error) error
}

// Functions of package calendar for other packages of this module. They are variables that package calendar sets, so
// that it need not export them to hosts, which cannot import the types.
var (
	// Of returns the Calendar of a *calendar.Calendar.
	Of func(calendar any) *Calendar
	// Declare adds resources and fields to those that the calendar of a *calendar.Options serves. Tests use it to check
	// that all adapters serve what is declared.
	Declare func(options any, more More)
)

// Use selects a use case of a resource, and its input.
type Use struct {
	Collection string // of the resource
	Verb       Verb
	ID         int64      // id of the item to update or delete
	Values     *param.Map // the given values
	Language   string     // code of a language of the site, "" for the first one
}

// Verb selects a use case.
type Verb int

// The use cases of all resources.
const (
	List Verb = iota
	Create
	Update
	Delete
)
