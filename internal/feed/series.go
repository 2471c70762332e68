package feed

import (
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/rset"
)

// series is how iCalendar has an event with several dates: a component with the first of them and what follows from it, and
// another one for each date that differs. All times are those of the event's clock, as if they were UTC.
//
// It is written for readers as they are, which .ci/feeds has four of. None reads the PERIOD of an RDATE: khal leaves the
// whole event out, ical.js and recurring_ical_events fail. So a date that has another length is a component of its own
// (RECURRENCE-ID). node-ical reads no RDATE, but all such components, if there is a rule; ical.js forgets the start where
// there is an RDATE and no rule. So each explicit date is both, and where there is no rule it is one of a single date.
// ical.js gives twice what is both a date of the rule and explicit.
type series struct {
	rset.Period
	rule    string      // "" where there is one date
	fewer   int         // dates that its COUNT no longer has
	added   []time.Time // starts of dates that are not the rule's
	left    []time.Time // starts of dates of the rule that the event has not
	changed []change    // dates with times of their own
}

// course is on which clock, and until when, the dates of a series are looked at one by one.
type course struct {
	zone *time.Location // nil for whole days
	last time.Time      // when the last date that is stored ends
}

// change is a date whose component of its own replaces the one that begins at of, or at a moment that is added for it.
type change struct {
	of time.Time
	rset.Period
	between time.Time // the two moments at which the clock shows the start of the rule's date; zero where it shows it once
}

// firstAlone is the rule of an event whose dates are explicit.
const firstAlone = "FREQ=DAILY;COUNT=1"

// maxAhead is how far ahead of its start the first date of a rule is looked for that follows from the rule.
const maxAhead = 30 * 366 * 24 * time.Hour

// maxBegin is how many dates are tried as the first one.
const maxBegin = 10

// explicitSeries returns the series of some dates.
func explicitSeries(dates []rset.Period) *series {
	dates = ordered(dates)
	s := &series{Period: dates[0]}
	for _, p := range dates[1:] {
		s.rule = firstAlone
		s.add(p)
	}
	return s
}

// ordered returns dates in their order. Of those that start at the same time it has the first one alone.
func ordered(dates []rset.Period) []rset.Period {
	dates = slices.Clone(dates)
	slices.SortStableFunc(dates, func(a, b rset.Period) int { return a.Start.Compare(b.Start) })
	return slices.CompactFunc(dates, func(a, b rset.Period) bool { return a.Start.Equal(b.Start) })
}

// add adds an explicit date.
func (s *series) add(p rset.Period) {
	s.added = append(s.added, p.Start)
	s.changed = append(s.changed, change{of: p.Start, Period: p})
}

// ruledSeries returns the series of a rule whose first date is own, of explicit dates beside it, which count where it has
// one at the same time, and of starts that it leaves out. An error means that the rule is not understood.
func ruledSeries(own rset.Period, rule string, explicit []rset.Period, excluded []time.Time, in course) (*series, error) {
	r, err := recurrence.Parse(rule, own.Start)
	if err != nil {
		return nil, err
	}
	s := &series{Period: own, rule: rule}
	if explicit = ordered(s.begin(r, explicit, excluded, in)); s.rule == "" {
		if len(explicit) == 0 {
			return s, nil
		}
		return explicitSeries(explicit), nil
	}
	s.compare(s.near(r, explicit, excluded), explicit, excluded)
	if text, ok := recurrence.Portable(s.rule, s.Start); ok {
		s.rule = text
	}
	s.heedClock(r, in)
	return s, nil
}

// begin has the series begin with the first date that is the rule's and not special, since readers take its length for that of the
// others. Those before it become explicit ones, which it returns with those that are. Without any other date there is no rule.
func (s *series) begin(r *recurrence.Rule, explicit []rset.Period, excluded []time.Time, in course) []rset.Period {
	own, first := s.Period, 0
	if !r.Regular() {
		first = 1
	} else if !in.special(own) {
		return explicit
	}
	dates, _ := r.Dates(wallClock, own.Start, own.Start.Add(maxAhead), maxBegin)
	of := func(start time.Time) rset.Period {
		return rset.Period{Start: start, End: start.Add(own.End.Sub(own.Start))}
	}
	if i := slices.IndexFunc(dates[min(first, len(dates)):], func(at time.Time) bool { return !in.special(of(at)) }); i > 0 {
		first += i
	}
	for _, at := range dates[:first] {
		if !slices.ContainsFunc(explicit, func(p rset.Period) bool { return p.Start.Equal(at) }) && !contains(excluded, at) {
			explicit = append(explicit, of(at))
		}
	}
	if first == len(dates) {
		s.rule = ""
	} else {
		s.fewer, s.Period = first, of(dates[first])
	}
	return explicit
}

// wallClock is a clock in UTC: it shows what it shows.
func wallClock(wall time.Time) time.Time { return wall }

func contains(list []time.Time, at time.Time) bool { return slices.ContainsFunc(list, at.Equal) }

// near returns the dates of the rule among and next to those that are explicit or left out.
func (s *series) near(r *recurrence.Rule, explicit []rset.Period, excluded []time.Time) []time.Time {
	if len(explicit)+len(excluded) == 0 {
		return nil
	}
	last := s.Start
	for _, at := range excluded {
		last = latest(last, at)
	}
	for _, p := range explicit {
		last = latest(last, p.Start)
	}
	dates, _ := r.Dates(wallClock, s.Start, last.AddDate(1, 0, 0), maxNear)
	return dates
}

// maxNear bounds the dates of a rule that are looked at: an event has at most 1,000 (D69).
const maxNear = 5000

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// compare finds out what differs from the dates of the rule. A date that is left out and an explicit one between the dates
// before and after it are one that was moved.
func (s *series) compare(dates []time.Time, explicit []rset.Period, excluded []time.Time) {
	length, moved := s.End.Sub(s.Start), map[time.Time]bool{}
	starts := make([]time.Time, len(explicit))
	for i, p := range explicit {
		starts[i] = p.Start
	}
	excluded = slices.SortedFunc(slices.Values(excluded), time.Time.Compare)
	for _, at := range slices.CompactFunc(excluded, time.Time.Equal) {
		i, ofRule := slices.BinarySearchFunc(dates, at, time.Time.Compare)
		if !ofRule || contains(starts, at) {
			continue
		}
		to := slices.IndexFunc(explicit, func(p rset.Period) bool {
			after := i == 0 || p.Start.After(dates[i-1])
			return after && !moved[p.Start] && !contains(dates, p.Start) && (i+1 == len(dates) || p.Start.Before(dates[i+1]))
		})
		if to < 0 {
			s.left = append(s.left, at)
			continue
		}
		moved[explicit[to].Start] = true
		s.changed = append(s.changed, change{of: at, Period: explicit[to]})
	}
	for _, p := range explicit {
		switch {
		case moved[p.Start]:
		case !contains(dates, p.Start):
			s.add(p)
		case p.End.Sub(p.Start) != length:
			s.changed = append(s.changed, change{of: p.Start, Period: p})
		}
	}
	slices.SortFunc(s.changed, func(a, b change) int { return a.of.Compare(b.of) })
}
