package exchange

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/ical"
)

// revision is one of the components of a file that have the same UID, and the same RECURRENCE-ID if they have one: the one that counts
// has the highest SEQUENCE, then the latest LAST-MODIFIED or DTSTAMP, or is the last.
type revision struct {
	sequence          int64
	modified, stamped int64
	line              int
}

func compareRevisions(a, b revision) int {
	return cmp.Or(cmp.Compare(a.sequence, b.sequence), cmp.Compare(a.modified, b.modified), cmp.Compare(a.stamped, b.stamped),
		cmp.Compare(a.line, b.line))
}

// surveyRevision notes a component, whose RECURRENCE-ID may be nil.
func (s *calendarSource) surveyRevision(c *ical.Component, id *ical.Property) {
	uid := uidOf(c)
	if uid == "" {
		return
	}
	if id == nil {
		s.masters[uidKey(uid)] = true
	}
	one := revision{line: c.Line, modified: secondsOf(c, "LAST-MODIFIED"), stamped: secondsOf(c, "DTSTAMP")}
	if p := c.First("SEQUENCE"); p != nil {
		one.sequence, _ = strconv.ParseInt(strings.TrimSpace(p.Value), 10, 64)
	}
	key := revisionKey(uid, id)
	if before, several := s.best[key]; !several || compareRevisions(before, one) < 0 {
		s.best[key] = one
	}
}

// revisionKey names what components are revisions of.
func revisionKey(uid string, id *ical.Property) [12]byte {
	if id == nil {
		return uidKey(uid)
	}
	return uidKey(uid + "\x00" + id.Param("TZID") + "\x00" + strings.TrimSpace(id.Value))
}

// secondsOf returns a time in UTC of a component, 0 without one.
func secondsOf(c *ical.Component, name string) int64 {
	if p := c.First(name); p != nil {
		if m, ok := ical.ParseDateTime(p.Value); ok {
			return m.Wall.Unix()
		}
	}
	return 0
}

// superseded reports whether another component of the file is a later revision of one.
func (s *calendarSource) superseded(c *ical.Component) bool {
	uid := uidOf(c)
	best, known := s.best[revisionKey(uid, c.First("RECURRENCE-ID"))]
	return uid != "" && known && best.line != c.Line
}

// componentReader is what components come from.
type componentReader interface {
	Next() (*ical.Component, error)
}

// nextComponent returns the next component of a file, without properties that have no value, which are as absent. Some say all in
// their parameters.
func nextComponent(r componentReader) (*ical.Component, error) {
	c, err := r.Next()
	if c != nil {
		c.Properties = slices.DeleteFunc(c.Properties, func(p *ical.Property) bool {
			return strings.TrimSpace(p.Value) == "" && p.Param("CN") == "" && p.Param("X-TITLE") == "" && p.Param("ALTREP") == ""
		})
	}
	return c, err
}

// dateTimeOf reads a date of a property, of which some programs write that it is a day and give it the time of midnight.
func dateTimeOf(p *ical.Property, text string) (ical.DateTime, bool) {
	m, ok := ical.ParseDateTime(text)
	if ok && strings.EqualFold(p.Param("VALUE"), "DATE") && m.Wall.Hour()+m.Wall.Minute()+m.Wall.Second() == 0 {
		m.Day, m.UTC = true, false
	}
	return m, ok
}
