package schema

// Queries whose plans Diagnose examines. Plan and MissingIndex use the same names.
const (
	QueryDefault = "default list" // events that have not ended, ordered by start
	QueryMonth   = "month list"
	QuerySlug    = "by slug"
	QueryVenue   = "by venue"
)

// purpose says what an index is for.
type purpose struct {
	queries []string
	why     string
}

// purposes contains every index that Agenda adds, and those of WordPress and The Events Calendar that the queries above
// need. The keys are "table.index".
var purposes = map[string]purpose{
	"posts.agenda_title": {nil,
		"finds the venue or organizer with a name, of new events that name one"},
	"postmeta.agenda_value": {[]string{QueryVenue},
		"finds the events of a venue or an organizer, and whether there are any"},
	"postmeta.agenda_post": {[]string{QueryDefault, QueryMonth},
		"shows whether an event is hidden or featured without reading its other values"},
	"tec_occurrences.agenda_start": {[]string{QueryDefault, QueryMonth},
		"lets a list read its page in order of the start, without sorting all of the range"},
	"tec_occurrences.agenda_start_utc": {nil,
		"lets a list read its page in order of the start where starts are compared in UTC"},
	"tec_occurrences.agenda_end": {nil,
		"counts what has not ended yet"},
	"tec_occurrences.agenda_end_utc": {nil,
		"finds the venues and organizers of events to come"},
	"agenda_idempotency.expires": {nil,
		"finds the responses to requests with an Idempotency-Key that have expired"},

	"posts.post_name": {[]string{QuerySlug}, "finds a post by its slug"},
	"posts.type_status_date": {nil,
		"finds the posts of a type and state: venues, organizers, counts"},
	"postmeta.post_id":  {nil, "finds the values of a post; every response needs it"},
	"postmeta.meta_key": {[]string{QueryVenue}, "finds the posts that have a value"},
	"tec_occurrences.idx_*tec_occurrences_post_id_dates": {[]string{QueryVenue},
		"finds the dates of an event"},
	"term_relationships.term_taxonomy_id": {nil, "finds the events of a category or tag"},
	"termmeta.term_id":                    {nil, "finds the values of a category or tag"},
	"tec_events.post_id":                  {nil, "finds the dates of an event, and keeps it from having two rows"},
	"options.option_name":                 {nil, "finds a setting, and keeps it from being there twice"},
}
