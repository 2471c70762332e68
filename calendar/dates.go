package calendar

import "github.com/agendahq/agenda/internal/site"

// Dates says how lists show events that have several dates.
type Dates string

// Forms of lists.
const (
	// DatesAuto is DatesEach on a site that schema.Install has made, and while the
	// add-on that makes several dates is active on the site or on its network, else
	// DatesPlain.
	DatesAuto Dates = ""
	// DatesEach lists each date of an event, with an id of its own, above those of
	// posts. It reads that date alone: whoever wants to change the event uses the
	// event's id. A site without the add-on's columns has plain lists.
	DatesEach = Dates(site.DatesEach)
	// DatesPlain lists each event once, with its own dates.
	DatesPlain = Dates(site.DatesPlain)
)
