package exchange

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/recurrence"
)

// maxAhead is how far after its start the second date of a rule is searched.
const maxAhead = 30 * 366 * 24 * time.Hour

// series collects the occurrences of a recurring event for the values of its record.
type series struct {
	e        *eventReader
	own      when             // the first occurrence
	rule     *recurrence.Rule // nil if all occurrences are explicit
	text     string           // of the rule
	dates    []time.Time      // starts of the rule, up to the last one that something else refers to
	explicit []when           // RDATE: occurrences besides those of the rule
	excluded []time.Time      // starts that the rule must skip
}

// recurring queues the event with all its occurrences. The import rejects the record if the calendar accepts no rules,
// or no recurring events.
func (e *eventReader) recurring(w when) *Problem {
	e.rec.recurs, e.rec.moves = true, movedDates{}
	s := &series{e: e, own: w}
	changes := e.s.changesOf(e.rec.UID)
	for _, read := range []func([]dateChange) *Problem{s.refused, s.readRule, s.readDates, s.readExcluded, s.change} {
		if p := read(changes); p != nil {
			return p
		}
	}
	return s.queueAll()
}

// fail returns the problem that prevents the event. expandable means that the event could be expanded to single ones
// instead.
func (s *series) fail(p *ical.Property, reason string, expandable bool) *Problem {
	problem := s.e.s.problem(p.Line, s.e.item, p.Name, reason)
	problem.Recurs = expandable
	return problem
}

// refused returns the problem of the first property that no event of this calendar can have.
func (s *series) refused(changes []dateChange) *Problem {
	for _, p := range s.e.all("EXRULE") {
		return s.fail(p, "is not supported", false)
	}
	if rules := s.e.all("RRULE"); len(rules) > 1 {
		return s.fail(rules[1], "occurs more than once: an event has only one rule", true)
	}
	if len(changes) > maxOccurrences {
		return s.fail(s.e.c.First("DTSTART"), fmt.Sprintf("has more than %d dates that are changed", maxOccurrences), true)
	}
	for _, c := range changes {
		if c.future {
			const reason = "changes of all later dates (RANGE=THISANDFUTURE) are not supported"
			return s.e.s.problem(int(c.line), s.e.item, "RECURRENCE-ID", reason)
		}
	}
	return nil
}

// readRule parses the rule and computes its starts as far as they are needed.
func (s *series) readRule(changes []dateChange) *Problem {
	p := s.e.c.First("RRULE")
	if p == nil {
		s.dates = []time.Time{s.own.start}
		return nil
	}
	if reason := s.settle(p); reason != "" {
		return s.fail(p, reason, true)
	}
	start := recurrence.Wall(s.own.start)
	r, err := recurrence.Parse(p.Value, start)
	if err != nil {
		return s.fail(p, err.Error(), false)
	}
	if until := r.Until(); !until.IsZero() && until.Before(start.AddDate(0, 0, -1)) {
		return s.fail(p, "its UNTIL is before DTSTART", false)
	}
	clock := s.clock()
	if s.dates, _ = r.Dates(clock, start, start.Add(maxAhead), 2); len(s.dates) < 2 {
		s.e.reportLone(p, r)
		return nil // the rule has no second date, so the event does not recur
	}
	s.rule, s.text = r, strings.TrimSpace(p.Value)
	if last := s.last(changes); last.After(s.own.start) {
		end, more := recurrence.Wall(last.In(s.own.start.Location())).AddDate(0, 0, 1), false
		if end.Sub(start) > maxSpan {
			return s.fail(p, "begins too long before a date that is changed, added or left out", false)
		}
		if s.dates, more = r.Dates(clock, start, end, 2*maxOccurrences); more {
			return s.fail(p, fmt.Sprintf("is more than %d events", 2*maxOccurrences), true)
		}
	}
	return nil
}

// clock returns the clock of the event's time zone.
func (s *series) clock() recurrence.Clock {
	if s.own.allDay {
		return recurrence.ClockIn(time.UTC)
	}
	return recurrence.ClockIn(s.own.start.Location())
}

// settle determines the time zone in which the rule recurs, or returns why there is none. A rule with a start in UTC
// recurs in UTC if the calendar names no time zone; it is converted to the site's time zone if that makes no
// difference.
func (s *series) settle(p *ical.Property) (reason string) {
	begin := s.e.c.First("DTSTART")
	m, _ := ical.ParseDateTime(begin.Value)
	if s.own.allDay {
		return ""
	}
	if z, _ := s.e.zone(begin, m); !m.UTC {
		if z.rules != nil {
			return "is in a time zone that only its file knows: " + clipText(begin.Param("TZID"))
		}
		return ""
	}
	if s.e.s.objects[s.e.c.Calendar].zone != nil {
		return ""
	}
	utc := when{start: s.own.start.UTC(), end: s.own.end.UTC()}
	dates := func(w when) []time.Time {
		start := recurrence.Wall(w.start)
		r, err := recurrence.Parse(p.Value, start)
		if err != nil {
			return nil
		}
		list, _ := r.Dates(recurrence.ClockIn(w.start.Location()), start, start.AddDate(3, 0, 0), maxOccurrences)
		return list
	}
	if !slices.EqualFunc(dates(utc), dates(s.own), time.Time.Equal) {
		s.own = utc
	}
	return ""
}

