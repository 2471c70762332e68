package event

import (
	"cmp"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// schedule is when an event takes place, as its meta rows hold it; "" is what
// no row holds.
type schedule struct {
	start, end       string // on the clock of the zone
	startUTC, endUTC string
	zone, abbr       string
	allDay           bool
	duration         string // in seconds; events of whole days have none
}

// timing is what a request says about when an event takes place; nil is what it
// does not say.
type timing struct {
	start, end, zone *string
	allDay           *bool
	endFirst         bool // the request gives both ends, and the end first
}

// planner makes schedules.
type planner struct {
	now    time.Time
	site   *time.Location
	cutoff string // HH:MM at which a day of events begins
}

// create makes the schedule of a new event. Two zeros are no dates: such an
// event is stored without any.
func (p planner) create(t timing) (schedule, error) {
	if p.dateless(t) {
		s := schedule{allDay: t.allDay != nil && *t.allDay}
		p.settleZone(&s, t.zone)
		s.abbr, _ = strtotime.Abbreviation(s.zone, p.now)
		return s, nil
	}
	return p.change(schedule{}, t)
}

func (p planner) dateless(t timing) bool {
	return t.start != nil && t.end != nil && isZero(*t.start) && isZero(*t.end)
}

// change makes of a stored schedule the one that a request asks for. What it
// does not speak of stays, also what is stored broken; what it says again
// changes nothing. A time zone alone keeps the clock times. Days of whole-day
// events are snapped when they are given or when the event becomes one.
func (p planner) change(was schedule, t timing) (schedule, error) {
	if t == (timing{}) {
		return was, nil
	}
	s := was
	loc, moved := p.settleZone(&s, t.zone)
	if t.allDay != nil {
		s.allDay = *t.allDay
	}
	e := edges{p, loc, s.allDay, s.allDay && !was.allDay, moved && was.zone != ""}
	var first, second error // in the order of the request
	s.start, s.startUTC, first = e.settle("start_date", t.start, was.start, was.startUTC, false)
	s.end, s.endUTC, second = e.settle("end_date", t.end, was.end, was.endUTC, true)
	if t.endFirst {
		first, second = second, first
	}
	if err := cmp.Or(first, second); err != nil {
		return was, err
	}
	if s == was {
		return was, nil
	}
	start, okStart := strtotime.ParseWall(s.startUTC, time.UTC)
	end, okEnd := strtotime.ParseWall(s.endUTC, time.UTC)
	if okStart && okEnd && (end.Before(start) || s.end < s.start) {
		return was, refuse("end_date", "fault_end_before_start")
	}
	if s.startUTC != was.startUTC || s.zone != was.zone {
		if !okStart {
			start = p.now
		}
		if abbr, known := strtotime.Abbreviation(s.zone, start); known {
			s.abbr = abbr
		}
	}
	switch {
	case s.allDay:
		s.duration = ""
	case okStart && okEnd:
		s.duration = strconv.FormatInt(end.Unix()-start.Unix(), 10)
	}
	return s, nil
}

// settleZone sets the zone of a schedule, the site's where none is given, and
// returns its clock. A stored name that nobody knows stays; dates are read on
// the site's clock then. moved tells whether the zone is another one than before.
func (p planner) settleZone(s *schedule, given *string) (loc *time.Location, moved bool) {
	was := s.zone
	switch {
	case given != nil && *given != "":
		s.zone = *given
	case given != nil || s.zone == "":
		s.zone = p.site.String()
	}
	loc, ok := strtotime.Zone(s.zone)
	if !ok {
		loc = p.site
	}
	return loc, s.zone != was
}

// edges settles the two ends of a schedule.
type edges struct {
	planner
	loc    *time.Location
	whole  bool // the event takes whole days
	snap   bool // and did not before
	rezone bool // its zone is another one than before
}

// settle returns one end of the schedule on the zone's clock and in UTC.
func (e edges) settle(name string, given *string, wall, utc string, last bool) (string, string, error) {
	if given == nil {
		wall, utc = e.keep(wall, utc, last)
		return wall, utc, nil
	}
	at, exact, ok := e.read(*given, e.loc)
	if ok && e.whole && (e.snap || strtotime.Wall(at) != wall) { // what is stored is an end already
		at, ok = e.snapped(at, last)
		exact = false
	}
	clock, clockUTC := strtotime.Wall(at), strtotime.Wall(at.UTC())
	if !ok || !storable(clock) || !storable(clockUTC) {
		return "", "", refuse(name, "fault_date")
	}
	if clock == wall && !exact && !e.rezone && storable(utc) {
		return wall, utc, nil
	}
	return clock, clockUTC, nil
}

// keep is an end that no date was given for. A broken one stays as it is.
func (e edges) keep(wall, utc string, last bool) (string, string) {
	if !e.snap && !e.rezone {
		return wall, utc
	}
	at, ok := strtotime.ParseWall(wall, e.loc)
	if ok && e.snap {
		at, ok = e.snapped(at, last)
	}
	if clock, clockUTC := strtotime.Wall(at), strtotime.Wall(at.UTC()); ok && storable(clock) && storable(clockUTC) {
		return clock, clockUTC
	}
	return wall, utc
}

// snapped is the first or last second of the day of a moment.
func (e edges) snapped(at time.Time, last bool) (time.Time, bool) {
	if last {
		return strtotime.ParseWall(strtotime.DayEnd(at, e.cutoff), e.loc)
	}
	return strtotime.ParseWall(strtotime.DayStart(at, e.cutoff), e.loc)
}

// storable reports whether a date has the form of stored ones: years from 1 to 9999.
func storable(wall string) bool {
	return len(wall) == len(time.DateTime) && wall >= "0001"
}

// refuse is the answer to a field that cannot be stored.
func refuse(name, message string, data ...any) error {
	return param.Refuse(name, param.Invalid(message, data...))
}
