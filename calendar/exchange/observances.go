package exchange

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/recurrence"
)

// observances are the rules of a VTIMEZONE.
type observances struct {
	location string // X-LIC-LOCATION
	list     []observance
	near     map[int][]change // cache of at: changes by year
}

// observance is a STANDARD or DAYLIGHT component.
type observance struct {
	start    time.Time        // local time just before the change, as if it were UTC
	from, to int              // UTC offsets in seconds
	rule     *recurrence.Rule // nil if there is none
	dates    []time.Time
}

// observancesOf returns the rules of a VTIMEZONE, or nil if none can be read.
func observancesOf(c *ical.Component) *observances {
	o := &observances{}
	if p := c.First("X-LIC-LOCATION"); p != nil {
		o.location = p.Text()
	}
	for _, part := range c.Parts[:min(len(c.Parts), maxObservances)] {
		start, from, to := part.First("DTSTART"), part.First("TZOFFSETFROM"), part.First("TZOFFSETTO")
		if start == nil || to == nil {
			continue
		}
		m, ok := ical.ParseDateTime(start.Value)
		one := observance{start: m.Wall}
		var known bool
		if one.to, known = ical.ParseOffset(to.Value); !ok || !known {
			continue
		}
		one.from = one.to
		if from != nil {
			if offset, ok := ical.ParseOffset(from.Value); ok {
				one.from = offset
			}
		}
		for _, p := range part.Properties {
			switch p.Name {
			case "RRULE":
				one.rule, _ = recurrence.Parse(p.Value, one.start) // if it is invalid, only the first change is used
			case "RDATE":
				for text := range strings.SplitSeq(p.Value, ",") {
					if m, ok := ical.ParseDateTime(text); ok && len(one.dates) < maxObservances {
						one.dates = append(one.dates, m.Wall)
					}
				}
			}
		}
		o.list = append(o.list, one)
	}
	if len(o.list) == 0 && o.location == "" {
		return nil
	}
	return o
}

// change is an instant, in Unix seconds, from which on a time zone has a UTC offset, in seconds.
type change struct {
	at     int64
	offset int
	before int
}

// changes returns the changes of the offset in a period, in order, preceded by the last one before the period.
func (o *observances) changes(from, to time.Time) (list []change) {
	for _, one := range o.list {
		last := change{}
		add := func(wall time.Time) {
			c := change{wall.Unix() - int64(one.from), one.to, one.from}
			switch {
			case wall.Before(from):
				last = c
			case wall.Before(to):
				list = append(list, c)
			}
		}
		add(one.start)
		for _, wall := range one.later(from.AddDate(-5, 0, 0), to) {
			add(wall)
		}
		for _, wall := range one.dates {
			add(wall)
		}
		if last != (change{}) {
			list = append(list, last)
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return int(max(-1, min(1, a.at-b.at))) })
	return list
}

// later returns the times after the start at which the rule changes the offset, in local time just before the change.
func (o *observance) later(from, to time.Time) (list []time.Time) {
	if o.rule == nil {
		return nil
	}
	if next := o.start.Add(time.Second); from.Before(next) {
		from = next
	}
	before := time.Duration(o.from) * time.Second
	list, _ = o.rule.Dates(func(wall time.Time) time.Time { return wall.Add(-before) }, from, to, math.MaxInt)
	for i := range list {
		list[i] = list[i].Add(before)
	}
	return list
}

// offsetAt returns the offset at an instant.
func offsetAt(changes []change, at int64) int {
	offset := 0
	for i, c := range changes {
		if i == 0 {
			offset = c.before
		}
		if c.at > at {
			break
		}
		offset = c.offset
	}
	return offset
}

// at returns the offset at a local time. If that occurs twice or is skipped, it returns the offset before the change.
func (o *observances) at(wall time.Time) int {
	year := wall.Year()
	changes, known := o.near[year]
	if !known {
		if o.near == nil || len(o.near) > 100 { // no file needs more
			o.near = map[int][]change{}
		}
		changes = o.changes(time.Date(year-2, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(year+1, 1, 3, 0, 0, 0, 0, time.UTC))
		o.near[year] = changes
	}
	offset := 0
	for i, c := range changes {
		if i == 0 {
			offset = c.before
		}
		if wall.Unix() < c.at+int64(max(c.before, c.offset)) {
			break
		}
		offset = c.offset
	}
	return offset
}

// fixed returns the offset of a time zone that never changes, and whether it is one.
func (o *observances) fixed() (offset int, fixed bool) {
	for _, one := range o.list {
		if one.to != o.list[0].to {
			return 0, false
		}
	}
	return o.list[0].to, true
}

// begin returns the start of the earliest component.
func (o *observances) begin() time.Time {
	begin := o.list[0].start
	for _, one := range o.list {
		if one.start.Before(begin) {
			begin = one.start
		}
	}
	return begin
}

// end returns half a year after the last change, or the zero time if there is no last one.
func (o *observances) end() (end time.Time) {
	for _, one := range o.list {
		if one.rule != nil && one.rule.Endless() {
			return time.Time{}
		}
		for _, at := range append([]time.Time{one.start}, one.dates...) {
			if at.After(end) {
				end = at
			}
		}
		if one.rule != nil && one.rule.Until().After(end) {
			end = one.rule.Until()
		}
	}
	return end.AddDate(0, 6, 0)
}
