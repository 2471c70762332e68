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

// object is what is known of a VCALENDAR before its events are read.
type object struct {
	zone  *time.Location // X-WR-TIMEZONE, or nil
	feed  bool           // a feed of this program or of The Events Calendar
	tec   bool           // a feed of The Events Calendar
	other bool           // it defines time zones that differ from those in zones
	calls bool           // METHOD:CANCEL: it cancels the events that it names
}

// definition is a VTIMEZONE and the time zone that it defines.
type definition struct {
	text  [sha256.Size]byte
	rules *observances
	zone  *zone // nil until it is used
}

type zoneKey struct {
	object int
	tzid   string
}

// maxZones is the maximum number of time zones that a file may define.
const maxZones = 5000

// override is an occurrence of a recurring event that a separate component replaces. at is in seconds: local time until
// the time zones are known, Unix time afterwards.
type override struct {
	uid    [12]byte
	zone   int32 // index into the names of time zones, or -1
	at     int64
	object int32
	day    bool
	utc    bool
}

// survey reads the file for the first time: it collects time zones, calendars and replaced occurrences, and without
// Expand the recurring events and whether any of their occurrences are changed.
func (s *calendarSource) survey(ctx context.Context) error {
	s.zones, s.others = map[string]*definition{}, map[zoneKey]*definition{}
	names, numbers := []string{}, map[string]int32{}
	s.recurs, s.named = map[[12]byte]bool{}, map[[12]byte]bool{}
	changed, several := false, false // occurrences are changed; components have several revisions
	err := s.each(ctx, func(c *ical.Component) {
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
			several = s.surveyName(c, p) || several
			if s.Expand.IsZero() {
				if changed = changed || p != nil; p == nil && (c.First("RRULE") != nil || c.First("RDATE") != nil) {
					s.recurs[uidKey(uidOf(c))] = true
				}
				return
			}
			if p == nil {
				return
			}
			m, ok := ical.ParseDateTime(p.Value)
			if !ok {
				return
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
	})
	if err != nil {
		return err
	}
	s.sortOverrides(names)
	if several {
		if err := s.surveyRevisions(ctx); err != nil {
			return err
		}
	}
	if changed { // they are read once the time zones are known
		return s.surveyChanges(ctx)
	}
	return nil
}

// each calls do with each component of the file, and leaves out what cannot be read.
func (s *calendarSource) each(ctx context.Context, do func(*ical.Component)) error {
	if err := s.file.rewind(); err != nil {
		return err
	}
	for r := ical.NewReader(s.file); ; {
		c, err := nextComponent(r)
		var fault *ical.Fault
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &fault):
			continue
		case err != nil:
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		do(c)
	}
}

func (s *calendarSource) surveyCalendar(c *ical.Component) {
	o := &s.objects[c.Calendar]
	if p := c.First("PRODID"); p != nil {
		id := p.Text()
		o.tec = strings.Contains(id, "ECPv")
		o.feed = o.tec || strings.Contains(id, " - Agenda//")
	}
	if p := c.First("METHOD"); p != nil {
		o.calls = strings.EqualFold(strings.TrimSpace(p.Value), "CANCEL")
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
	d, tzid := &definition{text: sha256.Sum256([]byte(componentText(c)))}, p.Text()
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

// componentText returns the text that defines a component, to compare it with others.
func componentText(c *ical.Component) string {
	var b strings.Builder
	for _, p := range c.Properties {
		fmt.Fprintf(&b, "%s:%s\n", p.Name, p.Value)
	}
	for _, part := range c.Parts {
		b.WriteString(part.Name + "\n" + componentText(part))
	}
	return b.String()
}

// sortOverrides converts the local times of the replaced occurrences to Unix time, and sorts them.
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

// replaced reports whether a separate component replaces an occurrence of a recurring event.
func (s *calendarSource) replaced(uid string, at time.Time, day bool) bool {
	_, found := slices.BinarySearchFunc(s.changed, override{uid: uidKey(uid), at: at.Unix(), day: day}, compareOverrides)
	return found
}

func uidKey(uid string) (key [12]byte) {
	sum := sha256.Sum256([]byte(uid))
	copy(key[:], sum[:])
	return key
}

// zoneOf returns the time zone that a calendar means by tzid, or nil if it is unknown. An empty tzid means the zone of
// the calendar or of the site.
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
		d = &definition{} // names without a definition are resolved only once, too
		s.zones[tzid] = d
	}
	if d.zone == nil {
		d.zone = s.finder.find(tzid, d.rules, fallback)
	}
	return d.zone
}

// zoneOfObject returns the time zone of a calendar, or else that of the site.
func (s *calendarSource) zoneOfObject(object int) *time.Location {
	return cmp.Or(s.objects[object].zone, s.Zone)
}
