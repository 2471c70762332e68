package exchange

import (
	"context"
	"fmt"
	"strconv"
)

// Collection is a kind of item, by its collection in the API.
type Collection string

// The kinds of items that all calendars have. A calendar may declare others.
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

	// UID names the item within its source, for as long as it exists there: the UID
	// of iCalendar. "" where the source has none; then it is found again by Slug, or
	// by title, and equal dates.
	UID string

	// Language is the code of the language that the item is in, "" for that of the
	// site. Items with the same Group, if it is not "", are versions of one in
	// different languages.
	Language, Group string

	// Values are the parameters of a request that creates the item, such as "title",
	// "start_date", "timezone" and "all_day", by their names in the API, but for
	// those below. Texts that hold HTML there hold HTML here. A value that is a text
	// is a string, a flag a bool, a list a []any; numbers are json.Number.
	Values map[string]any

	// Image is the address of its picture, "" for none.
	Image string

	// State is what writes do not take of an event that does not take place as planned:
	// StateCanceled or StatePostponed, "" for any other.
	State string

	// Position is where a venue is, which writes do not take, nil where it is not known.
	Position *Position

	// Linked is what an event links, by its kind: each is a Record of that kind, whose Values may
	// hold no more than the name ("venue", "organizer", "name"). A category's parent is in its
	// Parent.
	Linked map[Collection][]*Record
	Parent *Record

	// Rows are stored values that no write takes, by their key: our own export has them.
	Rows map[string][]string

	// Password protects the item, which no write takes either: our own export has it.
	Password string

	passed []string // members of an answer from which the record was not made
	dates  bool     // it has several dates, or is one of them

	title string // which of Values is its name, once its calendar's kinds are known
	full  bool   // it has all that our own export has

	// remote reports that it is of another calendar's API, signedIn that this was asked by a
	// login.
	remote, signedIn bool

	recurs bool // it is of iCalendar and has several dates: CalendarOptions.Expand makes single ones of it

	page string // the host of the event's own page, in feeds of this program and the site's own software

	// Partial reports that a stored item keeps what the record does not give. Else its
	// texts, prices, image and links that the record lacks are removed; but of fields and kinds
	// that not all calendars have only what JSON lines lack, and kinds in Linked without a record:
	// texts, and values of fields that take null.
	Partial bool

	// Problems are the parts of the item that could not be read and are left out.
	Problems []*Problem

	mayBeID bool                   // its name may be the id of a stored item
	wholes  map[Collection]*Record // of what it links several: what the whole cell would name

	calls   bool         // it calls an event off, of which it makes nothing
	changes []dateChange // it has dates of an event that is not in the source
	moves   movedDates   // of its dates; nil where the source does not speak of them
	singles []*Record    // these dates as records of their own, for calendars whose events have one date

	notes    []string    // what is worth knowing of it, though nothing is left out
	unplaced []*unplaced // fields with values for which the format of the export has no place
}

// States of events, as they are stored.
const (
	StateCanceled  = "canceled"
	StatePostponed = "postponed"
)

// Position is a place on the Earth, in degrees.
type Position struct{ Latitude, Longitude float64 }

// link adds what an event links of a kind, of which it then links no more than the record says.
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
	// Next returns the next record, or io.EOF after the last one. An item that cannot
	// be imported is a *Problem; the next call goes on after it. Any other error ends
	// the source.
	Next(ctx context.Context) (*Record, error)
}

// SourceLine is a place in a source.
type SourceLine struct {
	Source string // the name of a file, an address
	Line   int    // from 1, 0 where there are none
}

// String returns the place as "calendar.ics:12".
func (p SourceLine) String() string {
	if p.Line == 0 {
		return p.Source
	}
	return p.Source + ":" + strconv.Itoa(p.Line)
}

// Problem says why an item, or a part of one, is not imported.
type Problem struct {
	Place  SourceLine
	Item   string // its name or UID, "" where it has none
	Field  string // as the source names it: "RRULE", a column
	Reason string

	Trust  bool // Importer.Trust would allow it
	Recurs bool // OpenOptions.Expand would allow it

	part bool // it is one of the source, and of no item
}

func (p *Problem) Error() string {
	what := p.Field
	if p.Item != "" {
		what = strconv.Quote(clipped(p.Item)) + " " + p.Field
	}
	return fmt.Sprintf("%s: %s: %s", p.Place, what, p.Reason)
}
