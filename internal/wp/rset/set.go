// Package rset parses and formats the recurrence of events as Events Calendar Pro stores it: the recurrence set in
// tec_events.rset (Set), and the rules in the meta row _EventRecurrence (Rules), of which only explicit dates are
// understood. What is not understood is reported, and kept unchanged.
package rset

import (
	"slices"
	"strings"
	"time"
)

// Period is a date of an event: the local times of its start and end in the event's zone, as if they were UTC.
type Period struct{ Start, End time.Time }

// Equal reports whether two dates have the same start and end.
func (p Period) Equal(q Period) bool { return p.Start.Equal(q.Start) && p.End.Equal(q.End) }

// Compare orders dates by start, then by end.
func (p Period) Compare(q Period) int {
	if c := p.Start.Compare(q.Start); c != 0 {
		return c
	}
	return p.End.Compare(q.End)
}

// iCalendar properties and parameters in a recurrence set.
const (
	propStart    = "DTSTART"
	propEnd      = "DTEND"
	propRule     = "RRULE"
	propDate     = "RDATE"
	propExRule   = "EXRULE"
	propExDate   = "EXDATE"
	paramZone    = "TZID="
	paramPeriod  = "VALUE=PERIOD"
	clockLayout  = "20060102T150405"
	lineBreak    = "\n"
	periodBreak  = "/"
	paramBreak   = ";"
	propertyMark = ":"
)

// order is the order of properties in a set.
var order = []string{propStart, propEnd, propRule, propDate, propExRule, propExDate}

// line is a property of a set. raw is its text. If it is not understood, the other fields are empty.
type line struct {
	raw, name, zone string
	at              Period // of DTSTART, DTEND and EXDATE, with a zero End; and of RDATE
	rule            string // of RRULE and EXRULE
}

// Set is a recurrence set: the dates of an event as iCalendar properties, one per line.
type Set struct{ lines []line }

// Parse parses a set. It never fails; see Unknown.
func Parse(text string) *Set {
	s := &Set{}
	if text == "" {
		return s
	}
	for raw := range strings.SplitSeq(text, lineBreak) {
		s.lines = append(s.lines, parseLine(raw))
	}
	return s
}

// parseLine parses a property. If it would be formatted differently, it counts as not understood.
func parseLine(raw string) line {
	head, value, _ := strings.Cut(raw, propertyMark)
	name, params, _ := strings.Cut(head, paramBreak)
	l := line{name: name}
	period := false
	for param := range strings.SplitSeq(params, paramBreak) {
		switch zone, zoned := strings.CutPrefix(param, paramZone); {
		case zoned && l.zone == "":
			l.zone = zone
		case param == paramPeriod:
			period = true
		}
	}
	ok := true
	switch name {
	case propStart, propEnd, propExDate:
		l.at.Start, ok = parseClock(value)
	case propDate:
		start, end, _ := strings.Cut(value, periodBreak)
		l.at.Start, ok = parseClock(start)
		if ok = ok && period; ok {
			l.at.End, ok = parseClock(end)
		}
	case propRule, propExRule:
		l.rule = value
	default:
		ok = false
	}
	if l.print(); ok && l.raw == raw {
		return l
	}
	return line{raw: raw}
}

func parseClock(text string) (time.Time, bool) {
	at, err := time.Parse(clockLayout, text)
	return at, err == nil
}

// print formats a line that is understood.
func (l *line) print() {
	l.raw = l.name
	if l.zone != "" {
		l.raw += paramBreak + paramZone + l.zone
	}
	if l.name == propDate {
		l.raw += paramBreak + paramPeriod
	}
	l.raw += propertyMark
	switch l.name {
	case propRule, propExRule:
		l.raw += l.rule
	case propDate:
		l.raw += l.at.Start.Format(clockLayout) + periodBreak + l.at.End.Format(clockLayout)
	default:
		l.raw += l.at.Start.Format(clockLayout)
	}
}

// String returns the set in its stored form.
func (s *Set) String() string {
	texts := make([]string, len(s.lines))
	for i := range s.lines {
		texts[i] = s.lines[i].raw
	}
	return strings.Join(texts, lineBreak)
}

// Empty reports whether the set has no lines.
func (s *Set) Empty() bool { return len(s.lines) == 0 }

// Unknown returns the lines that are not understood. These are all lines if the set does not begin with DTSTART, if its
// properties are not in the usual order, or if they contain several time zones.
func (s *Set) Unknown() (lines []string) {
	place, zone := -1, s.Zone()
	well := s.Empty() || s.lines[0].name == propStart
	for _, l := range s.lines {
		at := slices.Index(order, l.name)
		if at < 0 {
			lines = append(lines, l.raw)
			continue
		}
		again := at == place && at >= slices.Index(order, propDate)
		zoned := l.zone == zone || l.zone == "" && (l.rule != "" || l.name == propExDate)
		well = well && zoned && (at > place || again)
		place = at
	}
	if len(lines) > 0 || well {
		return lines
	}
	return strings.Split(s.String(), lineBreak)
}

