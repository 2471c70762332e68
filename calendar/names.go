package calendar

import (
	"maps"
	"net/url"
	"sync"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
)

// Known returns what lists of events know of a query: a copy without the names of no parameter, which List, All and Events refuse.
// It is for the query of a visitor's address, which may have others. Calendars with filters of their own have Kind.Known.
func Known(query url.Values) url.Values { return known(query, declaredNames()) }

// declaredNames are the names of the parameters of lists of events that all calendars have.
var declaredNames = sync.OnceValue(func() []string {
	events := registry.Declared()
	return api.New(events.Service).Events(events).List.ParamNames()
})

// Known returns what the list of a kind knows of a query: a copy without the names of no parameter, which List and All refuse. It is
// for the query of a visitor's address, which may have others.
func (k Kind[T]) Known(query url.Values) url.Values {
	c := k.calendar
	return known(query, append(c.api.Operations(k.collection).List.ParamNames(), c.options.LanguageParam))
}

func known(query url.Values, names []string) url.Values {
	query = maps.Clone(query)
	maps.DeleteFunc(query, func(name string, _ []string) bool { return !rest.IsParameter(name, names) })
	return query
}
