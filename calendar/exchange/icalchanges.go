package exchange

import (
	"bytes"
	"cmp"
	"context"
	"hash/fnv"
	"io"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/recurrence"
)

// dateChange is a component that changes a single occurrence of a recurring event: it replaces the occurrence that
// starts at a time, or on a day.
type dateChange struct {
	uid        [12]byte
	at         int64 // Unix time in seconds
	wall       int64 // local time in its zone, as if it were UTC
	start, end int64
	line       int32
	onDay      bool // at is the start of a day
	allDay     bool
	canceled   bool
	private    bool
	future     bool // it also changes all later occurrences
	texts      [len(shared)]uint32
	title      string // only for an occurrence whose event is missing
	revision   revision
}

// shared lists the properties that all occurrences of an event have in common in this calendar.
var shared = [...]string{"SUMMARY", "DESCRIPTION", "LOCATION", "GEO", "CATEGORIES", "ORGANIZER", "URL", "CLASS", "X-COST", "ATTACH"}

// textsOf returns a hash of each shared property of a component, to compare it with other components. It is 0 if the
// property is missing.
func textsOf(c *ical.Component) (texts [len(shared)]uint32) {
	for i, name := range shared {
		hash, found := fnv.New32a(), false
		for _, p := range c.Properties {
			if p.Name == name && p.Value != "" {
				_, _ = io.WriteString(hash, p.Value+"\n")
				found = true
			}
		}
		if found {
			texts[i] = max(hash.Sum32(), 1)
		}
	}
	return texts
}

// compareChanges sorts changes by the occurrence that they replace, and of the same occurrence the revision that counts
// comes first.
func compareChanges(a, b dateChange) int {
	order := cmp.Or(bytes.Compare(a.uid[:], b.uid[:]), cmp.Compare(a.at, b.at))
	switch {
	case order != 0:
		return order
	case a.onDay != b.onDay && b.onDay:
		return -1
	case a.onDay != b.onDay:
		return 1
	}
	return compareRevisions(b.revision, a.revision)
}

// surveyChanges reads the file again if it changes single occurrences: the time zones that they use may be defined after
// them.
func (s *calendarSource) surveyChanges(ctx context.Context) error {
	err := s.each(ctx, func(c *ical.Component) {
		if c.Name == "VEVENT" && c.First("RECURRENCE-ID") != nil && !s.superseded(c) {
			if change, problem := s.readerOf(c).change(); problem == nil {
				s.dates = append(s.dates, change)
			}
		}
	})
	slices.SortFunc(s.dates, compareChanges)
	s.dropRevisions()
	return err
}

// change reads which occurrence a component changes and how, or returns why it cannot.
func (e *eventReader) change() (change dateChange, problem *Problem) {
	p := e.c.First("RECURRENCE-ID")
	refuse := func(reason string) (dateChange, *Problem) {
		return change, e.s.problem(p.Line, e.item, p.Name, reason)
	}
	if e.c.Broken != "" {
		return change, e.s.problem(e.c.Line, e.item, e.c.Name, "is not whole: "+e.c.Broken)
	}
	if key := uidKey(e.rec.UID); e.rec.UID == "" || e.s.hasEvent(key) && !e.s.recurs[key] {
		_, problem := refuse("is a date of an event that has only one date in the file")
		problem.Recurs = true
		return change, problem
	}
	m, at, reason := e.date(p, p.Value)
	if reason != "" {
		return refuse(reason)
	}
	change = dateChange{
		uid: uidKey(e.rec.UID), at: at.Unix(), wall: recurrence.Wall(at).Unix(), line: int32(e.c.Line), onDay: m.Day,
		future: p.Param("RANGE") != "", texts: textsOf(e.c), revision: revisionOf(e.c),
	}
	if status := e.c.First("STATUS"); status != nil {
		change.canceled = isCanceled(status)
	}
	change.private = isPrivate(e.c)
	if p := e.c.First("SUMMARY"); p != nil && !e.s.hasEvent(change.uid) {
		change.title = oneLine(p.Text())
	}
	change.canceled = change.canceled || e.s.objects[e.c.Calendar].calls
	if e.c.First("DTSTART") == nil && change.canceled { // a cancelled occurrence needs no start
		return change, nil
	}
	w, problem := e.when()
	change.start, change.end, change.allDay = w.start.Unix(), w.end.Unix(), w.allDay
	return change, problem
}

// changesOf returns the changed occurrences of an event, sorted by the occurrence that each replaces.
func (s *calendarSource) changesOf(uid string) []dateChange {
	of := func(change dateChange, key [12]byte) int { return bytes.Compare(change.uid[:], key[:]) }
	first, found := slices.BinarySearchFunc(s.dates, uidKey(uid), of)
	if !found || uid == "" {
		return nil
	}
	last := first
	for last < len(s.dates) && s.dates[last].uid == s.dates[first].uid {
		last++
	}
	return s.dates[first:last]
}

// when returns the occurrence of a change in local time of a zone.
func (c *dateChange) when(loc *time.Location) when {
	if c.allDay {
		loc = time.UTC
	}
	return when{c.allDay, time.Unix(c.start, 0).In(loc), time.Unix(c.end, 0).In(loc)}
}
