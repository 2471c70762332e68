package content

import (
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// FieldRecurrence is the name of the field that contains a Rule.
const FieldRecurrence = "recurrence"

const (
	// MaxDates is the maximum number of dates that a request may give an event.
	MaxDates = 1000
	// maxGrown is the maximum number of occurrences of a rule that was stored earlier.
	maxGrown = 10 * MaxDates
	// maxYears is how many years after its start a rule may end.
	maxYears = 100
)

// Rule is the recurrence rule that an edit sets for an event.
type Rule struct {
	Text     string          // RRULE, as recurrence.Check returns it; "" for none
	Written  string          // as the request contains it
	Excluded []ical.DateTime // starts of occurrences to exclude, or days; those that the rule does not generate are ignored
}

func (r *Rule) recurs() bool { return r != nil && r.Text != "" }

// Repeats reports whether the rule equals that of a set.
func (r *Rule) Repeats(set *rset.Set, loc *time.Location) bool {
	var starts []time.Time
	for _, d := range r.Excluded {
		starts = append(starts, wallOf(d, loc))
	}
	stored := set.Excluded()
	slices.SortFunc(starts, time.Time.Compare)
	slices.SortFunc(stored, time.Time.Compare)
	return (r.Written == set.Rule() || r.Text != "" && r.Text == set.Rule()) && slices.EqualFunc(starts, stored, time.Time.Equal)
}

// Preview describes the occurrences that a rule generates.
type Preview struct {
	Starts   []time.Time // of the first occurrences
	Total    int         // number of occurrences, 0 for a rule without an end
	Excluded []time.Time // local starts that the rule generates and the event excludes
}

// Preview returns what the rule generates for an event whose first date begins at first, a local time in loc, with the
// starts of the first n occurrences. whole means an all-day event. It returns the errors that a write of the rule would
// return.
func (r *Rule) Preview(first time.Time, loc *time.Location, whole bool, n int) (p Preview, err error) {
	s := &series{rule: r.Text, own: rset.Period{Start: first, End: first}}
	if err := s.make(span{loc: loc, most: MaxDates, whole: whole}); err != nil {
		return p, err
	}
	for _, d := range r.Excluded {
		s.exclude(wallOf(d, loc), 0)
	}
	p.Excluded = s.excluded
	starts, left := s.starts, s.left()
	if s.beyond != nil {
		starts = s.beyond(first, first.AddDate(maxYears, 0, 0), n+len(left)+1)
	}
	for _, at := range starts {
		if left[at] {
			continue
		}
		p.Total++
		if len(p.Starts) < n {
			p.Starts = append(p.Starts, recurrence.Instant(at, loc))
		}
	}
	if p.Total == 0 {
		return p, fault(FieldRecurrence, "fault_rule_none")
	}
	if s.beyond != nil {
		p.Total = 0
	}
	return p, nil
}

// wallOf returns the local time of d in a time zone.
func wallOf(d ical.DateTime, loc *time.Location) time.Time {
	if d.UTC {
		return recurrence.Wall(d.Wall.In(loc))
	}
	return d.Wall
}

// series are the dates that follow from a rule, in local time.
type series struct {
	rule     string
	own      rset.Period   // the first occurrence of the rule
	added    []rset.Period // explicit dates; one replaces the occurrence of the rule with the same start
	excluded []time.Time   // starts of occurrences that the event does not have
	starts   []time.Time   // starts of all occurrences, including excluded ones; of a rule without an end those in its window

	beyond func(from, to time.Time, most int) []time.Time // all occurrences of a rule without an end, nil for other rules
}

// span is the period for which the occurrences of a rule are generated.
type span struct {
	loc     *time.Location
	now     time.Time // local, like horizon
	horizon time.Time // of rules without an end
	most    int       // maximum number of occurrences
	whole   bool      // the event is an all-day event
}

// make generates the occurrences of the rule; for a rule without an end it prepares them.
func (s *series) make(in span) error {
	refused := func(message string, data ...any) error { return fault(FieldRecurrence, message, data...) }
	r, err := recurrence.Parse(s.rule, s.own.Start)
	switch {
	case err != nil:
		return ErrSeveralDates
	case in.whole && r.Timed():
		return refused("fault_rule_times")
	}
	if r.Endless() {
		return s.makeEndless(r, in)
	}
	end, last := s.own.Start.AddDate(maxYears, 0, 0), time.Date(9999, 12, 1, 0, 0, 0, 0, time.UTC)
	if end.After(last) {
		end = last
	}
	if end.Before(s.own.Start) {
		end = s.own.Start
	}
	list, more := r.Dates(recurrence.ClockIn(in.loc), s.own.Start, end, in.most)
	switch {
	case more:
		return refused("fault_rule_many", "Max", MaxDates)
	case r.Until().After(end) || len(list) < r.Count() && !reached(r, s.own.Start, end):
		return refused("fault_rule_far", "Years", maxYears)
	case len(list) == 0:
		return refused("fault_rule_none")
	}
	s.starts = make([]time.Time, len(list))
	for i, at := range list {
		s.starts[i] = recurrence.Wall(at)
	}
	return nil
}

// reached reports whether a rule generates as many occurrences as its COUNT, of which a clock change may skip some.
func reached(r *recurrence.Rule, start, end time.Time) bool {
	list, _ := r.Dates(recurrence.ClockIn(time.UTC), start, end, r.Count())
	return len(list) == r.Count()
}

// contains reports whether the rule has an occurrence with the start at.
func (s *series) contains(at time.Time) bool {
	_, found := slices.BinarySearchFunc(s.starts, at, time.Time.Compare)
	return found || s.beyond != nil && len(s.beyond(at, at, 1)) > 0
}

// exclude excludes the occurrence that was at a time before the first one was moved: the one with the same start,
// otherwise the one on the same day, otherwise the one that moved by the same duration. If the rule has none of them,
// nothing is excluded.
func (s *series) exclude(at time.Time, moved time.Duration) {
	switch day := s.onDay(at); {
	case s.contains(at):
		s.excluded = append(s.excluded, at)
	case len(day) > 0:
		s.excluded = append(s.excluded, day...)
	case s.contains(at.Add(moved)):
		s.excluded = append(s.excluded, at.Add(moved))
	}
}

// onDay returns the occurrences of the rule on a day.
func (s *series) onDay(day time.Time) (list []time.Time) {
	if s.beyond != nil {
		begin := day.Truncate(24 * time.Hour)
		return s.beyond(begin, begin.Add(24*time.Hour-time.Second), MaxDates)
	}
	for _, at := range s.starts {
		if at.Format(time.DateOnly) == day.Format(time.DateOnly) {
			list = append(list, at)
		}
	}
	return list
}

// settle removes duplicates between occurrences of the rule and added dates. It reports whether an added date has the
// start of the first one and another end.
func (s *series) settle() (conflict bool) {
	length := s.own.End.Sub(s.own.Start)
	s.added = normal(s.added)
	s.added = slices.DeleteFunc(s.added, func(p rset.Period) bool {
		if !s.contains(p.Start) {
			return false
		}
		s.excluded = slices.DeleteFunc(s.excluded, p.Start.Equal)
		same := p.End.Sub(p.Start) == length
		conflict = conflict || !same && p.Start.Equal(s.own.Start)
		return same && (s.beyond == nil || p.Start.Equal(s.own.Start)) // otherwise window decides whether the rule's occurrence is stored
	})
	s.excluded = slices.DeleteFunc(s.excluded, func(at time.Time) bool { return !s.contains(at) })
	slices.SortFunc(s.excluded, time.Time.Compare)
	s.excluded = slices.CompactFunc(s.excluded, time.Time.Equal)
	return conflict
}

// begin makes the first occurrence that is neither excluded nor replaced by an added date the first of the rule,
// because a set begins with the event's main date. It reports whether there is one.
func (s *series) begin() bool {
	if s.beyond != nil {
		return s.beginEndless()
	}
	i := slices.IndexFunc(s.starts, func(at time.Time) bool {
		return !slices.ContainsFunc(s.excluded, at.Equal) &&
			!slices.ContainsFunc(s.added, func(p rset.Period) bool { return p.Start.Equal(at) })
	})
	if i <= 0 {
		return i == 0
	}
	s.own = rset.Period{Start: s.starts[i], End: s.starts[i].Add(s.own.End.Sub(s.own.Start))}
	s.excluded = slices.DeleteFunc(s.excluded, s.own.Start.After)
	s.rule, s.starts = recurrence.WithFewer(s.rule, i), s.starts[i:]
	return true
}

// left returns the starts that are excluded from the rule's occurrences or replaced by added dates.
func (s *series) left() map[time.Time]bool {
	left := map[time.Time]bool{}
	for _, at := range s.excluded {
		left[at] = true
	}
	for _, p := range s.added {
		left[p.Start] = true
	}
	return left
}

// dates returns the occurrences of the rule that the event has, and the dates added to it.
func (s *series) dates() (ofRule, added []rset.Period) {
	length, left := s.own.End.Sub(s.own.Start), s.left()
	for _, at := range s.starts {
		if !left[at] {
			ofRule = append(ofRule, rset.Period{Start: at, End: at.Add(length)})
		}
	}
	return ofRule, s.added
}

// dateOn returns a date in a time zone. Local times that a clock change skips are moved.
func dateOn(p rset.Period, loc *time.Location) (d Date) {
	at := func(wall time.Time) (string, string) {
		t := recurrence.Instant(wall, loc)
		return strtotime.Wall(t), strtotime.Wall(t.UTC())
	}
	d.Start, d.StartUTC = at(p.Start)
	d.End, d.EndUTC = at(p.End)
	return d
}
