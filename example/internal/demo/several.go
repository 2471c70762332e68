package demo

import (
	"fmt"
	"time"

	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/schema"
)

// several contains the occurrences of a recurring event.
type several struct {
	set      *rset.Set
	rules    string // of the meta row, "" if there is none
	dates    []span // in order, the event's own first
	explicit bool
}

// first returns the event's own occurrence.
func (e event) first(now time.Time) (span, error) {
	if e.Rule == "" {
		return e.At.resolve(now)
	}
	s, err := e.ruled(now)
	if err != nil {
		return span{}, err
	}
	return s.dates[0], nil
}

// several returns the occurrences of a recurring event on a site that is filled at now, or nil for an event that does
// not recur.
func (e event) several(now time.Time) (*several, error) {
	switch {
	case e.Rule != "":
		return e.ruled(now)
	case e.Also == nil:
		return nil, nil
	}
	s := &several{explicit: true}
	for _, weeks := range append([]int{0}, e.Also...) {
		at := e.At
		at.In += 7 * weeks
		date, err := at.resolve(now)
		if err != nil {
			return nil, err
		}
		s.dates = append(s.dates, date)
	}
	others := make([]rset.Period, len(e.Also))
	for i, date := range s.dates[1:] {
		others[i] = date.period()
	}
	own := s.dates[0]
	rules := rset.ParseRules("")
	rules.Set(own.period(), others)
	s.set, s.rules = rset.New(own.zone, own.period(), others), rules.String()
	return s, nil
}

// dates returns the occurrences of a recurring event. It returns none if they are invalid, which is an error when the
// event is composed.
func (e event) dates(now time.Time) []span {
	if s, err := e.several(now); err == nil && s != nil {
		return s.dates
	}
	return nil
}

// ruled returns the occurrences of an event with a rule, beginning with the first one of the rule.
func (e event) ruled(now time.Time) (*several, error) {
	own, err := e.At.resolve(now)
	if err != nil {
		return nil, err
	}
	zone, err := location(own.zone)
	if err != nil {
		return nil, err
	}
	at := func(start time.Time) span {
		return between(start, recurrence.Instant(recurrence.Wall(start).Add(own.period().End.Sub(own.period().Start)), zone), own.zone)
	}
	rule, err := recurrence.Parse(e.Rule, own.period().Start)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", e.Rule, err)
	}
	last := own.period().Start.AddDate(0, 0, 7*e.Weeks)
	dates, _ := rule.Dates(recurrence.ClockIn(zone), own.period().Start, last, 7*e.Weeks)
	if !rule.Regular() {
		dates = dates[1:]
	}
	s, excluded := &several{}, []time.Time(nil)
	left := map[int]bool{}
	for _, i := range e.Except {
		left[i] = true
		excluded = append(excluded, recurrence.Wall(dates[i]))
	}
	for i, start := range dates {
		if !left[i] {
			s.dates = append(s.dates, at(start))
		}
	}
	text := recurrence.Text(e.Rule+";UNTIL="+last.Format("20060102"), recurrence.ClockIn(zone), false, 0)
	s.set = rset.NewRule(own.zone, s.dates[0].period(), text, nil, excluded)
	return s, nil
}

// period returns an occurrence in the form of recurrence sets.
func (s span) period() (p rset.Period) {
	p.Start, _ = time.Parse(stamp, s.start)
	p.End, _ = time.Parse(stamp, s.end)
	return p
}

// addSeveral adds the rows of the occurrences of a recurring event.
func (c *composer) addSeveral(postID int64, s *several, at time.Time) {
	event, _ := c.dateRows(postID, s.dates[0], at)
	c.severalEvents = append(c.severalEvents, &schema.EventDates{EventRow: *event, Rset: s.set.String()})
	for _, date := range s.dates {
		_, row := c.dateRows(postID, date, at)
		c.lastDate++
		row.ID, row.EventID = c.lastDate, event.ID
		row.Hash = schema.OccurrenceHash(*row)
		dates := &schema.OccurrenceDates{Occurrence: *row, HasRecurrence: 1, Sequence: 1}
		if s.explicit {
			dates.IsRdate = 1
		}
		c.severalDates = append(c.severalDates, dates)
	}
}
