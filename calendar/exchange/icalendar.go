package exchange

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
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
	// its own. Without it they are refused.
	Expand time.Time
}

// ICalendar returns the events of iCalendar objects, of which r may hold several. name is
// that of the file, for places.
//
// It reads r twice, since a time zone may be defined after the events in it, and a changed
// date of an event that recurs may be far from the event: where r cannot seek, it is copied
// into a temporary file first. Close, which the Source has, removes that earlier than at
// the end. Memory does not grow with the file, but for 32 bytes for each changed date.
//
// These decisions it takes:
//   - A time in UTC is shown in the zone of the calendar (X-WR-TIMEZONE), else in that of
//     the site. An end in another zone than the start is shown in the start's.
//   - CLASS:PRIVATE and CONFIDENTIAL make the status "private", which counts of trusted
//     sources alone.
//   - STATUS:CANCELLED makes the state canceled. TENTATIVE is postponed in feeds of this
//     program and of the site's own software, which write it so, and a Problem elsewhere.
//   - URL is the website but in those feeds, where it is the event's own page: there its
//     last part is the slug.
//   - The first picture of ATTACH or IMAGE is the image. Other files are Problems.
//   - CREATED is the date of publication if it is in the past.
//   - A VEVENT is a Record, or several with Expand, or a Problem. Properties that no item
//     of the API has are a Problem of the first Record with them, but for those that only
//     programs need.
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
	changed []override      // dates that single events replace, sorted
	unknown map[string]bool // properties that were reported
	queue   []result
	count   int   // results so far
	end     error // after the queue
}

// result is what Next returns.
type result struct {
	record *Record
	err    error
}

// object is what is known of a VCALENDAR before its events are read.
type object struct {
	zone  *time.Location // X-WR-TIMEZONE, nil without one
	feed  bool           // of this program or the site's own software
	other bool           // it defines zones other than those in zones
}

// definition is a VTIMEZONE, and the zone that it means.
type definition struct {
	text  [sha256.Size]byte
	rules *observances
	zone  *zone // nil before it is asked for
}

type zoneKey struct {
	object int
	tzid   string
}

// maxZones bounds the zones that a file defines.
const maxZones = 5000

