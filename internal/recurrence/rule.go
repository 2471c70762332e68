// Package recurrence works out the dates of rules of recurrence: RRULE of RFC 5545, from
// DAILY to YEARLY. Imports and the store share it; it knows neither files nor tables.
//
// It does so itself because no kept library does. teambition/rrule-go, the only one in wide
// use, has had no release since January 2023 (v1.8.2); it gives a date that the clock leaves
// out an hour early (02:30 in New York on 8 March 2026 becomes 01:30) or twice (00:30 in São
// Paulo in November 2018), gives seven days for BYWEEKNO alone, and looks for the next date of
// a rule that has none up to the year 9999, whatever the window.
//
// What each date is was compared with python-dateutil: see testdata/vectors.py.
package recurrence

import (
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/ical"
)

// Frequencies of rules.
const (
	daily = iota
	weekly
	monthly
	yearly
)

// Rule is an RRULE. All its times are those of a clock, as if they were UTC: what recurs is
// at the same time of the clock before and after a change of it.
type Rule struct {
	start                   time.Time
	freq, interval, count   int
	until                   ical.DateTime // zero for none
	months, monthDays       []int
	yearDays, weeks         []int
	positions               []int
	hours, minutes, seconds []int
	days                    []weekdayOf
	monday                  time.Weekday // with which weeks begin
	timed                   bool         // it names times of day
}

// weekdayOf is a day of the week; the nth of a month or year if n is not 0, from its end
// if n is negative.
type weekdayOf struct {
	n   int
	day time.Weekday
}

// Until returns the time of the clock, or the moment in UTC, after which the rule has no
// dates; zero if it names none.
func (r *Rule) Until() time.Time { return r.until.Wall }

// Endless reports whether the rule has neither UNTIL nor COUNT.
func (r *Rule) Endless() bool { return r.until.Wall.IsZero() && r.count == 0 }

// Dates returns the dates of the rule from one time of the clock to another, both included,
// in order and each once. The first date is the start, whatever the rule says, and counts. If
// there are more than limit, it returns so many of them and true.
//
// The work is that of the period, however long ago a rule without a COUNT began, and whether
// or not any day matches it.
func (r *Rule) Dates(clock Clock, from, to time.Time, limit int) (list []time.Time, more bool) {
	if end := r.until.Wall.Add(maxOffset); !r.until.Wall.IsZero() && end.Before(to) {
		to = end
	}
	r.each(from, to, func(wall time.Time) bool {
		at := clock(wall)
		if wall.Before(from) || r.ended(wall, at) {
			return true
		}
		if more = len(list) == limit; more {
			return false
		}
		list = append(list, at)
		return true
	})
	// A time that the clock leaves out is moved past others, or onto one.
	slices.SortFunc(list, time.Time.Compare)
	return slices.CompactFunc(list, time.Time.Equal), more
}

// maxOffset is more than the distance of any clock from UTC and what a change leaves out.
const maxOffset = 48 * time.Hour

// ended reports whether a time of the clock, and the moment at which it shows that, is after
// the end of the rule. An UNTIL that is a day is over when the day is.
func (r *Rule) ended(wall, at time.Time) bool {
	until := r.until.Wall
	switch {
	case until.IsZero():
		return false
	case r.until.UTC:
		return at.After(until)
	case r.until.Day:
		return !wall.Before(until.AddDate(0, 0, 1))
	}
	return wall.After(until)
}

// each calls yield with the times of the rule up to end, in order, until it returns false.
// Without a COUNT those before from may be left out. It knows nothing of UNTIL, which may be
// a moment.
func (r *Rule) each(from, end time.Time, yield func(time.Time) bool) {
	count, last := 0, time.Time{}
	emit := func(at time.Time) bool {
		if at.Before(r.start) || at.Equal(last) {
			return true
		}
		last = at
		count++
		return !at.After(end) && yield(at) && (r.count == 0 || count < r.count)
	}
	if !emit(r.start) { // the first one, whatever the rule says
		return
	}
	first := r.period(r.start)
	skip := 0
	if r.count == 0 && from.After(r.start) {
		skip = r.periods(first, from) / r.interval
	}
	for i := skip; ; i++ {
		begin, next := r.nth(first, i*r.interval), r.nth(first, i*r.interval+1)
		if begin.After(end) {
			return
		}
		for _, at := range r.times(begin, next) {
			if !emit(at) {
				return
			}
		}
	}
}

