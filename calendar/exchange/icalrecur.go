package exchange

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/recurrence"
)

// maxOccurrences is the maximum number of events that a recurring event is expanded to, and maxSpan how long before the
// end of the expansion a rule may begin. They bound the time that an expansion takes.
const (
	maxOccurrences = 5000
	maxSpan        = 200 * 366 * 24 * time.Hour
)

// occurrences queues the event. A recurring event becomes one event per occurrence with Expand, and otherwise one event
// with all of them.
func (e *eventReader) occurrences(w when) *Problem {
	if e.s.Expand.IsZero() && e.c.First("RECURRENCE-ID") == nil && e.all("RRULE", "RDATE", "EXRULE", "EXDATE") != nil {
		return e.recurring(w)
	}
	if p := e.c.First("RECURRENCE-ID"); p != nil && e.s.Expand.IsZero() {
		return e.gathered(w)
	} else if p != nil {
		m, at, reason := e.date(p, p.Value)
		switch {
		case reason != "":
			return e.s.problem(p.Line, e.item, p.Name, reason)
		case p.Param("RANGE") != "":
			return e.s.problem(p.Line, e.item, p.Name, "changes of all later dates are not supported")
		}
		e.queue(w, occurrenceUID(e.rec.UID, at, m.Day))
		return nil
	}
	if e.all("RRULE", "RDATE", "EXRULE", "EXDATE") == nil {
		e.queue(w, "")
		return nil
	}
	list, p := e.dates(w)
	if p != nil {
		return p
	}
	if len(list) == 0 {
		return e.s.problem(e.c.Line, e.item, "RRULE", "none of its dates is left")
	}
	for _, one := range list {
		e.queue(one, occurrenceUID(e.rec.UID, one.start, one.allDay))
	}
	return nil
}

// occurrenceUID returns the UID of an event that is one occurrence of a recurring one.
func occurrenceUID(uid string, at time.Time, day bool) string {
	form := "20060102T150405Z"
	if day {
		form = "20060102"
	}
	if uid == "" {
		return ""
	}
	return uid + "_" + at.UTC().Format(form)
}

// dates returns the occurrences of a recurring event that are neither replaced nor excluded.
func (e *eventReader) dates(w when) (list []when, problem *Problem) {
	refuse := func(p *ical.Property, reason string) ([]when, *Problem) {
		return nil, e.s.problem(p.Line, e.item, p.Name, reason)
	}
	for _, p := range e.all("EXRULE") {
		return refuse(p, "is not supported")
	}
	starts, lengths := []time.Time{}, map[int64]time.Duration{}
	rules := e.all("RRULE")
	for _, p := range rules {
		more, reason := e.ruleDates(p, w)
		if reason != "" {
			return refuse(p, reason)
		}
		starts = append(starts, more...)
	}
	if len(rules) == 0 {
		starts = append(starts, w.start)
	}
	for _, p := range e.all("RDATE") {
		for text := range strings.SplitSeq(p.Value, ",") {
			one, reason := e.explicitDate(p, text, w)
			if reason != "" {
				return refuse(p, reason)
			}
			if !one.start.After(e.s.Expand) {
				starts, lengths[one.start.Unix()] = append(starts, one.start), one.end.Sub(one.start)
			}
		}
	}
	left, p, reason := e.leftOut(w.allDay)
	if reason != "" {
		return refuse(p, reason)
	}
	slices.SortFunc(starts, time.Time.Compare)
	starts = slices.CompactFunc(starts, time.Time.Equal)
	for _, at := range starts {
		if left(at) || e.replaced(at, w.allDay) {
			continue
		}
		if len(list) == maxOccurrences {
			return refuse(e.all("RRULE", "RDATE")[0], fmt.Sprintf("is more than %d events", maxOccurrences))
		}
		length, given := lengths[at.Unix()]
		if !given {
			length = w.end.Sub(w.start)
		}
		one := when{w.allDay, at, at.Add(length)}
		if !storable(one.start) || !storable(one.end) {
			return refuse(e.c.First("DTSTART"), "is not in the years 1 to 9999")
		}
		list = append(list, one)
	}
	return list, nil
}

// explicitDate reads one of the occurrences of an RDATE, or returns why it is invalid. own is the event's own
// occurrence.
func (e *eventReader) explicitDate(p *ical.Property, text string, own when) (w when, reason string) {
	from, to, period := strings.Cut(text, "/")
	m, at, reason := e.date(p, from)
	switch {
	case reason != "":
		return w, reason
	case m.Day != own.allDay:
		return w, "only one of it and the start has a time"
	case m.UTC:
		at = at.In(own.start.Location()) // in the same time zone as the other occurrences
	}
	length := own.end.Sub(own.start)
	if period {
		if length, reason = e.periodLength(p, at, to); reason != "" {
			return w, reason
		}
	}
	if w = (when{own.allDay, at, at.Add(length)}); !storable(w.start) || !storable(w.end) {
		return w, "is not in the years 1 to 9999"
	}
	return w, ""
}