// Ruled reports whether dates of the set follow from a rule or are excluded.
func (s *Set) Ruled() bool {
	return slices.ContainsFunc(s.lines, func(l line) bool {
		return l.name == propRule || l.name == propExRule || l.name == propExDate
	})
}

// Excepts reports whether dates are excluded by a rule (EXRULE).
func (s *Set) Excepts() bool { return s.find(propExRule) != nil }

// Zone returns the name of DTSTART's time zone, "" if there is none.
func (s *Set) Zone() string {
	if l := s.find(propStart); l != nil {
		return l.zone
	}
	return ""
}

func (s *Set) find(name string) *line {
	if i := slices.IndexFunc(s.lines, func(l line) bool { return l.name == name }); i >= 0 {
		return &s.lines[i]
	}
	return nil
}

// Start returns the start of the event's main date, which is the first of its rule.
func (s *Set) Start() (at time.Time, ok bool) {
	if l := s.find(propStart); l != nil {
		return l.at.Start, true
	}
	return at, false
}

// End returns the end of the event's main date. ok is false without DTEND, which only sets with a rule have.
func (s *Set) End() (at time.Time, ok bool) {
	if l := s.find(propEnd); l != nil {
		return l.at.Start, true
	}
	return at, false
}

// Rule returns the RRULE, "" if there is none.
func (s *Set) Rule() string {
	if l := s.find(propRule); l != nil {
		return l.rule
	}
	return ""
}

// Dates returns the explicit dates in their stored order. They include the event's main date if the set has no rule.
func (s *Set) Dates() (list []Period) {
	for _, l := range s.lines {
		if l.name == propDate {
			list = append(list, l.at)
		}
	}
	return list
}

// Excluded returns the starts of excluded dates.
func (s *Set) Excluded() (list []time.Time) {
	for _, l := range s.lines {
		if l.name == propExDate {
			list = append(list, l.at.Start)
		}
	}
	return list
}

// New returns a set of explicit dates: the event's main date, and others in order.
func New(zone string, own Period, others []Period) *Set {
	s := &Set{}
	s.addLine(line{name: propStart, zone: zone, at: Period{Start: own.Start}})
	for _, p := range append(slices.Clone(others), own) {
		s.addLine(line{name: propDate, zone: zone, at: p})
	}
	return s
}

// NewRule returns a set with a rule, whose first date is the event's main date, with additional explicit dates and the
// starts of excluded ones.
func NewRule(zone string, own Period, rule string, dates []Period, excluded []time.Time) *Set {
	s := &Set{}
	s.addLine(line{name: propStart, zone: zone, at: Period{Start: own.Start}})
	s.addLine(line{name: propEnd, zone: zone, at: Period{Start: own.End}})
	s.addLine(line{name: propRule, rule: rule})
	for _, p := range dates {
		s.addLine(line{name: propDate, zone: zone, at: p})
	}
	for _, at := range excluded {
		s.addLine(line{name: propExDate, at: Period{Start: at}})
	}
	return s
}

func (s *Set) addLine(l line) {
	l.print()
	s.lines = append(s.lines, l)
}

// Move changes an explicit date and keeps its position. It returns false if there is no date from.
func (s *Set) Move(from, to Period) bool {
	i := slices.IndexFunc(s.lines, func(l line) bool { return l.name == propDate && l.at.Equal(from) })
	if i < 0 {
		return false
	}
	s.lines[i].at = to
	s.lines[i].print()
	return true
}

// MoveOwn changes the event's main date, which becomes the last explicit one. It does nothing if there is no DTSTART.
func (s *Set) MoveOwn(to Period) {
	start := s.find(propStart)
	if start == nil {
		return
	}
	from := start.at.Start
	start.at.Start = to.Start
	start.print()
	own := line{name: propDate, zone: start.zone, at: to}
	own.print()
	for i := len(s.lines) - 1; i >= 0; i-- { // if several start at the same time, the last one is the main date
		if l := s.lines[i]; l.name == propDate && l.at.Start.Equal(from) {
			s.lines = slices.Delete(s.lines, i, i+1)
			break
		}
	}
	at := len(s.lines)
	for at > 0 && slices.Index(order, s.lines[at-1].name) > slices.Index(order, propDate) {
		at--
	}
	s.lines = slices.Insert(s.lines, at, own)
}

// SetZone changes the time zone of all dates and keeps their local times.
func (s *Set) SetZone(zone string) {
	for i := range s.lines {
		if l := &s.lines[i]; l.zone != "" || l.name == propStart {
			l.zone = zone
			l.print()
		}
	}
}
