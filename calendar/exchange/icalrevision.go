package exchange

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/recurrence"
)

// revision is one of several components of a file that have the same UID, and the same RECURRENCE-ID if they have one.
// Of those that can be imported, the revision with the highest SEQUENCE counts; ties are decided by the latest
// LAST-MODIFIED, then DTSTAMP, then the place in the file, of which the last counts.
type revision struct {
	sequence          int64
	modified, stamped int64
	line              int
}

func compareRevisions(a, b revision) int {
	return cmp.Or(cmp.Compare(a.sequence, b.sequence), cmp.Compare(a.modified, b.modified), cmp.Compare(a.stamped, b.stamped),
		cmp.Compare(a.line, b.line))
}

// surveyName notes that the file has a component, and reports whether it has another revision of it. id is its
// RECURRENCE-ID, or nil.
func (s *calendarSource) surveyName(c *ical.Component, id *ical.Property) bool {
	uid := uidOf(c)
	if uid == "" {
		return false
	}
	key := revisionKey(uid, id)
	_, several := s.named[key]
	s.named[key] = several
	return several
}

// hasEvent reports whether the file has a component without a RECURRENCE-ID, whose UID has this key.
func (s *calendarSource) hasEvent(key [12]byte) bool {
	_, ok := s.named[key]
	return ok
}

// surveyRevisions reads the file again if components have several revisions, and notes which counts. In most files no
// component has several, so only the names of components are recorded.
func (s *calendarSource) surveyRevisions(ctx context.Context) error {
	s.best, s.broken = map[[12]byte]counted{}, map[int]bool{}
	return s.each(ctx, func(c *ical.Component) {
		if c.Name == "VEVENT" {
			s.surveyRevision(c)
		}
	})
}

// counted is a component that counts, of those that have the same UID.
type counted struct {
	revision
	content [12]byte
	others  []int // the lines of different components that are no older revisions, but come earlier in the file
}

// surveyRevision remembers a component if it is the revision that counts so far.
func (s *calendarSource) surveyRevision(c *ical.Component) {
	key := revisionKey(uidOf(c), c.First("RECURRENCE-ID"))
	switch {
	case !s.named[key]:
		return
	case !s.readable(c):
		s.broken[c.Line] = true
		return
	}
	one := counted{revision: revisionOf(c), content: contentOf(c)}
	before, known := s.best[key]
	switch {
	case !known:
	case before.sameNumber(one.revision):
		if one.others = before.others; before.content != one.content {
			one.others = append(one.others, before.line)
		}
	case compareRevisions(before.revision, one.revision) > 0:
		return
	}
	s.best[key] = one
}

// readable reports whether a component has what an import of it needs. One that does not is listed, and displaces no other
// revision.
func (s *calendarSource) readable(c *ical.Component) bool {
	e := s.readerOf(c)
	if s.objects[c.Calendar].calls {
		return true
	}
	if c.First("RECURRENCE-ID") != nil && s.Expand.IsZero() {
		_, p := e.change()
		return p == nil
	}
	w, p := e.when()
	if p != nil || c.Broken != "" || e.title() == "" {
		return false
	}
	return !slices.ContainsFunc(e.all("RRULE"), func(p *ical.Property) bool {
		_, err := recurrence.Parse(p.Value, recurrence.Wall(w.start))
		return err != nil
	})
}

// sameNumber reports whether only their places in the file decide which of two revisions counts.
func (r revision) sameNumber(other revision) bool {
	other.line = r.line
	return r == other
}

// contentOf returns a hash of the properties of a component.
func contentOf(c *ical.Component) [12]byte {
	var b strings.Builder
	for _, p := range c.Properties {
		fmt.Fprintf(&b, "%q %v %q\n", p.Name, p.Params, p.Value)
	}
	return uidKey(b.String())
}

// othersNamed is the maximum number of events with the same UID that are noted by their lines.
const othersNamed = 10

