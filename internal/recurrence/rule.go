// Package recurrence expands recurrence rules (RRULE of RFC 5545, from DAILY to YEARLY) to dates. Imports and the store
// share it; it knows nothing of files or tables.
//
// It has an implementation of its own because no maintained library is correct. teambition/rrule-go, the only one in
// wide use, has had no release since January 2023 (v1.8.2). It returns a local time that is skipped in spring an hour
// early (02:30 in New York on 8 March 2026 becomes 01:30) or twice (00:30 in São Paulo in November 2018), returns all
// seven days of a week for BYWEEKNO alone, and searches up to the year 9999 for the next date of a rule that has none,
// however short the requested period is.
//
// The dates were compared with those of python-dateutil: see testdata/vectors.py.
package recurrence

import (
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/ical"
)

// The frequencies that are supported.
const (
	daily = iota
	weekly
	monthly
	yearly
)

// Rule is a parsed RRULE. All its times are local times, as if they were UTC, since a recurring event keeps its local
// time when clocks change.
type Rule struct {
	start                   time.Time
	freq, interval, count   int
	until                   ical.DateTime // the zero value if there is none
	months, monthDays       []int
	yearDays, weeks         []int
	positions               []int
	hours, minutes, seconds []int
	days                    []weekdayOf
	monday                  time.Weekday // the first day of the week (WKST)
	timed                   bool         // the rule sets times of day
}

// weekdayOf is an element of BYDAY: a weekday, with an ordinal n unless n is 0. The second Tuesday has n = 2; a
// negative n counts from the end of the month or year.
type weekdayOf struct {
	n   int
	day time.Weekday
}

// Start returns the first date, in local time.
func (r *Rule) Start() time.Time { return r.start }

// Until returns the value of UNTIL: a local time, or an instant if it was given in UTC. It returns the zero time if the
// rule has no UNTIL.
func (r *Rule) Until() time.Time { return r.until.Wall }

// Endless reports whether the rule has neither UNTIL nor COUNT.
func (r *Rule) Endless() bool { return r.until.Wall.IsZero() && r.count == 0 }

// Dates returns the dates of the rule between two local times, both included, sorted and without duplicates. The first
// date is always the start of the series, even if it does not match the rule, and it counts towards COUNT. If there are
// more than limit dates, Dates returns the first limit of them and true.
//
// The cost depends on the length of the period only, not on how long ago a rule without COUNT began or on how many days
// match.
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
	// A local time that is skipped when clocks are put forward is moved: it may now be later than the next one, or
	// equal to it.
	slices.SortFunc(list, time.Time.Compare)
	return slices.CompactFunc(list, time.Time.Equal), more
}

// maxOffset is greater than any UTC offset plus any change of it.
const maxOffset = 48 * time.Hour

// ended reports whether a date is after UNTIL. It is passed as a local time and as the instant of it, because UNTIL may
// be either. An UNTIL that is a day includes that whole day.
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

// each calls yield with the local times of the rule up to end, in order, until yield returns false. Without COUNT it
// may skip those before from. It ignores UNTIL, which the caller checks, since UNTIL may be an instant.
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
	if !emit(r.start) { // the start is always the first date
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

// period returns the first day of the period (day, week, month or year, by the frequency) that contains t.
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

// periods returns the number of whole periods from first to t.
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

// daysBetween returns the number of whole days from one time to another. It avoids time.Duration, which overflows after
// 292 years.
func daysBetween(from, to time.Time) int { return int((to.Unix() - from.Unix()) / (24 * 3600)) }

// nth returns the first day of the nth period after first.
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

// times returns the times of the rule in the period from begin up to, but not including, next, in order.
func (r *Rule) times(begin, next time.Time) (list []time.Time) {
	for day := begin; day.Before(next); day = day.AddDate(0, 0, 1) {
		if !r.matchesDay(day) {
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

// matchesDay reports whether the rule has a date on a day.
func (r *Rule) matchesDay(day time.Time) bool {
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

// week returns the number of a day's week and how many weeks its year has. As in ISO 8601, the first week is the first
// one with at least four days in the year; the first day of the week is that of the rule.
func (r *Rule) week(day time.Time) (n, length int) {
	begin := func(year int) time.Time { // the first day of the first week of a year
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
