package exchange

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// This file reads occurrences without their event: components with a RECURRENCE-ID whose UID no other component of the
// file has. A person who is invited to one occurrence receives only that, and feeds of free/busy times contain nothing
// else.

// otherText is the reason for leaving out a text of a single occurrence.
const otherText = "differs for a single date: here all dates have that of the event"

// orphaned reports whether the occurrences of a UID come without their event and were not queued yet.
func (s *calendarSource) orphaned(uid string) bool {
	key := uidKey(uid)
	if s.hasEvent(key) || s.grouped[key] {
		return false
	}
	if s.grouped == nil {
		s.grouped = map[[12]byte]bool{}
	}
	s.grouped[key] = true
	return true
}

// gathered queues a record with all occurrences of the component's UID. The component is the first of them.
func (e *eventReader) gathered(w when) *Problem {
	changes := e.s.changesOf(e.rec.UID)
	if e.rec.UID == "" { // without a UID, nothing connects it to an event
		e.queue(w, "")
		return nil
	}
	if len(changes) > maxOccurrences {
		return e.s.problem(e.c.Line, e.item, "RECURRENCE-ID", fmt.Sprintf("there are more than %d dates of its event", maxOccurrences))
	}
	texts, loc := textsOf(e.c), w.start.Location()
	e.rec.moves = movedDates{}
	var dates []when
	var others []*Problem // titles of single occurrences, which cannot be stored if the occurrences are one event
	for _, c := range changes {
		switch {
		case c.future:
			return e.laterDates(c)
		case c.canceled:
			e.rec.changes = append(e.rec.changes, c)
			e.calledOff(c)
			continue
		case c.allDay != w.allDay:
			e.rec.Problems = append(e.rec.Problems, e.s.problem(int(c.line), e.item, "DTSTART",
				"only one of it and another date of the event has a time: the date is left out"))
			continue
		}
		for i, name := range shared {
			if c.texts[i] == 0 || c.texts[i] == texts[i] || name == "URL" && e.feed {
				continue
			}
			problem := e.s.problem(int(c.line), e.item, name, otherText)
			if name == "SUMMARY" {
				others = append(others, problem)
			} else {
				e.rec.Problems = append(e.rec.Problems, problem)
			}
		}
		e.rec.moves.noteChange(&c, loc)
		e.rec.changes, dates = append(e.rec.changes, c), append(dates, c.when(loc))
		e.single(c, c.when(loc))
	}
	if len(dates) == 0 { // all are canceled
		e.rec.State, e.rec.calls = StateCanceled, true
		e.queue(w, "")
		return nil
	}
	e.rec.State, e.rec.calls = "", false
	e.rec.Problems = append(e.rec.Problems, others...)
	slices.SortFunc(dates, func(a, b when) int { return a.start.Compare(b.start) })
	dates = slices.CompactFunc(dates, func(a, b when) bool { return a.start.Equal(b.start) })
	if len(dates) > 1 {
		var list []any
		for _, one := range dates {
			list = append(list, dateValue(one.texts()))
		}
		e.rec.Values[fieldDates] = list
	}
	e.queue(dates[0], "")
	return nil
}

// cancels queues a cancellation (METHOD:CANCEL) that has no title or no start, and reports whether the component is one.
// RFC 5546 requires neither, since the UID says what is cancelled.
func (e *eventReader) cancels(title string) bool {
	if !e.s.objects[e.c.Calendar].calls || e.rec.UID == "" || title != "" && e.c.First("DTSTART") != nil {
		return false
	}
	if p := e.c.First("RECURRENCE-ID"); p != nil && e.s.Expand.IsZero() {
		changes := e.s.changesOf(e.rec.UID)
		if len(changes) == 0 || slices.ContainsFunc(changes, func(c dateChange) bool { return !c.canceled }) {
			return false
		}
		e.rec.changes, e.rec.moves = changes, movedDates{}
		for _, c := range changes {
			if c.future {
				e.s.queue = append(e.s.queue, result{err: e.laterDates(c)})
				return true
			}
			e.calledOff(c)
		}
	} else if p != nil {
		m, at, reason := e.date(p, p.Value)
		if reason != "" {
			return false
		}
		e.rec.UID = occurrenceUID(e.rec.UID, at, m.Day)
	}
	e.rec.State, e.rec.calls = StateCanceled, true
	e.s.queue = append(e.s.queue, result{record: e.rec})
	return true
}

// laterDates is the problem of an occurrence that changes all later ones.
func (e *eventReader) laterDates(c dateChange) *Problem {
	const reason = "changes of all later dates (RANGE=THISANDFUTURE) are not supported"
	return e.s.problem(int(c.line), e.item, "RECURRENCE-ID", reason)
}

// calledOff adds the cancellation of an occurrence as a separate record, which applies if the occurrence is an event of
// its own.
func (e *eventReader) calledOff(c dateChange) {
	e.rec.singles = append(e.rec.singles, &Record{
		Kind: Events, Line: SourceLine{e.s.name, int(c.line)}, UID: occurrenceUID(e.rec.UID, time.Unix(c.at, 0), c.onDay),
		Values: map[string]any{}, State: StateCanceled, calls: true,
	})
}

// single adds an occurrence as a separate record.
func (e *eventReader) single(c dateChange, w when) {
	rec := *e.rec
	rec.Values, rec.changes, rec.singles, rec.moves = maps.Clone(e.rec.Values), nil, nil, nil
	if c.title != "" {
		rec.Values[fieldTitle] = c.title
	}
	rec.State, rec.calls = "", false // of the first component, which may cancel another occurrence
	// Problems of all occurrences are reported with the first that is not cancelled.
	if rec.Line.Line = int(c.line); slices.ContainsFunc(e.rec.singles, func(before *Record) bool { return !before.calls }) {
		rec.Problems = nil
	}
	w.storeTimes(rec.Values)
	rec.UID = occurrenceUID(e.rec.UID, time.Unix(c.at, 0), c.onDay)
	e.rec.singles = append(e.rec.singles, &rec)
}
