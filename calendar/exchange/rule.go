package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Frequencies of rules.
const (
	daily = iota
	weekly
	monthly
	yearly
)

// maxTimes bounds the times of day that a rule gives, and maxSpan how long before its end
// a rule may begin, so that none keeps the program busy.
const (
	maxTimes = 100
	maxSpan  = 200 * 366 * 24 * time.Hour
)

// rule is an RRULE. It is worked out here and not by teambition/rrule-go, which looks for
// the next date of a rule that has none up to the year 9999, and cannot be told to stop.
// All times are those of a clock, as if they were UTC.
type rule struct {
	freq, interval, count   int
	until                   moment // zero for none
	months, monthDays       []int
	yearDays, weeks         []int
	positions               []int
	hours, minutes, seconds []int
	days                    []weekdayOf
	monday                  time.Weekday // with which weeks begin
}

// weekdayOf is a day of the week; the nth of a month or year if n is not 0, from its end
// if n is negative.
type weekdayOf struct {
	n   int
	day time.Weekday
}

var weekdays = map[string]time.Weekday{
	"SU": time.Sunday, "MO": time.Monday, "TU": time.Tuesday, "WE": time.Wednesday, "TH": time.Thursday, "FR": time.Friday,
	"SA": time.Saturday,
}

// parseRule reads a rule of what begins at start.
func parseRule(text string, start time.Time) (*rule, error) {
	r := &rule{freq: -1, interval: 1, monday: time.Monday}
	for part := range strings.SplitSeq(strings.ToUpper(strings.TrimSpace(text)), ";") {
		name, value, _ := strings.Cut(part, "=")
		if part == "" {
			continue
		}
		if err := r.set(strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
			return nil, err
		}
	}
	if r.freq < 0 {
		return nil, errors.New("has no FREQ")
	}
	r.complete(start)
	if len(r.hours)*len(r.minutes)*len(r.seconds) > maxTimes {
		return nil, errors.New("has too many times in a day")
	}
	return r, nil
}

func (r *rule) set(name, value string) (err error) {
	switch name {
	case "FREQ":
		r.freq = slices.Index([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}, value)
		if r.freq < 0 {
			return fmt.Errorf("FREQ=%s is not supported", value)
		}
	case "INTERVAL":
		r.interval, err = positive(value)
	case "COUNT":
		r.count, err = positive(value)
	case "UNTIL":
		var ok bool
		if r.until, ok = parseMoment(value); !ok {
			err = errors.New("is no date")
		}
	case "WKST":
		r.monday, err = weekday(value)
	case "BYDAY":
		for text := range strings.SplitSeq(value, ",") {
			d, err := parseWeekday(strings.TrimSpace(text))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			r.days = append(r.days, d)
		}
	default:
		list, bounds := r.list(name)
		if list == nil {
			return fmt.Errorf("%s is not supported", name)
		}
		*list, err = numbers(value, bounds[0], bounds[1])
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// list returns the list of a part and the numbers that may be in it, the negative ones of
// them too if the first is negative.
func (r *rule) list(name string) (*[]int, [2]int) {
	switch name {
	case "BYMONTH":
		return &r.months, [2]int{1, 12}
	case "BYMONTHDAY":
		return &r.monthDays, [2]int{-31, 31}
	case "BYYEARDAY":
		return &r.yearDays, [2]int{-366, 366}
	case "BYWEEKNO":
		return &r.weeks, [2]int{-53, 53}
	case "BYSETPOS":
		return &r.positions, [2]int{-366, 366}
	case "BYHOUR":
		return &r.hours, [2]int{0, 23}
	case "BYMINUTE":
		return &r.minutes, [2]int{0, 59}
	case "BYSECOND":
		return &r.seconds, [2]int{0, 59}
	}
	return nil, [2]int{}
}

// complete takes what the rule does not say from the start.
func (r *rule) complete(start time.Time) {
	if r.hours == nil {
		r.hours = []int{start.Hour()}
	}
	if r.minutes == nil {
		r.minutes = []int{start.Minute()}
	}
	if r.seconds == nil {
		r.seconds = []int{start.Second()}
	}
	for _, list := range []*[]int{&r.hours, &r.minutes, &r.seconds} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	weekdayGiven, dayGiven := len(r.days) > 0, len(r.monthDays)+len(r.yearDays) > 0
	switch {
	case weekdayGiven || dayGiven || r.freq == daily:
	case r.freq == weekly || len(r.weeks) > 0:
		r.days = []weekdayOf{{day: start.Weekday()}}
	case r.freq == monthly:
		r.monthDays = []int{start.Day()}
	default:
		r.monthDays = []int{start.Day()}
		if r.months == nil {
			r.months = []int{int(start.Month())}
		}
	}
}

// maxNumber bounds intervals and counts: such a number of years is still a date.
const maxNumber = 100_000

// positive reads a number from 1 on.
func positive(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 || n > maxNumber {
		return 0, fmt.Errorf("%q is no number from 1 to %d", text, maxNumber)
	}
	return int(n), nil
}

// numbers reads a list of numbers within bounds, without 0 if the lower one is negative.
func numbers(text string, least, most int) (list []int, err error) {
	for item := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(item))
		if err != nil || n < least || n > most || n == 0 && least < 0 {
			return nil, fmt.Errorf("%q is none of %d to %d", item, least, most)
		}
		list = append(list, n)
	}
	return list, nil
}

