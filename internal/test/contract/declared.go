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

// Declared returns the resources as they are declared, without a database.
func Declared() *event.UseCases { return registry.Declared() }

// Operations returns the number of documented operations: 13 for each resource of posts (a list and its sync, one that
// creates, and five for an item by id and by slug), 8 for each taxonomy, the index, the document, two for events as
// iCalendar, and batches.
func Operations() int { return 13*(1+len(Declared().Linked)) + 8*2 + 2 + 2 + 1 }

// newKinds returns the resources that events link and the recorded sites lack. They behave like organizers.
var newKinds = sync.OnceValue(func() []*linked.UseCases {
	return slices.DeleteFunc(slices.Clone(Declared().Linked), func(k *linked.UseCases) bool { return resource.Recorded(k.Resource) })
})

// oldRoute returns the route of organizers for that of a new resource, and other routes unchanged.
func oldRoute(route string) string {
	for _, k := range newKinds() {
		if rest, ok := strings.CutPrefix(route+"/", "/"+k.Collection+"/"); ok {
			return strings.TrimSuffix("/organizers/"+rest, "/")
		}
	}
	return route
}

// batchRoute accepts several requests in one.
const batchRoute = "/batch"

// NewRoute reports whether The Events Calendar lacks a path below the namespace: because it is of a new resource, of
// batches, or of sync.
func NewRoute(path string) bool {
	return oldRoute(path) != path || path == batchRoute || strings.HasSuffix(path, "/sync")
}

// recorded contains the members of events in the responses of the recorded sites, and those that no recorded request
// causes.
var recorded = strings.Fields(`id global_id global_id_lineage author status date date_utc modified modified_utc url rest_url title
	description excerpt slug image all_day start_date start_date_details end_date end_date_details utc_start_date
	utc_start_date_details utc_end_date utc_end_date_details timezone timezone_abbr cost cost_details website show_map show_map_link
	hide_from_listings sticky featured categories tags venue organizer custom_fields json_ld
	title_raw description_raw excerpt_raw language translations`)

// added returns the members of events that the recorded sites lack.
var added = sync.OnceValue(func() (names []string) {
	for _, f := range Declared().Fields {
		if !slices.Contains(recorded, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
})

// withoutAdded removes from a list of members, with or without their types, those that the recorded sites lack, unless
// the test names them.
func withoutAdded(got, want []string) string {
	unnamed := func(word string) bool {
		name, _, _ := strings.Cut(word, ":")
		return slices.Contains(added(), name) && !slices.Contains(want, word)
	}
	return strings.Join(slices.DeleteFunc(got, unnamed), " ")
}
