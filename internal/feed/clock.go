package feed

import (
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/rset"
)

// special reports whether programs that read the feed compute other times for an occurrence than it has. That is the
// case if clocks change during it, or if its start or end is ambiguous or skipped because of a change of clocks.
func (in course) special(p rset.Period) bool {
	if in.zone == nil {
		return false
	}
	start, end := recurrence.Instant(p.Start, in.zone), recurrence.Instant(p.End, in.zone)
	return end.Sub(start) != p.End.Sub(p.Start) || skipped(p.Start, in.zone) || skipped(p.End, in.zone) ||
		twice(p.Start, in.zone) || twice(p.End, in.zone)
}

// skipped reports whether a local time does not exist in a zone.
func skipped(wall time.Time, zone *time.Location) bool {
	return !recurrence.Wall(recurrence.Instant(wall, zone)).Equal(wall)
}

// twice reports whether a local time is ambiguous in a zone, because clocks are set back.
func twice(wall time.Time, zone *time.Location) bool {
	first := recurrence.Instant(wall, zone)
	_, change := first.ZoneBounds()
	if change.IsZero() {
		return false
	}
	before, after := offsets(change)
	return after < before && change.Sub(first) <= before-after
}

// offsets returns the offsets from UTC before and after a change of clocks.
func offsets(change time.Time) (before, after time.Duration) {
	_, was := change.Add(-time.Second).Zone()
	_, is := change.Zone()
	return time.Duration(was) * time.Second, time.Duration(is) * time.Second
}

// heedClock represents the special occurrences of the rule as components of their own. If a start is ambiguous,
// programs disagree about which of the two times it means. So both are excluded, and the component replaces an
// occurrence that is added at a time between them, because ical.js requires one there in order to see the second time.
// node-ical does not count an occurrence whose start is skipped, so a rule with one gets an UNTIL in place of its
// COUNT.
func (s *series) heedClock(r *recurrence.Rule, in course) {
	if in.zone == nil || in.last.IsZero() {
		return
	}
	for _, date := range s.specialDates(r, in) {
		if r.Count() > 0 && skipped(date.of, in.zone) {
			s.endAtLast(r)
		}
		i := slices.IndexFunc(s.changed, func(c change) bool { return c.of.Equal(date.of) })
		if i < 0 && !contains(s.left, date.of) {
			i, s.changed = len(s.changed), append(s.changed, date)
		}
		if i >= 0 && twice(date.of, in.zone) {
			first := recurrence.Instant(date.of, in.zone)
			_, turn := first.ZoneBounds()
			before, after := offsets(turn)
			s.changed[i].between = first.Add((before - after) / 2).UTC()
			s.left = append(s.left, date.of)
		}
	}
	slices.SortFunc(s.changed, func(a, b change) int { return a.of.Compare(b.of) })
}

// specialDates returns the special occurrences of the rule, up to the last stored one: the start according to the rule,
// and the times at which each really takes place.
func (s *series) specialDates(r *recurrence.Rule, in course) (dates []change) {
	length := s.End.Sub(s.Start)
	at, last := recurrence.Instant(s.Start, in.zone), recurrence.Instant(in.last, in.zone)
	for {
		_, next := at.ZoneBounds()
		if next.IsZero() || next.After(last) {
			return dates
		}
		before, after := offsets(next)
		from := latest(s.Start, next.UTC().Add(min(before, after)-length))
		to := next.UTC().Add(max(before, after))
		if r.Timed() || passes(s.Start, from, to) {
			near, _ := r.Dates(wallClock, from, to, maxNear)
			for _, start := range near {
				of := rset.Period{Start: start, End: start.Add(length)}
				known := func(c change) bool { return c.of.Equal(start) }
				if in.special(of) && !slices.ContainsFunc(dates, known) {
					of.Start = recurrence.Wall(recurrence.Instant(start, in.zone))
					of.End = of.Start.Add(length)
					dates = append(dates, change{of: start, Period: of})
				}
			}
		}
		at = next
	}
}

// passes reports whether a time of day occurs between two times.
func passes(of, from, to time.Time) bool {
	const day = 24 * time.Hour
	at := from.Truncate(day).Add(of.Sub(of.Truncate(day)))
	return !at.Before(from) && !at.After(to) || !at.Add(day).After(to)
}

// endAtLast replaces the COUNT of the rule by an UNTIL with its last date.
func (s *series) endAtLast(r *recurrence.Rule) {
	dates, _ := r.Dates(wallClock, s.Start, s.Start.Add(maxAhead), maxNear)
	s.rule, s.fewer = recurrence.EndingAt(s.rule, dates[len(dates)-1]), 0
}
