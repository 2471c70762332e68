package contract

import (
	"slices"
	"strings"
	"sync"

	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/registry"
)

// Declared returns the kinds of posts and terms as they are declared, without a database.
func Declared() *event.UseCases { return registry.Declared() }

// Operations returns how many operations the document has: 8 of each kind of posts, 5 of each taxonomy, the index, the
// document, two of events as iCalendar, and batches.
func Operations() int { return 8*(1+len(Declared().Linked)) + 5*2 + 2 + 2 + 1 }

// newKinds are the kinds that events link and the recorded sites lack. They behave as organizers do.
var newKinds = sync.OnceValue(func() []*linked.UseCases {
	return slices.DeleteFunc(slices.Clone(Declared().Linked), func(k *linked.UseCases) bool { return !k.Added })
})

// oldRoute returns the route of organizers for that of a new kind, and other routes unchanged.
func oldRoute(route string) string {
	for _, k := range newKinds() {
		if rest, ok := strings.CutPrefix(route+"/", "/"+k.Type.Collection+"/"); ok {
			return strings.TrimSuffix("/organizers/"+rest, "/")
		}
	}
	return route
}

// batchRoute takes several requests in one.
const batchRoute = "/batch"

// NewRoute reports whether a path below the namespace is one that the site's own software lacks: of an added kind, or that of batches.
func NewRoute(path string) bool { return oldRoute(path) != path || path == batchRoute }

// added are the members of events that are declared as missing in the recorded sites.
var added = sync.OnceValue(func() (names []string) {
	for _, f := range Declared().Fields {
		if f.Added {
			names = append(names, f.Name)
		}
	}
	return names
})

// withoutAdded leaves out of a list of members, each with its type or not, those that the recorded sites lack and the
// test does not name.
func withoutAdded(got, want []string) string {
	unnamed := func(word string) bool {
		name, _, _ := strings.Cut(word, ":")
		return slices.Contains(added(), name) && !slices.Contains(want, word)
	}
	return strings.Join(slices.DeleteFunc(got, unnamed), " ")
}