// noteOthers notes which events with the same UID are left out although they are not known to be older. Programs that
// make files from templates give all events one UID.
func (e *eventReader) noteOthers() {
	if e.rec.UID == "" {
		return
	}
	others := e.s.best[revisionKey(e.rec.UID, e.c.First("RECURRENCE-ID"))].others
	for _, line := range others[:min(len(others), othersNamed)] {
		e.rec.notes = append(e.rec.notes, fmt.Sprintf("has the same UID as the event at line %d, which is left out: %s", line, e.item))
	}
	if more := len(others) - othersNamed; more > 0 {
		e.rec.notes = append(e.rec.notes, fmt.Sprintf("has the same UID as %d more events, which are left out: %s", more, e.item))
	}
}

// revisionOf returns what decides whether a component counts.
func revisionOf(c *ical.Component) revision {
	one := revision{line: c.Line, modified: secondsOf(c, "LAST-MODIFIED"), stamped: secondsOf(c, "DTSTAMP")}
	if p := c.First("SEQUENCE"); p != nil {
		one.sequence, _ = strconv.ParseInt(strings.TrimSpace(p.Value), 10, 64)
	}
	return one
}

// dropRevisions removes the changes of an occurrence that another revision replaces. surveyRevision compares
// RECURRENCE-IDs as they are written, but one may be in UTC and another in a time zone. The changes must be sorted by
// compareChanges.
func (s *calendarSource) dropRevisions() {
	s.stale = map[int32]bool{}
	kept := s.dates[:0]
	for _, change := range s.dates {
		if n := len(kept); n > 0 && kept[n-1].replaces(change) {
			s.stale[change.line] = true
			continue
		}
		kept = append(kept, change)
	}
	s.dates = kept
}

// replaces reports whether two changes are revisions of the same component.
func (c *dateChange) replaces(other dateChange) bool {
	return c.uid == other.uid && c.at == other.at && c.onDay == other.onDay && c.future == other.future
}

// revisionKey returns the key that revisions of the same component share.
func revisionKey(uid string, id *ical.Property) [12]byte {
	if id == nil {
		return uidKey(uid)
	}
	return uidKey(uid + "\x00" + id.Param("TZID") + "\x00" + strings.TrimSpace(id.Value))
}

// secondsOf returns a time in UTC of a component in Unix seconds, or 0 if there is none.
func secondsOf(c *ical.Component, name string) int64 {
	if p := c.First(name); p != nil {
		if m, ok := ical.ParseDateTime(p.Value); ok {
			return m.Wall.Unix()
		}
	}
	return 0
}

// superseded reports whether the file contains another revision of a component that counts instead.
func (s *calendarSource) superseded(c *ical.Component) bool {
	if s.stale[int32(c.Line)] {
		return true
	}
	uid := uidOf(c)
	best, known := s.best[revisionKey(uid, c.First("RECURRENCE-ID"))]
	if s.broken[c.Line] { // it is listed, unless it is older
		one := revisionOf(c)
		one.line = best.line
		return known && compareRevisions(one, best.revision) < 0
	}
	return uid != "" && known && best.line != c.Line
}

// componentReader reads components one by one.
type componentReader interface {
	Next() (*ical.Component, error)
}

// nextComponent returns the next component of a file, without properties that have no value; those are treated as
// missing. Some properties have only parameters.
func nextComponent(r componentReader) (*ical.Component, error) {
	c, err := r.Next()
	if c != nil {
		c.Properties = slices.DeleteFunc(c.Properties, func(p *ical.Property) bool {
			return strings.TrimSpace(p.Value) == "" && p.Param("CN") == "" && p.Param("X-TITLE") == "" && p.Param("ALTREP") == ""
		})
	}
	return c, err
}

// dateTimeOf parses a date of a property. Some programs mark a value as a date (VALUE=DATE) but write midnight as its
// time; this is read as a day.
func dateTimeOf(p *ical.Property, text string) (ical.DateTime, bool) {
	m, ok := ical.ParseDateTime(text)
	if ok && strings.EqualFold(p.Param("VALUE"), "DATE") && m.Wall.Hour()+m.Wall.Minute()+m.Wall.Second() == 0 {
		m.Day, m.UTC = true, false
	}
	return m, ok
}
