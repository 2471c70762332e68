package content

import (
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// FieldRecurrence is the name of the field that gives a Rule.
const FieldRecurrence = "recurrence"

const (
	// MaxDates is how many dates an event may be given.
	MaxDates = 1000
	// maxGrown is how many dates a rule may have that was written before.
	maxGrown = 10 * MaxDates
	// maxYears is how long after its start a rule may end.
	maxYears = 100
)

// Rule is the rule that an edit gives the dates of an event.
type Rule struct {
	Text     string          // RRULE, as recurrence.Check returns it; "" for none
	Written  string          // as it was given
	Excluded []ical.DateTime // starts of dates that the event shall not have, or days; what the rule has not either does not count
}

func (r *Rule) recurs() bool { return r != nil && r.Text != "" }

// Repeats reports whether the rule is that of a set.
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

// Preview is what a rule makes of an event.
type Preview struct {
	Starts   []time.Time // of the first dates
	Total    int         // of dates, 0 for a rule without an end
	Excluded []time.Time // starts, on the clock, that the rule has and the event has not
}

// Preview returns what the rule makes of an event whose first date begins at a time on the clock of a zone, with the starts of its first n
// dates; whole says that it takes whole days. It refuses what a write of the rule refuses.
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

// wallOf returns a time on the clock of a zone.
func wallOf(d ical.DateTime, loc *time.Location) time.Time {
	if d.UTC {
		return recurrence.Wall(d.Wall.In(loc))
	}
	return d.Wall
}

// series are dates that follow from a rule. Times are those of the clock.
type series struct {
	rule     string
	own      rset.Period   // the first date of the rule
	added    []rset.Period // explicit dates, in place of one of the rule that begins at the same time
	excluded []time.Time   // starts of dates of the rule that the event has not
	starts   []time.Time   // of the dates of the rule, those that are excluded too; of a rule without an end those of its window

	beyond func(from, to time.Time, most int) []time.Time // all dates of a rule without an end, nil for others
}

// span is for which time the dates of a rule are made.
type span struct {
	loc     *time.Location
	now     time.Time // on the clock, as is the next
	horizon time.Time // of rules without an end
	most    int       // dates
	whole   bool      // the event takes whole days
}

// make works out the dates of the rule, and prepares those of one without an end.
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
	list, more := r.Dates(recurrence.In(in.loc), s.own.Start, end, in.most)
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

// reached reports whether a rule has as many dates as it names, of which a clock may leave some out.
func reached(r *recurrence.Rule, start, end time.Time) bool {
	list, _ := r.Dates(recurrence.In(time.UTC), start, end, r.Count())
	return len(list) == r.Count()
}

// has reports whether the rule has a date that begins at a time.
func (s *series) has(at time.Time) bool {
	_, found := slices.BinarySearchFunc(s.starts, at, time.Time.Compare)
	return found || s.beyond != nil && len(s.beyond(at, at, 1)) > 0
}

// exclude leaves out the date that was at a time before the first one moved: the one of the same time, else the one of the same
// day, else the one that moved as far. Where the rule has none of these, nothing is left out.
func (s *series) exclude(at time.Time, moved time.Duration) {
	switch day := s.of(at); {
	case s.has(at):
		s.excluded = append(s.excluded, at)
	case len(day) > 0:
		s.excluded = append(s.excluded, day...)
	case s.has(at.Add(moved)):
		s.excluded = append(s.excluded, at.Add(moved))
	}
}

// of returns the dates of the rule on a day.
func (s *series) of(day time.Time) (list []time.Time) {
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

// settle leaves each date in one place alone. It reports whether an added date has the start of the first one and
// another end.
func (s *series) settle() (conflict bool) {
	length := s.own.End.Sub(s.own.Start)
	s.added = normal(s.added)
	s.added = slices.DeleteFunc(s.added, func(p rset.Period) bool {
		if !s.has(p.Start) {
			return false
		}
		s.excluded = slices.DeleteFunc(s.excluded, p.Start.Equal)
		same := p.End.Sub(p.Start) == length
		conflict = conflict || !same && p.Start.Equal(s.own.Start)
		return same && (s.beyond == nil || p.Start.Equal(s.own.Start)) // else window finds out whether the rule's own is stored
	})
	s.excluded = slices.DeleteFunc(s.excluded, func(at time.Time) bool { return !s.has(at) })
	slices.SortFunc(s.excluded, time.Time.Compare)
	s.excluded = slices.CompactFunc(s.excluded, time.Time.Equal)
	return conflict
}

// begin makes the first date that is neither excluded nor replaced by an added one the first of the rule, and reports whether there
// is one: the event has its own date, with which its set begins.
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

// left returns the starts of dates that are not those of the rule, as they are excluded or added.
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

// dates returns the dates of the rule that the event has, and those added to it.
func (s *series) dates() (ofRule, added []rset.Period) {
	length, left := s.own.End.Sub(s.own.Start), s.left()
	for _, at := range s.starts {
		if !left[at] {
			ofRule = append(ofRule, rset.Period{Start: at, End: at.Add(length)})
		}
	}
	return ofRule, s.added
}

// dateOn returns a date on the clock of a zone, which may leave its times out.
func dateOn(p rset.Period, loc *time.Location) (d Date) {
	at := func(wall time.Time) (string, string) {
		t := recurrence.Instant(wall, loc)
		return strtotime.Wall(t), strtotime.Wall(t.UTC())
	}
	d.Start, d.StartUTC = at(p.Start)
	d.End, d.EndUTC = at(p.End)
	return d
}
