package exchange

import (
	"context"
	"strconv"
)

// Collection is a resource, named by its collection in the API.
type Collection string

// These resources exist in all calendars. A calendar may declare more.
const (
	Events     Collection = "events"
	Venues     Collection = "venues"
	Organizers Collection = "organizers"
	Categories Collection = "categories"
	Tags       Collection = "tags"
)

// Record is an item of a source.
type Record struct {
	Kind Collection
	Line SourceLine // where it begins in its source

	// UID identifies the item within its source for as long as it exists there, as the UID of iCalendar does. If it is
	// "", the item is found by slug or title and equal dates.
	UID string

	// Language is the code of the item's language, "" for the site's. Items with the same Group, unless that is "", are
	// translations of each other.
	Language, Group string

	// Values contains the parameters of a request that creates the item, such as "title", "start_date", "timezone" and
	// "all_day", by their names in the API, except what has a field below. Values that are HTML in the API are HTML
	// here. Strings are of type string, flags bool, lists []any and numbers json.Number.
	Values map[string]any

	// Image is the address of its image, or "".
	Image string

	// State is StateCanceled or StatePostponed, or "" for an event that takes place as planned. Requests cannot set it.
	State string

	// Position is the position of a venue, nil if it is unknown. Requests cannot set it.
	Position *Position

	// Linked contains what an event links, by resource. Each is a Record of that resource; its Values may consist of
	// only the name ("venue", "organizer", "name"). Parent is the parent of a category.
	Linked map[Collection][]*Record
	Parent *Record

	// Rows contains stored values that no request can set, by meta key. This program's exports contain them.
	Rows map[string][]string

	// Password protects the item. No request can set it either; this program's exports contain it.
	Password string

	passed []string // members of an API's answer that the record does not contain
	dates  bool     // it is a recurring event whose occurrences Values does not contain, or one occurrence of such an event

	title string // the field of Values that is its name, known once its calendar's resources are
	full  bool   // it comes from this program's JSON lines, so that missing values are empty

	// remote reports that it comes from the API of another calendar, signedIn that the API was read with a login.
	remote, signedIn bool

	recurs bool // it is a recurring event from iCalendar, which CalendarOptions.Expand would make into single events

	page string // the host of the event's own page, in feeds of this program and of The Events Calendar

	// Partial reports that values which the record does not contain stay as they are stored. Otherwise the texts,
	// costs, image and links that the record lacks are removed. A field that not all calendars have is only removed if
	// the record comes from JSON lines and the field is a string or accepts null. Links of a resource that not all
	// calendars have are only removed if the record comes from JSON lines, or if Linked contains the resource without
	// records.
	Partial bool

	// Problems contains the parts of the item that could not be read and are left out.
	Problems []*Problem

	mayBeID bool                   // its name may be the id of a stored item
	wholes  map[Collection]*Record // by resource with several items: the record of a single item whose name is the whole cell

	calls   bool         // it cancels a stored event, and creates none
	changes []dateChange // changes to occurrences of an event that the source does not contain
	moves   movedDates   // occurrences that were moved; nil if the source cannot tell
	singles []*Record    // its occurrences as separate records, for calendars whose events cannot recur

	notes    []string    // messages about the record, except for those about omitted fields
	unplaced []*unplaced // fields with values that the export's format cannot represent
}

// These are the states of events, as they are stored.
const (
	StateCanceled  = "canceled"
	StatePostponed = "postponed"
)

// Position is a place on the Earth, in degrees.
type Position struct{ Latitude, Longitude float64 }

// link adds linked items of a resource. The record then states all links of that resource: called without items, it
// states that there are none.
func (rec *Record) link(kind Collection, more ...*Record) {
	if rec.Linked == nil {
		rec.Linked = map[Collection][]*Record{}
	}
	if rec.Linked[kind] == nil {
		rec.Linked[kind] = []*Record{}
	}
	rec.Linked[kind] = append(rec.Linked[kind], more...)
}

// Source returns the records of a file, an address or anything else.
type Source interface {
	// Next returns the next record, or io.EOF after the last one. If an item cannot be imported, the error is a
	// *Problem and the next call continues after it. Any other error ends the source.
	Next(ctx context.Context) (*Record, error)
}

// SourceLine is a place in a source.
type SourceLine struct {
	Source string // the name of a file, or an address
	Line   int    // from 1; 0 if the source has no lines
}

// String returns the place in the form "calendar.ics:12".
func (p SourceLine) String() string {
	if p.Line == 0 {
		return p.Source
	}
	return p.Source + ":" + strconv.Itoa(p.Line)
}

// Problem states why an item, or a part of one, is not imported.
type Problem struct {
	Place  SourceLine
	Item   string // its name or UID, "" if it has none
	Field  string // in the source's terms: a property such as "RRULE", or a column
	Reason string

	Trust  bool // Importer.Trust would allow it
	Recurs bool // OpenOptions.Expand would allow it

	part bool       // it concerns the source and no item
	kind Collection // what the source contains; "" for events
}

func (p *Problem) Error() string { return p.Place.String() + ": " + p.about() }

// about returns the message without the place.
func (p *Problem) about() string {
	what := p.Field
	if p.Item != "" {
		what = strconv.Quote(clipText(p.Item)) + " " + p.Field
	}
	return what + ": " + p.Reason
}
