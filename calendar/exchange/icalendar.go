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

// CalendarOptions are the options of ICalendar.
type CalendarOptions struct {
	// Zone is the time zone of the site. Times without a time zone are in it, and times in UTC are converted to it,
	// unless the file names a time zone for the calendar. The default is UTC.
	Zone *time.Location

	// Now is the current time, by default that of the system clock.
	Now time.Time

	// Expand, if set, makes single events of recurring ones, up to this time, each with a UID derived from that of the
	// event. Otherwise a recurring event is one event with its occurrences and its rule.
	Expand time.Time
}

// ICalendar returns the events of the iCalendar objects in r, of which there may be several. name is the name of the
// file, for messages.
//
// It reads r twice, since a time zone may be defined after the events that use it and a changed occurrence may be far
// from its event; a third time if occurrences are changed, and once more if components have several revisions. If r
// cannot seek, it is copied to a temporary file first; the Close method of the Source removes that file, and so does the
// end of the source. Memory does not grow with the file, except for about a hundred bytes per event and changed
// occurrence.
//
// The properties are interpreted as follows:
//   - A time in UTC is converted to the calendar's time zone (X-WR-TIMEZONE), or else to that of the site. An end in
//     another time zone than the start is converted to that of the start.
//   - CLASS:PRIVATE and CONFIDENTIAL make the status "private"; a private occurrence of a public event is left out.
//   - STATUS:CANCELLED makes the event's state canceled. TENTATIVE means postponed in feeds of this program and of The
//     Events Calendar, which write it for that; in other files it makes the status "pending".
//   - URL is the website, except in those feeds, where it is the page of the event and its last segment is the slug.
//   - The first image of ATTACH or IMAGE is the image. Other files are Problems.
//   - CREATED is the date of publication if it is in the past.
//   - A VEVENT becomes a Record, several with Expand, or a Problem. One with a RECURRENCE-ID is an occurrence of the
//     Record of its UID. If the file does not contain the event itself, the occurrences of one UID are a Record with
//     these occurrences, which the Importer applies as changes to an event that it knows. STATUS:CANCELLED removes
//     such an occurrence. Only the times of an occurrence are used; other differences from its event are Problems of
//     the event.
//   - Properties that no item of the API has are a Problem of the first Record with them, except those that only
//     programs need.
//   - Of several components with the same UID, and the same RECURRENCE-ID if they have one, the one with the highest
//     SEQUENCE counts, or else the last modified one, or else the last one, which then has a note. METHOD:CANCEL
//     cancels what its components name and creates nothing.
//   - A rule whose start is in UTC recurs in UTC, and so does the event, unless its occurrences would be the same in
//     the calendar's time zone.
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
	objects []object               // by number; 0 is for what precedes the first calendar
	zones   map[string]*definition // by TZID: the first definition of each
	others  map[zoneKey]*definition
	changed []override           // occurrences that single components replace, sorted; only with Expand
	recurs  map[[12]byte]bool    // UIDs of recurring events; only without Expand
	named   map[[12]byte]bool    // components by revisionKey, and whether there are several revisions of them
	best    map[[12]byte]counted // the revision that counts, of components that have several
	broken  map[int]bool         // the lines of components that cannot be imported, of those that have several revisions
	grouped map[[12]byte]bool    // UIDs whose occurrences, without their event, are queued
	dates   []dateChange         // the changed occurrences of recurring events, sorted
	stale   map[int32]bool       // the lines of components that change an occurrence which another revision changes, too
	unknown map[string]bool      // properties that were reported already
	queue   []result
	count   int   // results returned so far
	end     error // returned once queue is empty
}

// result is a return value of Next.
type result struct {
	record *Record
	err    error
}

// Close ends the source and removes its temporary file.
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

// open reads what must be known before the events are read.
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

// component queues the records and problems of a component.
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
			s.part(p.Line, "", p.Name, "is unknown, so times are in the zone of the site: "+clipText(p.Text()))
		}
	case "VTODO", "VJOURNAL", "VFREEBUSY":
		s.part(c.Line, summaryOf(c), c.Name, "is not an event")
	case "VTIMEZONE", "VAVAILABILITY": // already read, or not part of an event
	default:
		s.refuse(c.Line, summaryOf(c), c.Name, "is not an event")
	}
}

// refuse queues the problem of an event that is not imported.
func (s *calendarSource) refuse(line int, item, field, reason string) {
	s.queue = append(s.queue, result{err: s.problem(line, item, field, reason)})
}

// part queues a problem that does not belong to an event.
func (s *calendarSource) part(line int, item, field, reason string) {
	p := s.problem(line, item, field, reason)
	p.part = true
	s.queue = append(s.queue, result{err: p})
}

func (s *calendarSource) problem(line int, item, field, reason string) *Problem {
	return &Problem{Place: SourceLine{s.name, line}, Item: item, Field: field, Reason: reason}
}

// summaryOf returns the name by which messages refer to a component: its title, or else its UID.
func summaryOf(c *ical.Component) string {
	if p := c.First("SUMMARY"); p != nil {
		if title := strings.Join(strings.Fields(p.Text()), " "); title != "" {
			return title
		}
	}
	return uidOf(c)
}
