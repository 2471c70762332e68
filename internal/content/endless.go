package content

import (
	"time"

	"github.com/agendahq/agenda/internal/recurrence"
)

// maxPast is how many past dates of a rule without an end are looked at for the newest ones.
const maxPast = 100_000

// makeEndless works out the dates of a rule without an end: the event's own, however long past, and those from now on up to the
// horizon, at most MaxDates in all and at least one to come. Past ones stay while there is room, the newest first (D84).
func (s *series) makeEndless(r *recurrence.Rule, in span) error {
	clock, start := recurrence.In(in.loc), s.own.Start
	if next, _ := r.Dates(clock, start.Add(time.Second), start.AddDate(maxYears, 0, 0), 1); len(next) == 0 {
		return fault(FieldRecurrence, "fault_rule_none")
	}
	from := in.horizon.AddDate(0, -in.months, 0)
	if from.Before(start) {
		from = start
	}
	most := MaxDates
	if from.After(start) {
		most-- // the event's own date
	}
	list, _ := r.Dates(clock, from, in.horizon, most)
	if len(list) == 0 {
		list, _ = r.Dates(clock, from, from.AddDate(maxYears, 0, 0), 1)
	}
	if from.After(start) {
		past, _ := r.Dates(clock, start, from.Add(-time.Second), maxPast)
		if room := MaxDates - len(list); len(past) > room {
			past = append(past[:1:1], past[len(past)-room+1:]...)
		}
		list = append(past, list...)
	}
	s.starts = make([]time.Time, len(list))
	for i, at := range list {
		s.starts[i] = recurrence.Wall(at)
	}
	s.beyond = func(from, to time.Time) (walls []time.Time) {
		found, _ := r.Dates(clock, from, to, MaxDates)
		for _, at := range found {
			walls = append(walls, recurrence.Wall(at))
		}
		return walls
	}
	return nil
}