// override is a date of an event that recurs, which a component of its own replaces. at is
// the wall clock's time until zones are known, then the moment, in seconds.
type override struct {
	uid    [12]byte
	zone   int32 // of zone names, -1 for none
	at     int64
	object int32
	day    bool
	utc    bool
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
		c, err := s.reader.Next()
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

// survey is the first reading: zones, calendars, and replaced dates.
func (s *calendarSource) survey(ctx context.Context) error {
	s.zones, s.others = map[string]*definition{}, map[zoneKey]*definition{}
	names, numbers := []string{}, map[string]int32{}
	r := ical.NewReader(s.file)
	for {
		c, err := r.Next()
		var fault *ical.Fault
		switch {
		case err == io.EOF:
			s.sortOverrides(names)
			return nil
		case errors.As(err, &fault):
			continue
		case err != nil:
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for len(s.objects) <= c.Calendar {
			s.objects = append(s.objects, object{})
		}
		switch c.Name {
		case "VCALENDAR":
			s.surveyCalendar(c)
		case "VTIMEZONE":
			s.surveyZone(c)
		case "VEVENT":
			p := c.First("RECURRENCE-ID")
			if p == nil || s.Expand.IsZero() {
				continue
			}
			m, ok := ical.ParseDateTime(p.Value)
			if !ok {
				continue
			}
			o := override{uid: uidKey(uidOf(c)), zone: -1, at: m.Wall.Unix(), object: int32(c.Calendar), day: m.Day, utc: m.UTC}
			if tzid := p.Param("TZID"); tzid != "" {
				n, known := numbers[tzid]
				if !known && len(names) < maxZones {
					n = int32(len(names))
					names, numbers[tzid] = append(names, tzid), n
					known = true
				}
				if known {
					o.zone = n
				}
			}
			s.changed = append(s.changed, o)
		}
	}
}

func (s *calendarSource) surveyCalendar(c *ical.Component) {
	o := &s.objects[c.Calendar]
	if p := c.First("PRODID"); p != nil {
		id := p.Text()
		o.feed = strings.Contains(id, " - Agenda//") || strings.Contains(id, "ECPv")
	}
	if p := c.First("X-WR-TIMEZONE"); p != nil {
		if z := s.finder.find(p.Text(), nil, s.Zone); z != nil {
			o.zone = z.loc
		}
	}
}

func (s *calendarSource) surveyZone(c *ical.Component) {
	p := c.First("TZID")
	if p == nil || len(s.zones)+len(s.others) >= maxZones {
		return
	}
	d, tzid := &definition{text: sha256.Sum256([]byte(textOf(c)))}, p.Text()
	switch first := s.zones[tzid]; {
	case first == nil:
		d.rules = observancesOf(c)
		s.zones[tzid] = d
	case first.text != d.text:
		d.rules = observancesOf(c)
		s.others[zoneKey{c.Calendar, tzid}] = d
		s.objects[c.Calendar].other = true
	}
}

// textOf returns what defines a component, to compare it with others.
func textOf(c *ical.Component) string {
	var b strings.Builder
	for _, p := range c.Properties {
		fmt.Fprintf(&b, "%s:%s\n", p.Name, p.Value)
	}
	for _, part := range c.Parts {
		b.WriteString(part.Name + "\n" + textOf(part))
	}
	return b.String()
}

// sortOverrides makes moments of the replaced dates.
func (s *calendarSource) sortOverrides(names []string) {
	for i := range s.changed {
		o := &s.changed[i]
		if o.day || o.utc {
			continue
		}
		tzid := ""
		if o.zone >= 0 {
			tzid = names[o.zone]
		}
		if z := s.zoneOf(tzid, int(o.object)); z != nil {
			if at, ok := z.at(time.Unix(o.at, 0).UTC()); ok {
				o.at = at.Unix()
			}
		}
	}
	slices.SortFunc(s.changed, compareOverrides)
}

func compareOverrides(a, b override) int {
	day := map[bool]int{true: 1}
	return cmp.Or(bytes.Compare(a.uid[:], b.uid[:]), cmp.Compare(a.at, b.at), day[a.day]-day[b.day])
}

// replaced reports whether a component of its own replaces a date of an event that recurs.
func (s *calendarSource) replaced(uid string, at time.Time, day bool) bool {
	_, found := slices.BinarySearchFunc(s.changed, override{uid: uidKey(uid), at: at.Unix(), day: day}, compareOverrides)
	return found
}

func uidKey(uid string) (key [12]byte) {
	sum := sha256.Sum256([]byte(uid))
	copy(key[:], sum[:])
	return key
}

func uidOf(c *ical.Component) string {
	if p := c.First("UID"); p != nil {
		return strings.TrimSpace(p.Text())
	}
	return ""
}

// zoneOf returns the zone of a time in a calendar, that of the calendar or site for no
// name; nil for one that is not known.
func (s *calendarSource) zoneOf(tzid string, object int) *zone {
	fallback := s.zoneOfObject(object)
	if tzid == "" {
		return &zone{loc: fallback}
	}
	d := s.zones[tzid]
	if other := s.others[zoneKey{object, tzid}]; s.objects[object].other && other != nil {
		d = other
	}
	if d == nil {
		if len(s.zones) >= maxZones {
			return s.finder.find(tzid, nil, fallback)
		}
		d = &definition{} // names without a definition are looked up once, too
		s.zones[tzid] = d
	}
	if d.zone == nil {
		d.zone = s.finder.find(tzid, d.rules, fallback)
	}
	return d.zone
}

// zoneOfObject returns the zone of a calendar: its own, else the site's.
func (s *calendarSource) zoneOfObject(object int) *time.Location {
	return cmp.Or(s.objects[object].zone, s.Zone)
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
