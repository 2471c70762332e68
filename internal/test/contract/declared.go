package contract

import (
	"slices"
	"strings"
	"sync"

	"github.com/agendahq/agenda/internal/event"
	resource "github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/registry"
)

// Declared returns the kinds of posts and terms as they are declared, without a database.
func Declared() *event.UseCases { return registry.Declared() }

// Operations returns how many operations the document has: 13 of each kind of posts (a list and its copy, one to create, five on an item by
// its id and by its slug), 8 of each taxonomy, the index, the document, two of events as iCalendar, and batches.
func Operations() int { return 13*(1+len(Declared().Linked)) + 8*2 + 2 + 2 + 1 }

// newKinds are the kinds that events link and the recorded sites lack. They behave as organizers do.
var newKinds = sync.OnceValue(func() []*linked.UseCases {
	return slices.DeleteFunc(slices.Clone(Declared().Linked), func(k *linked.UseCases) bool { return resource.Recorded(k.Kind) })
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

// NewRoute reports whether a path below the namespace is one that The Events Calendar lacks: of a new kind, that of batches, or that of a
// kind's changes.
func NewRoute(path string) bool {
	return oldRoute(path) != path || path == batchRoute || strings.HasSuffix(path, "/sync")
}

// recorded are the members of events in the answers of the recorded sites, and those that nothing recorded asks for.
var recorded = strings.Fields(`id global_id global_id_lineage author status date date_utc modified modified_utc url rest_url title
	description excerpt slug image all_day start_date start_date_details end_date end_date_details utc_start_date
	utc_start_date_details utc_end_date utc_end_date_details timezone timezone_abbr cost cost_details website show_map show_map_link
	hide_from_listings sticky featured categories tags venue organizer custom_fields json_ld
	title_raw description_raw excerpt_raw language translations`)

// added are the members of events that the recorded sites lack.
var added = sync.OnceValue(func() (names []string) {
	for _, f := range Declared().Fields {
		if !slices.Contains(recorded, f.Name) {
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
