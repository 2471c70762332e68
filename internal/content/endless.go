package content

import (
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/rset"
)

// maxPast is how many past occurrences of a rule without an end are generated to find the newest ones.
const maxPast = 100_000

// makeEndless prepares the occurrences of a rule without an end. beginEndless and window choose which of them are
// stored.
func (s *series) makeEndless(r *recurrence.Rule, in span) error {
	clock, start := recurrence.ClockIn(in.loc), s.own.Start
	if next, _ := r.Dates(clock, start.Add(time.Second), start.AddDate(maxYears, 0, 0), 1); len(next) == 0 {
		return fault(FieldRecurrence, "fault_rule_none")
	}
	s.beyond = func(from, to time.Time, most int) (walls []time.Time) {
		found, _ := r.Dates(clock, from, to, most)
		for _, at := range found {
			walls = append(walls, recurrence.Wall(at))
		}
		return walls
	}
	return nil
}

// beginEndless is begin for a rule without an end. It reports false only if all occurrences of a hundred years are
// excluded.
func (s *series) beginEndless() bool {
	left := s.left()
	for _, at := range s.beyond(s.own.Start, s.own.Start.AddDate(maxYears, 0, 0), len(left)+1) {
		alike := slices.IndexFunc(s.added, func(p rset.Period) bool { return p.Start.Equal(at) && s.repeats(p) })
		if left[at] && alike < 0 {
			continue
		}
		if len(s.excluded)+len(s.added) > 0 && at.After(s.own.Start) {
			s.own = rset.Period{Start: at, End: at.Add(s.own.End.Sub(s.own.Start))}
			s.excluded = slices.DeleteFunc(s.excluded, at.After)
		}
		if alike >= 0 {
			s.added = slices.Delete(s.added, alike, alike+1)
		}
		s.starts = []time.Time{at}
		return true
	}
	return false
}

// window chooses which occurrences of a rule without an end are stored: the main occurrence, however old it is, and
// those from now up to the horizon. Together with the added dates there are at most MaxDates, and at least one in the
// future. The remaining capacity is used for past occurrences, newest first (D84).
func (s *series) window(in span) {
	first, left := s.starts[0], s.left()
	left[first] = true
	dates := func(from, to time.Time, most int) []time.Time {
		return slices.DeleteFunc(s.beyond(from, to, most), func(at time.Time) bool { return left[at] })
	}
	room := MaxDates - 1 - len(s.added)
	from := in.now
	if from.Before(first) {
		from = first
	}
	come := dates(from, in.horizon, max(room, 0)+len(left))
	come = come[:min(len(come), max(room, 0))]
	if len(come) == 0 && first.Before(in.now) {
		come = dates(from, from.AddDate(maxYears, 0, 0), 1+len(left))
		come = come[:min(len(come), 1)]
	}
	room = max(room-len(come), 0)
	var past []time.Time
	for days := 1; len(past) < room && first.Before(from); days *= 4 {
		since := from.AddDate(0, 0, -days)
		if !since.After(first) {
			past = dates(first, from.Add(-time.Second), maxPast)
			break
		}
		past = dates(since, from.Add(-time.Second), maxPast)
	}
	s.starts = slices.Concat(s.starts, past[max(len(past)-room, 0):], come)
	s.unite()
}

// unite turns added dates that repeat an occurrence of the rule back into occurrences of the rule, if they are within
// the window. Outside the window they stay explicit, because the rule alone would not store them.
func (s *series) unite() {
	if len(s.starts) < 2 {
		return
	}
	from, to := s.starts[1], s.starts[len(s.starts)-1]
	s.added = slices.DeleteFunc(s.added, func(p rset.Period) bool {
		within := !p.Start.Before(from) && !p.Start.After(to) && s.repeats(p)
		if within {
			s.starts = append(s.starts, p.Start)
		}
		return within
	})
	slices.SortFunc(s.starts, time.Time.Compare)
}

// repeats reports whether an added date has the same start and length as an occurrence of the rule.
func (s *series) repeats(p rset.Period) bool {
	return p.End.Sub(p.Start) == s.own.End.Sub(s.own.Start) && len(s.beyond(p.Start, p.Start, 1)) > 0
}