// leftOut returns a function that reports whether EXDATE excludes an occurrence, or else the property that cannot be
// read and the reason. An event with times may exclude whole days.
func (e *eventReader) leftOut(allDay bool) (left func(time.Time) bool, wrong *ical.Property, reason string) {
	moments, days := map[int64]bool{}, map[string]bool{}
	for _, p := range e.all("EXDATE") {
		for text := range strings.SplitSeq(p.Value, ",") {
			m, at, reason := e.date(p, text)
			if reason != "" {
				return nil, p, reason
			}
			if m.Day || allDay {
				days[at.Format(time.DateOnly)] = true
			} else {
				moments[at.Unix()] = true
			}
		}
	}
	return func(at time.Time) bool { return moments[at.Unix()] || days[at.Format(time.DateOnly)] }, nil, ""
}

// replaced reports whether a separate component replaces an occurrence. The RECURRENCE-ID may be a day although the
// event has times, or a time although it is an all-day event, because Outlook writes these so.
func (e *eventReader) replaced(at time.Time, allDay bool) bool {
	uid := e.rec.UID
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	if e.s.replaced(uid, day, true) || e.s.replaced(uid, at, false) {
		return true
	}
	start := e.c.First("DTSTART")
	m, _ := ical.ParseDateTime(start.Value)
	if !allDay || m.Day {
		return false
	}
	z, _ := e.zone(start, m)
	midnight, _ := z.at(day)
	return e.s.replaced(uid, midnight, false)
}

// ruleDates returns the starts of a rule, or why there are none.
func (e *eventReader) ruleDates(p *ical.Property, w when) (list []time.Time, reason string) {
	start, loc := recurrence.Wall(w.start), w.start.Location()
	r, err := recurrence.Parse(p.Value, start)
	if err != nil {
		return nil, err.Error()
	}
	end := recurrence.Wall(e.s.Expand.In(loc))
	if end.Sub(start) > maxSpan {
		return nil, "begins too long ago"
	}
	clock := func(wall time.Time) time.Time { return wall }
	if !w.allDay {
		zone := &zone{loc: loc}
		begin := e.c.First("DTSTART")
		if m, _ := ical.ParseDateTime(begin.Value); !m.UTC {
			zone, _ = e.zone(begin, m)
		}
		clock = func(wall time.Time) time.Time {
			at, ok := zone.at(wall)
			if !ok {
				reason = "has an offset from UTC that cannot be stored"
			}
			return at
		}
	}
	list, more := r.Dates(clock, start, end, 2*maxOccurrences+1)
	if len(list) < 2 {
		e.reportLone(p, r)
	}
	if more && reason == "" {
		reason = fmt.Sprintf("is more than %d events", maxOccurrences)
	}
	return list, reason
}

// reportLone reports a rule that should have a second date and has none, such as one of 30 February, which the API
// rejects (D84): the event then takes place once.
func (e *eventReader) reportLone(p *ical.Property, r *recurrence.Rule) {
	if !r.Endless() && r.Count() < 2 {
		return
	}
	start := r.Start()
	if dates, _ := r.Dates(recurrence.ClockIn(time.UTC), start, start.Add(maxAhead), 2); len(dates) < 2 {
		e.problem(p, "has no second date in 30 years, and is left out")
	}
}

// date reads one date of a property in the property's time zone, or returns why it is invalid.
func (e *eventReader) date(p *ical.Property, text string) (m ical.DateTime, at time.Time, reason string) {
	m, ok := dateTimeOf(p, text)
	if !ok {
		return m, at, "is not a date: " + clipText(text)
	}
	if m.Day {
		return m, m.Wall, ""
	}
	z, reason := e.zone(p, m)
	if reason != "" {
		return m, at, reason
	}
	if at, ok = instantIn(z, m); !ok {
		return m, at, "has an offset from UTC that cannot be stored"
	}
	return m, at, ""
}

// periodLength returns the length of a period from its end or its duration.
func (e *eventReader) periodLength(p *ical.Property, from time.Time, text string) (time.Duration, string) {
	if length, ok := ical.ParseDuration(text); ok {
		return max(0, lengthened(from, length).Sub(from)), ""
	}
	_, to, reason := e.date(p, text)
	if reason == "" && to.Before(from) {
		reason = "the end is before the start"
	}
	return to.Sub(from), reason
}