// period returns the first day of the day, week, month or year of a time.
func (r *Rule) period(t time.Time) time.Time {
	y, m, d := t.Date()
	switch r.freq {
	case weekly:
		d -= (int(t.Weekday()) - int(r.monday) + 7) % 7
	case monthly:
		d = 1
	case yearly:
		m, d = 1, 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// periods returns how many days, weeks, months or years after the first one a time is.
func (r *Rule) periods(first, t time.Time) int {
	switch r.freq {
	case daily:
		return daysBetween(first, t)
	case weekly:
		return daysBetween(first, t) / 7
	case monthly:
		return 12*(t.Year()-first.Year()) + int(t.Month()-first.Month())
	}
	return t.Year() - first.Year()
}

// daysBetween returns the number of whole days from one time to another. A time.Duration would
// end after 292 years.
func daysBetween(from, to time.Time) int { return int((to.Unix() - from.Unix()) / (24 * 3600)) }

// nth returns the first day of the nth period after one.
func (r *Rule) nth(first time.Time, n int) time.Time {
	switch r.freq {
	case daily:
		return first.AddDate(0, 0, n)
	case weekly:
		return first.AddDate(0, 0, 7*n)
	case monthly:
		return first.AddDate(0, n, 0)
	}
	return first.AddDate(n, 0, 0)
}

// times returns the times of the rule in a period, in order.
func (r *Rule) times(begin, next time.Time) (list []time.Time) {
	for day := begin; day.Before(next); day = day.AddDate(0, 0, 1) {
		if !r.on(day) {
			continue
		}
		for _, hour := range r.hours {
			for _, minute := range r.minutes {
				for _, second := range r.seconds {
					list = append(list, day.Add(time.Duration(3600*hour+60*minute+second)*time.Second))
				}
			}
		}
	}
	if r.positions == nil {
		return list
	}
	var chosen []time.Time
	for i, at := range list {
		if slices.Contains(r.positions, i+1) || slices.Contains(r.positions, i-len(list)) {
			chosen = append(chosen, at)
		}
	}
	return chosen
}

// on reports whether the rule has a day.
func (r *Rule) on(day time.Time) bool {
	y, m, d := day.Date()
	if r.months != nil && !slices.Contains(r.months, int(m)) {
		return false
	}
	month, year := time.Date(y, m, 1, 0, 0, 0, 0, time.UTC), time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)
	monthLength, yearLength := daysBetween(month, month.AddDate(0, 1, 0)), daysBetween(year, year.AddDate(1, 0, 0))
	among := func(list []int, n, length int) bool {
		return list == nil || slices.Contains(list, n) || slices.Contains(list, n-length-1)
	}
	if !among(r.monthDays, d, monthLength) || !among(r.yearDays, day.YearDay(), yearLength) {
		return false
	}
	if r.weeks != nil {
		if n, length := r.week(day); !among(r.weeks, n, length) {
			return false
		}
	}
	return len(r.days) == 0 || slices.ContainsFunc(r.days, func(w weekdayOf) bool {
		if w.day != day.Weekday() {
			return false
		}
		at, length := day.YearDay(), yearLength
		switch {
		case w.n == 0 || r.freq == daily || r.freq == weekly:
			return true
		case r.freq == monthly || r.months != nil:
			at, length = d, monthLength
		}
		return w.n == (at-1)/7+1 || w.n == -((length-at)/7+1)
	})
}

// week returns the number of the week in which a day is, and how many weeks its year has.
// The first one has at least four days in the year.
func (r *Rule) week(day time.Time) (n, length int) {
	begin := func(year int) time.Time { // of the first week
		fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC)
		return fourth.AddDate(0, 0, -((int(fourth.Weekday()) - int(r.monday) + 7) % 7))
	}
	year := day.Year()
	if day.Before(begin(year)) {
		year--
	} else if !day.Before(begin(year + 1)) {
		year++
	}
	return daysBetween(begin(year), day)/7 + 1, daysBetween(begin(year), begin(year+1)) / 7
}