// last returns the last time that anything besides the rule refers to.
func (s *series) last(changes []dateChange) (last time.Time) {
	see := func(at time.Time) {
		if at.After(last) {
			last = at
		}
	}
	for _, c := range changes {
		see(time.Unix(c.at, 0))
		see(time.Unix(c.start, 0))
	}
	for _, p := range s.e.all("RDATE", "EXDATE") {
		for text := range strings.SplitSeq(p.Value, ",") {
			from, _, _ := strings.Cut(text, "/")
			if _, at, reason := s.e.date(p, from); reason == "" {
				see(at)
			}
		}
	}
	return last
}

// readDates reads the RDATE properties.
func (s *series) readDates([]dateChange) *Problem {
	for _, p := range s.e.all("RDATE") {
		for text := range strings.SplitSeq(p.Value, ",") {
			one, reason := s.e.explicitDate(p, text, s.own)
			if reason != "" {
				return s.fail(p, reason, false)
			}
			one = one.inLocation(s.own.start.Location())
			ofRule := slices.ContainsFunc(s.dates, one.start.Equal)
			longer := s.rule != nil && one.end.Sub(one.start) != s.own.end.Sub(s.own.start)
			if (ofRule && !longer) || s.explicitAt(one.start) >= 0 {
				continue
			}
			if len(s.explicit) == maxOccurrences {
				return s.fail(p, fmt.Sprintf("is more than %d dates", maxOccurrences), true)
			}
			if s.explicit = append(s.explicit, one); ofRule { // an occurrence of the rule, which the explicit one replaces
				s.excluded = append(s.excluded, one.start)
			}
		}
	}
	return nil
}

// explicitAt returns the index of the explicit occurrence that starts at a time, or -1.
func (s *series) explicitAt(at time.Time) int {
	return slices.IndexFunc(s.explicit, func(w when) bool { return w.start.Equal(at) })
}

// readExcluded reads which occurrences are excluded.
func (s *series) readExcluded([]dateChange) *Problem {
	left, p, reason := s.e.leftOut(s.own.allDay)
	if reason != "" {
		return s.fail(p, reason, false)
	}
	for _, at := range s.dates {
		if left(at) {
			s.excluded = append(s.excluded, at)
		}
	}
	s.explicit = slices.DeleteFunc(s.explicit, func(w when) bool { return left(w.start) })
	return nil
}

// change applies the components that change single occurrences.
func (s *series) change(changes []dateChange) *Problem {
	ofEvent := textsOf(s.e.c)
	canceled := s.e.rec.State == StateCanceled // all occurrences are canceled, as the record's state says
	each := !canceled && s.allCanceled(changes)
	if each { // one by one, so the event keeps its dates
		s.e.rec.State = StateCanceled
	}
	for _, c := range changes {
		at, found := s.target(&c)
		switch {
		case !found && !c.canceled:
			s.report(&c, "RECURRENCE-ID", "is not a date of the event and is left out")
		case !found, c.canceled && each:
		case c.private && !isPrivate(s.e.c): // a single occurrence cannot be private
			s.exclude(at)
			s.e.rec.notes = append(s.e.rec.notes, "a date that is private is left out: "+s.e.item+", "+at.Format(time.DateTime))
			continue
		case c.canceled && !canceled:
			s.exclude(at)
		case c.start == 0 && c.end == 0: // the component only repeats that the occurrence is canceled, like its event
		case c.allDay != s.own.allDay:
			s.report(&c, "DTSTART", "only one of it and that of the event has a time: the date stays where it is")
		default:
			s.move(at, c.when(s.own.start.Location()))
		}
		for i, name := range shared {
			differs := c.texts[i] != 0 && c.texts[i] != ofEvent[i] && !(name == "URL" && s.e.feed)
			if differs && found && (!c.canceled || canceled) {
				s.report(&c, name, otherText)
			}
		}
	}
	return nil
}

// allCanceled reports whether components cancel each occurrence of the event one by one.
func (s *series) allCanceled(changes []dateChange) bool {
	canceled := map[int64]bool{}
	for _, c := range changes {
		if at, found := s.target(&c); found && c.canceled {
			canceled[at.Unix()] = true
		}
	}
	dates := s.dates
	if s.rule != nil { // s.dates may end before the rule does
		start := recurrence.Wall(s.own.start)
		dates, _ = s.rule.Dates(s.clock(), start, start.Add(maxAhead), len(s.excluded)+len(canceled)+1)
	}
	takesPlace := func(at time.Time) bool { return !canceled[at.Unix()] && !slices.ContainsFunc(s.excluded, at.Equal) }
	return len(canceled) > 0 && !slices.ContainsFunc(dates, takesPlace) &&
		!slices.ContainsFunc(s.explicit, func(w when) bool { return takesPlace(w.start) })
}

