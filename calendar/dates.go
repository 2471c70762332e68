package calendar

import "github.com/agendahq/agenda/schema"

// Dates is how lists show recurring events.
type Dates string

// Values of Dates.
const (
	// DatesAuto is DatesEach on a site that schema.Install created, and while Events Calendar Pro is active on the site
	// or on its network. Otherwise it is DatesPlain.
	DatesAuto Dates = ""
	// DatesEach lists each occurrence of an event as an item with an id of its own, which is greater than the ids of
	// posts. Such an id can only be used to read the occurrence; writes use the id of the event. On a site without the
	// columns of Events Calendar Pro, lists are those of DatesPlain.
	DatesEach = Dates(schema.DatesEach)
	// DatesPlain lists each event once, with its main occurrence.
	DatesPlain = Dates(schema.DatesPlain)
)
