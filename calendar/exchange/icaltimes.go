package exchange

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// when is the start and the end of an occurrence.
type when struct {
	allDay     bool
	start, end time.Time // days in UTC if allDay; the end is in the last day
}

// storeTimes stores the start and the end in the values of a record.
func (w when) storeTimes(values map[string]any) {
	values[fieldStart], values[fieldEnd] = w.texts()
	if w.allDay {
		values[fieldAllDay] = true
	} else {
		values[fieldZone] = w.start.Location().String()
	}
}

// texts returns the start and the end in the form that the API reads.
func (w when) texts() (start, end string) {
	if w.allDay {
		return w.start.Format(time.DateOnly) + " 00:00:00", w.end.Format(time.DateOnly) + " 23:59:59"
	}
	return dateText(w.start), dateText(w.end)
}

// inLocation converts the times to a time zone. All-day events have none.
func (w when) inLocation(loc *time.Location) when {
	if !w.allDay {
		w.start, w.end = w.start.In(loc), w.end.In(loc)
	}
	return w
}

// dateText formats a time in its time zone in the form that the API reads: with the UTC offset if the local time occurs
// twice.
func dateText(t time.Time) string {
	text := strtotime.Wall(t)
	if again, ok := strtotime.ParseWall(text, t.Location()); ok && again.Equal(t) {
		return text
	}
	return text + t.Format("-07:00")
}

// withOffset is the layout of a date with its UTC offset.
const withOffset = time.DateTime + "-07:00"

// exactText returns a local time as dateText does, if utc is the same time in UTC. Otherwise it returns it unchanged.
func exactText(wall, utc string, zone *time.Location) string {
	if at, ok := strtotime.ParseWall(utc, time.UTC); ok && strtotime.Wall(at.In(zone)) == wall {
		return dateText(at.In(zone))
	}
	return wall
}

// storable reports whether the API accepts a time: its year must be from 1 to 9999, both in its time zone and in UTC.
func storable(t time.Time) bool {
	return t.Year() > 0 && t.Year() < 10000 && t.UTC().Year() > 0 && t.UTC().Year() < 10000
}

// when reads the start and the end of the event, or returns the problem that prevents that.
func (e *eventReader) when() (w when, p *Problem) {
	refuse := func(p *ical.Property, reason string) (when, *Problem) {
		return w, e.s.problem(p.Line, e.item, p.Name, reason)
	}
	start, end, duration := e.c.First("DTSTART"), e.c.First("DTEND"), e.c.First("DURATION")
	if start == nil {
		return w, e.s.problem(e.c.Line, e.item, "DTSTART", "is missing")
	}
	begin, ok := dateTimeOf(start, start.Value)
	if !ok {
		return refuse(start, "is not a date: "+clipText(start.Value))
	}
	finish := begin
	if end != nil {
		if finish, ok = dateTimeOf(end, end.Value); !ok {
			return refuse(end, "is not a date: "+clipText(end.Value))
		}
		if finish.Day != begin.Day {
			return refuse(end, "only one of start and end has a time")
		}
	}
	length := ical.Duration{}
	if end == nil && duration != nil {
		if length, ok = ical.ParseDuration(duration.Value); !ok {
			return refuse(duration, "is not a duration: "+clipText(duration.Value))
		}
	}
	last := start
	if end != nil {
		last = end
	} else if duration != nil {
		last = duration
	}
	if begin.Day {
		w = when{allDay: true, start: begin.Wall, end: finish.Wall.AddDate(0, 0, length.Days).Add(length.Time)}
	} else {
		zone, reason := e.zone(start, begin)
		if reason != "" {
			return refuse(start, reason)
		}
		if w.start, ok = instantIn(zone, begin); !ok {
			return refuse(start, "has an offset from UTC that cannot be stored")
		}
		w.end = lengthened(w.start, length)
		if end != nil {
			of, reason := e.zone(end, finish)
			if reason != "" {
				return refuse(end, reason)
			}
			at, ok := instantIn(of, finish)
			if !ok {
				return refuse(end, "has an offset from UTC that cannot be stored")
			}
			w.end = at.In(w.start.Location())
		}
		w = e.wholeDays(w)
	}
	if w.end.Before(w.start) {
		return refuse(last, "the end is before the start")
	}
	if begin.Day && w.end.After(w.start) { // DTEND is the day after the last one
		w.end = w.end.Add(-time.Second)
	}
	if !storable(w.start) || !storable(w.end) {
		return refuse(last, "is not in the years 1 to 9999")
	}
	return w, nil
}

