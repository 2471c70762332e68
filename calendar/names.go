package calendar

import (
	"maps"
	"net/url"
	"sync"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
)

// Known returns a copy of a query without the names that are not parameters of lists of events, which List, All and
// Events would reject. It is for the query in the address of a host's page, which may contain other parameters. With
// filters of the host's own, use Kind.Known.
func Known(query url.Values) url.Values { return known(query, declaredNames()) }

// declaredNames returns the names of the parameters of lists of events that all calendars have.
var declaredNames = sync.OnceValue(func() []string {
	events := registry.Declared()
	return api.New(events.Service).Events(events).List.ParamNames()
})

// Known returns a copy of a query without the names that are not parameters of the lists of k, which List and All would
// reject. It is for the query in the address of a host's page, which may contain other parameters.
func (k Kind[T]) Known(query url.Values) url.Values {
	c := k.calendar
	return known(query, append(c.api.Operations(k.collection).List.ParamNames(), c.options.LanguageParam))
}

func known(query url.Values, names []string) url.Values {
	query = maps.Clone(query)
	maps.DeleteFunc(query, func(name string, _ []string) bool { return !rest.IsParameter(name, names) })
	return query
}
