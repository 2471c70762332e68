package exchange

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/ical"
)

// CalendarOptions are options of ICalendar.
type CalendarOptions struct {
	// Zone is the time zone of the site: that of times without one, and in which times in
	// UTC are shown, where the calendar names no zone of its own. nil is UTC.
	Zone *time.Location

	// Now is the current time, by default that of the clock.
	Now time.Time

	// Expand is up to when events that recur are made into single ones, each with a UID of
	// its own. Without it each is one event with all its dates, and its rule.
	Expand time.Time
}

// ICalendar returns the events of iCalendar objects, of which r may hold several. name is
// that of the file, for places.
//
// It reads r twice, since a time zone may be defined after the events in it, and a changed
// date of an event that recurs may be far from the event, and then once more, where there are
// changed dates: where r cannot seek, it is copied into a temporary file first. Close, which
// the Source has, removes that earlier than at the end. Memory does not grow with the file, but
// for about a hundred bytes for each event and changed date.
//
// These decisions it takes:
//   - A time in UTC is shown in the zone of the calendar (X-WR-TIMEZONE), else in that of
//     the site. An end in another zone than the start is shown in the start's.
//   - CLASS:PRIVATE and CONFIDENTIAL make the status "private"; a private date of a public
//     event is left out.
//   - STATUS:CANCELLED makes the state canceled. TENTATIVE is postponed in feeds of this
//     program and of The Events Calendar, which write it so, and makes the status "pending" elsewhere.
//   - URL is the website but in those feeds, where it is the event's own page: there its
//     last part is the slug.
//   - The first picture of ATTACH or IMAGE is the image. Other files are Problems.
//   - CREATED is the date of publication if it is in the past.
//   - A VEVENT is a Record, or several with Expand, or a Problem; one with a RECURRENCE-ID is
//     one of the dates of the Record of its UID; where the file has none, dates of one UID are a
//     Record with these dates, which the Importer takes for changes of an event that it knows. STATUS:CANCELLED there leaves that date out.
//     Its times count; what else it says otherwise than the event is a Problem of that.
//     Properties that no item of the API has are a Problem of the first Record with them, but
//     for those that only programs need.
//   - Of several components with one UID, and one RECURRENCE-ID, the one with the highest SEQUENCE counts, then
//     the last modified one. What METHOD:CANCEL names is canceled, and nothing is made of it.
//   - A rule whose start is in UTC has its dates in UTC, and so has the event, unless they are
//     the same on the clock of the calendar.
func ICalendar(r io.Reader, name string, o CalendarOptions) Source {
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	s := &calendarSource{CalendarOptions: o, name: name, input: r, unknown: map[string]bool{}}
	s.Zone = cmpLocation(s.Zone)
	s.finder = &zoneFinder{now: o.Now}
	return s
}

// calendarSource is a Source of iCalendar objects.
type calendarSource struct {
	CalendarOptions
	name    string
	input   io.Reader
	file    *spool
	reader  *ical.Reader // nil before the first Next
	finder  *zoneFinder
	objects []object               // by number, that of before the first calendar too
	zones   map[string]*definition // by TZID: the first definitions
	others  map[zoneKey]*definition
	changed []override        // dates that single events replace, sorted; without Expand none
	recurs  map[[12]byte]bool // the UIDs of events that recur, without Expand
	masters map[[12]byte]bool // the UIDs of components without a RECURRENCE-ID
	best    map[[12]byte]revision
	grouped map[[12]byte]bool // the UIDs of dates without their event that are queued
	dates   []dateChange      // of these, sorted
	unknown map[string]bool   // properties that were reported
	queue   []result
	count   int   // results so far
	end     error // after the queue
}

// result is what Next returns.
type result struct {
	record *Record
	err    error
}

// Close ends the source.
func (s *calendarSource) Close() error {
	s.end, s.queue = cmp.Or(s.end, io.EOF), nil
	return s.file.Close()
}

// Next returns the next record.
func (s *calendarSource) Next(ctx context.Context) (*Record, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(s.queue) > 0 {
			r := s.queue[0]
			s.queue = s.queue[1:]
			s.count++
			return r.record, r.err
		}
		if s.end != nil {
			return nil, s.end
		}
		if s.reader == nil {
			if err := s.open(ctx); err != nil {
				s.end = err
				_ = s.file.Close()
				return nil, err
			}
		}
		c, err := nextComponent(s.reader)
		var fault *ical.Fault
		switch {
		case errors.As(err, &fault):
			s.refuse(fault.Line, "", cmp.Or(fault.Name, "line"), fault.Reason)
		case err == io.EOF:
			if s.count == 0 {
				s.refuse(0, "", "VCALENDAR", "is missing: there is no calendar in it, or an empty one")
			}
			s.end = err
			if closed := s.file.Close(); closed != nil {
				s.end = closed
			}
		case err != nil:
			s.end = err
			_ = s.file.Close()
		default:
			s.component(c)
		}
	}
}

// open reads what has to be known before the events.
func (s *calendarSource) open(ctx context.Context) (err error) {
	if s.file, err = spoolOf(s.input); err != nil {
		return err
	}
	if err = s.survey(ctx); err != nil {
		return err
	}
	if err = s.file.rewind(); err != nil {
		return err
	}
	s.reader = ical.NewReader(s.file)
	return nil
}

func uidOf(c *ical.Component) string {
	if p := c.First("UID"); p != nil {
		return strings.TrimSpace(p.Text())
	}
	return ""
}

// component queues what comes of a component.
func (s *calendarSource) component(c *ical.Component) {
	switch c.Name {
	case "VEVENT":
		s.event(c)
	case "VCALENDAR":
		if c.Broken != "" {
			s.refuse(c.Line, "", c.Name, "is not whole: "+c.Broken)
		}
		for _, f := range c.Faults {
			s.refuse(f.Line, "", cmp.Or(f.Name, "line"), f.Reason)
		}
		if p := c.First("X-WR-TIMEZONE"); p != nil && s.finder.find(p.Text(), nil, s.Zone) == nil {
			s.part(p.Line, "", p.Name, "is not known, so times have the zone of the site: "+clipped(p.Text()))
		}
	case "VTODO", "VJOURNAL", "VFREEBUSY":
		s.part(c.Line, summaryOf(c), c.Name, "is no event")
	case "VTIMEZONE", "VAVAILABILITY": // read before, or of no event
	default:
		s.refuse(c.Line, summaryOf(c), c.Name, "is no event")
	}
}

// refuse queues a problem.
func (s *calendarSource) refuse(line int, item, field, reason string) {
	s.queue = append(s.queue, result{err: s.problem(line, item, field, reason)})
}

// part queues a problem that is none of an event.
func (s *calendarSource) part(line int, item, field, reason string) {
	p := s.problem(line, item, field, reason)
	p.part = true
	s.queue = append(s.queue, result{err: p})
}

func (s *calendarSource) problem(line int, item, field, reason string) *Problem {
	return &Problem{Place: SourceLine{s.name, line}, Item: item, Field: field, Reason: reason}
}

// summaryOf returns the name of a component for people: its title, else its UID.
func summaryOf(c *ical.Component) string {
	if p := c.First("SUMMARY"); p != nil {
		if title := strings.Join(strings.Fields(p.Text()), " "); title != "" {
			return title
		}
	}
	return uidOf(c)
}
