package event

import (
	"cmp"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// schedule contains the date and time of an event as stored in its meta rows. "" stands for a missing row.
type schedule struct {
	start, end       string // in local time
	startUTC, endUTC string
	zone, abbr       string
	allDay           bool
	duration         string // in seconds; all-day events have none
}

// timing contains the parts of a schedule that a request contains. nil means that the request does not contain the
// part.
type timing struct {
	start, end, zone *string
	allDay           *bool
	endFirst         bool // the request contains both start and end, and the end comes first
}

// any reports whether a request contains any part of a schedule.
func (t timing) any() bool { return t.start != nil || t.end != nil || t.zone != nil || t.allDay != nil }

// planner computes schedules.
type planner struct {
	now    time.Time
	site   *time.Location
	cutoff string // HH:MM at which the days of all-day events begin
}

// create returns the schedule of a new event. Two zeros mean that the event is stored without dates.
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

// change returns the stored schedule was with the changes of a request. Parts that the request omits stay as they are,
// even if they are invalid, and repeated values change nothing. If only the zone changes, the local times stay the
// same. The times of all-day events are moved to the bounds of days if the request contains them, or if the event
// becomes an all-day event.
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
	var first, second error // reported in the order of the request
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
	return p.derived(s, was), nil
}

// derived returns a schedule with the values that depend on its times: the abbreviation of the zone, and the duration.
func (p planner) derived(s, was schedule) schedule {
	start, okStart := strtotime.ParseWall(s.startUTC, time.UTC)
	end, okEnd := strtotime.ParseWall(s.endUTC, time.UTC)
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
	return s
}

// settleZone sets the zone of a schedule, by default that of the site, and returns it. An unknown stored name stays;
// dates are then interpreted in the site's zone. moved reports whether the zone changes.
func (p planner) settleZone(s *schedule, given *string) (loc *time.Location, moved bool) {
	was := s.zone
	switch {
	case given != nil && *given != "":
		s.zone = *given
	case given != nil || s.zone == "":
		s.zone = p.site.String()
	}
	return p.zone(*s), s.zone != was
}

// edges computes the start and the end of a schedule.
type edges struct {
	by     planner
	loc    *time.Location
	whole  bool // the event lasts all day
	snap   bool // the event did not last all day before
	rezone bool // the zone changes
}

// settle returns the start or the end (last) of the schedule in local time and in UTC.
func (e edges) settle(name string, given *string, wall, utc string, last bool) (string, string, error) {
	if given == nil {
		wall, utc = e.keep(wall, utc, last)
		return wall, utc, nil
	}
	at, exact, ok := e.by.readTime(*given, e.loc)
	if ok && e.whole && (e.snap || strtotime.Wall(at) != wall) { // if it equals the stored time, it is at the bound of a day already
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

// keep returns the start or the end if the request does not contain it. An invalid one stays as it is.
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

// snapped returns the first or last second of the day of a time.
func (e edges) snapped(at time.Time, last bool) (time.Time, bool) {
	if last {
		return strtotime.ParseWall(strtotime.DayEnd(at, e.by.cutoff), e.loc)
	}
	return strtotime.ParseWall(strtotime.DayStart(at, e.by.cutoff), e.loc)
}

// storable reports whether a date has the form of stored ones, which includes a year from 1 to 9999.
func storable(wall string) bool {
	return len(wall) == len(time.DateTime) && wall >= "0001"
}

// refuse returns a validation error of a field.
func refuse(name, message string, data ...any) error {
	return param.Refuse(name, param.Invalid(message, data...))
}