// lengthened returns the end of what begins at start. Its days are calendar days in the time zone of start.
func lengthened(start time.Time, length ical.Duration) time.Time {
	if length.Days != 0 {
		start = recurrence.Instant(recurrence.Wall(start).AddDate(0, 0, length.Days), start.Location())
	}
	return start.Add(length.Time)
}

// instantIn returns the instant of a time in a zone.
func instantIn(z *zone, m ical.DateTime) (time.Time, bool) {
	if !m.UTC {
		return z.at(m.Wall)
	}
	if z.rules != nil {
		return z.at(m.Wall.Add(time.Duration(z.rules.at(m.Wall)) * time.Second))
	}
	return m.Wall.In(z.loc), true
}

// zone returns the time zone of a time, or why it is unknown.
func (e *eventReader) zone(p *ical.Property, m ical.DateTime) (*zone, string) {
	tzid := p.Param("TZID")
	switch {
	case !m.UTC:
		if z := e.s.zoneOf(tzid, e.c.Calendar); z != nil {
			return z, ""
		}
		return nil, "the time zone is unknown: " + clipText(tzid)
	case e.feed:
		return &zone{loc: e.zoneOfFeed()}, ""
	}
	return &zone{loc: e.s.zoneOfObject(e.c.Calendar)}, ""
}

// feedUID matches the UIDs in feeds of this program and of The Events Calendar, which contain the start and the end in
// local time.
var feedUID = regexp.MustCompile(`^\d+-(-?\d{1,12})-(-?\d{1,12})@`)

// zoneOfFeed returns the time zone of a time in UTC in such a feed. Feeds write UTC if other programs do not know the
// zone's name, or if the local time occurs twice.
func (e *eventReader) zoneOfFeed() *time.Location {
	site := e.s.zoneOfObject(e.c.Calendar)
	uid := feedUID.FindStringSubmatch(e.rec.UID)
	if uid == nil {
		return site
	}
	loc := time.UTC
	for i, name := range []string{"DTSTART", "DTEND"} {
		p := e.c.First(name)
		if p == nil {
			continue
		}
		m, ok := ical.ParseDateTime(p.Value)
		wall, _ := strconv.ParseInt(uid[i+1], 10, 64) // at most twelve digits, so it cannot fail
		if !ok || !m.UTC {
			continue
		}
		offset := wall - m.Wall.Unix()
		if offset < -12*3600 || offset > 14*3600 {
			return site
		}
		if _, known := m.Wall.In(site).Zone(); int64(known) == offset && strtotime.Named(site) {
			if first := recurrence.Instant(time.Unix(wall, 0).UTC(), site); !first.Equal(m.Wall) {
				return site // the second of two instants with this local time
			}
		}
		if i == 0 {
			if fixed, ok := strtotime.Zone(offsetName(int(offset))); ok {
				loc = fixed
			}
		}
	}
	return loc
}

// wholeDays makes an all-day event of one that Outlook or The Events Calendar marks as such.
func (e *eventReader) wholeDays(w when) when {
	if from, to := recurrence.Wall(w.start), recurrence.Wall(w.end); e.s.objects[e.c.Calendar].tec &&
		from.Format(time.TimeOnly) == "00:00:00" && to.Format(time.TimeOnly) == "23:59:59" {
		day := 24 * time.Hour // The Events Calendar writes all-day events so; its forms have no seconds
		return when{allDay: true, start: from, end: to.Truncate(day).Add(day - time.Second)}
	}
	p := e.c.First("X-MICROSOFT-CDO-ALLDAYEVENT")
	if p == nil || !strings.EqualFold(strings.TrimSpace(p.Value), "TRUE") {
		return w
	}
	start, end := recurrence.Wall(w.start), recurrence.Wall(w.end)
	if day := 24 * time.Hour; start.Truncate(day) != start || end.Truncate(day) != end || !end.After(start) {
		return w
	}
	return when{allDay: true, start: start, end: end.Add(-time.Second)}
}
