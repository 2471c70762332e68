package feed

import (
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/rset"
)

// series describes how iCalendar represents a recurring event: as a component for the first occurrence with a rule and
// additional dates, and as one more component for each occurrence that differs. All times are local times of the event,
// represented as if they were UTC.
//
// The representation is adapted to how programs read it; four of them are tested in .ci/feeds. None supports PERIOD
// values of RDATE: khal skips the whole event, and ical.js and recurring_ical_events fail. So an occurrence with
// another duration is a component of its own (RECURRENCE-ID). node-ical ignores RDATE but reads all such components if
// there is a rule; ical.js ignores DTSTART if there is an RDATE and no rule. So each explicit occurrence is both an
// RDATE and a component, and an event without a rule gets a rule with one date. ical.js shows an occurrence twice if it
// is a date of the rule as well as an RDATE.
type series struct {
	rset.Period
	rule    string      // "" for a single occurrence
	fewer   int         // by how many dates the rule's COUNT must be reduced
	added   []time.Time // starts of occurrences in addition to the rule
	left    []time.Time // starts of the rule's dates at which there is no occurrence
	changed []change    // occurrences with a component of their own
}

// course contains the clock of a series, and the end of the period in which its occurrences are examined one by one.
type course struct {
	zone *time.Location // nil for an all-day event
	last time.Time      // the end of the last stored occurrence
}

// change is an occurrence whose component replaces the one that starts at of or, if between is set, the one that is
// added at that instant.
type change struct {
	of time.Time
	rset.Period
	between time.Time // an instant between both times that an ambiguous local start may mean; zero if it is not ambiguous
}

// firstAlone is the rule of an event whose occurrences are listed explicitly.
const firstAlone = "FREQ=DAILY;COUNT=1"

// maxAhead is how far after its start the dates of a rule are searched.
const maxAhead = 30 * 366 * 24 * time.Hour

// maxBegin is the maximum number of dates that are tried as the first one.
const maxBegin = 10

// explicitSeries returns the series for a list of occurrences.
func explicitSeries(dates []rset.Period) *series {
	dates = ordered(dates)
	s := &series{Period: dates[0]}
	for _, p := range dates[1:] {
		s.rule = firstAlone
		s.addExplicit(p)
	}
	return s
}

// ordered sorts occurrences by start, and keeps only the first of several with the same start.
func ordered(dates []rset.Period) []rset.Period {
	dates = slices.Clone(dates)
	slices.SortStableFunc(dates, func(a, b rset.Period) int { return a.Start.Compare(b.Start) })
	return slices.CompactFunc(dates, func(a, b rset.Period) bool { return a.Start.Equal(b.Start) })
}

// addExplicit adds an explicit occurrence.
func (s *series) addExplicit(p rset.Period) {
	s.added = append(s.added, p.Start)
	s.changed = append(s.changed, change{of: p.Start, Period: p})
}

// ruledSeries returns the series for a rule whose first date is own, explicit occurrences, and excluded starts. If an
// explicit occurrence starts at a date of the rule, it replaces that date. An error means that the rule cannot be
// parsed.
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

// begin makes the series begin with the first date that matches the rule and is not special, because programs use its
// duration for all other dates. It returns the explicit occurrences together with the dates before that one. If no date
// remains for the rule, s.rule becomes "".
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

// wallClock is a clock without changes, for local times represented as UTC.
func wallClock(wall time.Time) time.Time { return wall }

func contains(list []time.Time, at time.Time) bool { return slices.ContainsFunc(list, at.Equal) }

// near returns the dates of the rule up to a year after the last explicit or excluded one.
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

// maxNear limits the number of a rule's dates that are examined. An event has at most 1,000 occurrences (D69).
const maxNear = 5000

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// compare determines how the occurrences differ from the dates of the rule. An excluded date and an explicit occurrence
// between its neighbors are represented as one date that was moved.
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
			s.addExplicit(p)
		case p.End.Sub(p.Start) != length:
			s.changed = append(s.changed, change{of: p.Start, Period: p})
		}
	}
	slices.SortFunc(s.changed, func(a, b change) int { return a.of.Compare(b.of) })
}