func weekday(text string) (time.Weekday, error) {
	day, ok := weekdays[text]
	if !ok {
		return 0, fmt.Errorf("%q is no day of the week", text)
	}
	return day, nil
}

func parseWeekday(text string) (d weekdayOf, err error) {
	at := max(0, len(text)-2)
	if d.day, err = weekday(text[at:]); err == nil && at > 0 {
		var n []int
		if n, err = numbers(text[:at], -53, 53); err == nil {
			d.n = n[0]
		}
	}
	return d, err
}

// each calls yield with the times of the rule from start to end, in order, until it
// returns false. Without a COUNT those before from may be left out. It knows nothing of
// UNTIL, which may be a moment.
func (r *rule) each(start, from, end time.Time, yield func(time.Time) bool) {
	count, last := 0, time.Time{}
	emit := func(at time.Time) bool {
		if at.Before(start) || at.Equal(last) {
			return true
		}
		last = at
		count++
		return !at.After(end) && yield(at) && (r.count == 0 || count < r.count)
	}
	if !emit(start) { // the first one, whatever the rule says
		return
	}
	first := r.period(start)
	skip := 0
	if r.count == 0 && from.After(start) {
		days := int(from.Sub(start) / (24 * time.Hour))
		skip = max(0, days/[]int{1, 7, 31, 366}[r.freq]/r.interval-1)
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
func (r *rule) period(t time.Time) time.Time {
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

// nth returns the first day of the nth period after one.
func (r *rule) nth(first time.Time, n int) time.Time {
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
func (r *rule) times(begin, next time.Time) (list []time.Time) {
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
func (r *rule) on(day time.Time) bool {
	y, m, d := day.Date()
	if r.months != nil && !slices.Contains(r.months, int(m)) {
		return false
	}
	daysOf := func(from, to time.Time) int { return int(to.Sub(from) / (24 * time.Hour)) }
	month, year := time.Date(y, m, 1, 0, 0, 0, 0, time.UTC), time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)
	monthLength, yearLength := daysOf(month, month.AddDate(0, 1, 0)), daysOf(year, year.AddDate(1, 0, 0))
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
func (r *rule) week(day time.Time) (n, length int) {
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
	weeks := func(d time.Duration) int { return int(d / (7 * 24 * time.Hour)) }
	return weeks(day.Sub(begin(year))) + 1, weeks(begin(year + 1).Sub(begin(year)))
}
