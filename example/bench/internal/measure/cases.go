package measure

import (
	"net/http"
	"slices"
)

// Case is a kind of request that is measured.
type Case struct {
	Name, About string

	write bool
	kind  kind
	paged bool // its requests are for different pages
}

type kind int

const (
	eventList kind = iota // a page of events, and the total of its filter
	otherList             // a page of something else, and a total
	single
	unchanged // a single item, requested with the validator of the last answer
	written
)

var cases = []Case{
	{Name: "list", About: "events from today on, 10 a page", kind: eventList},
	{Name: "month", About: "events of a month", kind: eventList},
	{Name: "list50", About: "events from today on, 50 a page", kind: eventList},
	{Name: "category", About: "events of a category in a month", kind: eventList},
	{Name: "venue", About: "events at a venue", kind: eventList},
	{Name: "search", About: "events with a word", kind: eventList},
	{Name: "deep", About: "a page in the second half of the default list", kind: eventList, paged: true},
	{Name: "single", About: "an event by its id", kind: single},
	{Name: "slug", About: "an event by its slug", kind: single},
	{Name: "venues", About: "venues that have events", kind: otherList, paged: true},
	{Name: "categories", About: "categories", kind: otherList, paged: true},
	{Name: "unchanged", About: "an event by its id, answered with 304", kind: unchanged},
	{Name: "create", About: "a new event", kind: written, write: true},
	{Name: "update", About: "a change of an event", kind: written, write: true},
}

// Cases returns the kinds of requests that can be measured, in order.
func Cases() []Case { return slices.Clone(cases) }

// status returns the status of all answers to reads of a case.
func (c Case) status() int {
	if c.kind == unchanged {
		return http.StatusNotModified
	}
	return http.StatusOK
}

// plan is the list of paths to request, with the parameters of the same requests to the floor. The same database and
// seed result in the same plan.
type plan struct {
	Site   Site
	Cases  map[string][]variation
	Linked links // what new events are linked to
}

// Site describes a database.
type Site struct {
	Engine     string `json:"engine"`
	Events     int64  `json:"events"` // of any status
	Published  int64  `json:"published"`
	Venues     int64  `json:"venues"`
	Organizers int64  `json:"organizers"`
	Categories int64  `json:"categories"`
	Tags       int64  `json:"tags"`
	Filled     bool   `json:"filled"` // by "agenda-bench fill": it may be written to
	Writer     bool   `json:"writer"` // there is a user who may write
}

// variation is one of the requests of a case.
type variation struct {
	Path  string            // below apiPath
	Floor map[string]string // filters of the floor
}

// links contains ids of items.
type links struct{ Venues, Organizers, Categories []int64 }
