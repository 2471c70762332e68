package exchange

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"io"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/recurrence"
)

// dateChange is a date of an event that recurs as a component of its own has it, which replaces the one that is at a moment, or
// on a day.
type dateChange struct {
	uid        [12]byte
	at         int64 // in seconds
	wall       int64 // as the clock of its zone shows it
	start, end int64
	line       int32
	onDay      bool // at is a day
	allDay     bool
	canceled   bool
	private    bool
	future     bool // and all dates after it
	texts      [len(shared)]uint32
	title      string // of a date without its event
}

// shared are the properties that all dates of an event have in common here.
var shared = [...]string{"SUMMARY", "DESCRIPTION", "LOCATION", "GEO", "CATEGORIES", "ORGANIZER", "URL", "CLASS", "X-COST", "ATTACH"}

// textsOf returns what differs where shared properties of two components do. It is 0 for those that are missing.
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

func compareChanges(a, b dateChange) int {
	return cmp.Or(bytes.Compare(a.uid[:], b.uid[:]), cmp.Compare(a.at, b.at), cmp.Compare(a.line, b.line))
}

// surveyChanges is the second reading of a file in which single dates of events are changed: their times may be in zones that are
// defined after them.
func (s *calendarSource) surveyChanges(ctx context.Context) error {
	if err := s.file.rewind(); err != nil {
		return err
	}
	for r := ical.NewReader(s.file); ; {
		c, err := nextComponent(r)
		var fault *ical.Fault
		switch {
		case err == io.EOF:
			slices.SortFunc(s.dates, compareChanges)
			return nil
		case errors.As(err, &fault):
			continue
		case err != nil:
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.Name == "VEVENT" && c.First("RECURRENCE-ID") != nil && !s.superseded(c) {
			if change, problem := s.readerOf(c).change(); problem == nil {
				s.dates = append(s.dates, change)
			}
		}
	}
}

// change reads the date that a component changes, or says why it cannot.
func (e *eventReader) change() (change dateChange, problem *Problem) {
	p := e.c.First("RECURRENCE-ID")
	refuse := func(reason string) (dateChange, *Problem) {
		return change, e.s.problem(p.Line, e.item, p.Name, reason)
	}
	if e.c.Broken != "" {
		return change, e.s.problem(e.c.Line, e.item, e.c.Name, "is not whole: "+e.c.Broken)
	}
	if key := uidKey(e.rec.UID); e.rec.UID == "" || e.s.masters[key] && !e.s.recurs[key] {
		_, problem := refuse("is a date of an event that has one date alone in the file")
		problem.Recurs = true
		return change, problem
	}
	m, at, reason := e.date(p, p.Value)
	if reason != "" {
		return refuse(reason)
	}
	change = dateChange{
		uid: uidKey(e.rec.UID), at: at.Unix(), wall: recurrence.Wall(at).Unix(), line: int32(e.c.Line), onDay: m.Day,
		future: p.Param("RANGE") != "", texts: textsOf(e.c),
	}
	if status := e.c.First("STATUS"); status != nil {
		change.canceled = canceled(status)
	}
	change.private = private(e.c)
	if p := e.c.First("SUMMARY"); p != nil && !e.s.masters[change.uid] {
		change.title = oneLine(p.Text())
	}
	change.canceled = change.canceled || e.s.objects[e.c.Calendar].calls
	if e.c.First("DTSTART") == nil && change.canceled { // it needs none
		return change, nil
	}
	w, problem := e.when()
	change.start, change.end, change.allDay = w.start.Unix(), w.end.Unix(), w.allDay
	return change, problem
}

// changesOf returns the changed dates of an event, in the order of the dates that they replace.
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

// when returns the date of a change, on the clock of a zone.
func (c *dateChange) when(loc *time.Location) when {
	if c.allDay {
		loc = time.UTC
	}
	return when{c.allDay, time.Unix(c.start, 0).In(loc), time.Unix(c.end, 0).In(loc)}
}