// report records a part of a change that is left out.
func (s *series) report(c *dateChange, field, reason string) {
	s.e.rec.Problems = append(s.e.rec.Problems, s.e.s.problem(int(c.line), s.e.item, field, reason))
}

// target returns the start of the occurrence that a change refers to, and whether the event has it.
func (s *series) target(c *dateChange) (at time.Time, found bool) {
	is := func(start time.Time) bool {
		if c.onDay || s.own.allDay {
			return start.Format(time.DateOnly) == time.Unix(c.wall, 0).UTC().Format(time.DateOnly)
		}
		return start.Unix() == c.at
	}
	if i := slices.IndexFunc(s.dates, is); i >= 0 {
		return s.dates[i], true
	}
	if i := slices.IndexFunc(s.explicit, func(w when) bool { return is(w.start) }); i >= 0 {
		return s.explicit[i].start, true
	}
	return at, false
}

// exclude removes an occurrence.
func (s *series) exclude(at time.Time) {
	if i := s.explicitAt(at); i >= 0 {
		s.explicit = slices.Delete(s.explicit, i, i+1)
	} else if !slices.ContainsFunc(s.excluded, at.Equal) {
		s.excluded = append(s.excluded, at)
	}
}

// move moves an occurrence, or adds it again if it was excluded.
func (s *series) move(at time.Time, to when) {
	if to.start.Equal(at) && to.end.Sub(to.start) == s.own.end.Sub(s.own.start) && s.explicitAt(at) < 0 {
		s.excluded = slices.DeleteFunc(s.excluded, at.Equal)
		return
	}
	s.exclude(at)
	s.explicit = append(s.explicit, to)
	loc := to.start.Location()
	s.e.rec.moves.recordMove(recurrence.Wall(at.In(loc)), recurrence.Wall(to.start))
}

// twice reports whether explicit occurrence i starts when its predecessor or an occurrence of the rule does.
func (s *series) twice(i int) bool {
	at := s.explicit[i].start
	ofRule := slices.ContainsFunc(s.dates, at.Equal) && !slices.ContainsFunc(s.excluded, at.Equal)
	return i > 0 && at.Equal(s.explicit[i-1].start) || s.rule != nil && ofRule
}

// begin makes the first date of the rule that the event has, and whose duration is that of the others, the event's own
// occurrence. Earlier occurrences become explicit or excluded. If there is no such date, all occurrences become
// explicit.
func (s *series) begin() {
	if s.rule == nil {
		return
	}
	other := func(at time.Time) bool { return slices.ContainsFunc(s.excluded, at.Equal) || s.explicitAt(at) >= 0 }
	start := recurrence.Wall(s.own.start)
	first, _ := s.rule.Dates(s.clock(), start, start.Add(maxAhead), len(s.excluded)+len(s.explicit)+1)
	i := slices.IndexFunc(first, func(at time.Time) bool { return !other(at) })
	switch {
	case i < 0:
		s.rule, s.excluded = nil, []time.Time{s.own.start}
	case i > 0:
		s.own.start, s.own.end = first[i], first[i].Add(s.own.end.Sub(s.own.start))
		s.excluded = slices.DeleteFunc(s.excluded, s.own.start.After)
		s.text = recurrence.WithFewer(s.text, i)
	}
}

// queueAll queues the record.
func (s *series) queueAll() *Problem {
	if s.begin(); s.rule == nil && !slices.ContainsFunc(s.excluded, s.own.start.Equal) {
		s.explicit = append(s.explicit, s.own)
	}
	slices.SortStableFunc(s.explicit, func(a, b when) int { return a.start.Compare(b.start) })
	var dates []any
	for i, one := range s.explicit {
		if s.twice(i) {
			s.e.rec.Problems = append(s.e.rec.Problems, s.e.s.problem(s.e.c.Line, s.e.item, "RECURRENCE-ID",
				"two dates start at the same time; one of them was kept: "+one.start.Format(time.DateTime)))
		}
		if i > 0 && one.start.Equal(s.explicit[i-1].start) {
			continue
		}
		dates = append(dates, dateValue(one.texts()))
	}
	switch {
	case s.rule != nil:
		slices.SortFunc(s.excluded, time.Time.Compare)
		// An explicit occurrence at the same start replaces that of the rule anyway.
		s.excluded = slices.DeleteFunc(s.excluded, func(at time.Time) bool { return s.explicitAt(at) >= 0 })
		s.e.rec.Values[fieldRecurrence] = recurrenceValue(s.text, s.excluded)
	case len(dates) == 0:
		return s.e.s.problem(s.e.c.Line, s.e.item, "DTSTART", "none of its dates is left")
	default:
		s.own = s.explicit[0]
	}
	if len(dates) > 1 || s.rule != nil && dates != nil {
		s.e.rec.Values[fieldDates] = dates
	}
	s.e.queue(s.own, "")
	return nil
}
