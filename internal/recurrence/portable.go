package recurrence

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/ical"
)

// Portable returns the rule in a form that calendar programs expand to the same dates: parts that follow from the start
// are written out, and some parts are replaced by others. It returns false if there is no such form; then the dates
// have to be listed one by one. start is a date of the rule.
//
// What calendar programs agree on was found by experiment (.ci/feeds). ical.js 2.2.1 turns 29 February into 1 March
// unless the rule names the day. It ignores BYWEEKNO, BYSETPOS unless it selects weekdays within a month, and the
// ordinal of a weekday within a year. It is wrong for months out of order, days counted from the end of a month, and
// several times of day.
func Portable(text string, start time.Time) (string, bool) {
	r, err := Parse(text, start)
	if err != nil {
		return "", false
	}
	p := partsOf(text)
	if len(r.months) > 1 { // ical.js needs them in ascending order
		slices.Sort(r.months)
		p = p.with("BYMONTH", list(r.months))
	}
	switch r.freq {
	case daily:
		return r.portableDaily(p)
	case weekly:
		return r.portableWeekly(p)
	case monthly:
		return r.portableMonthly(p)
	}
	return r.portableYearly(p)
}

// portableMonthly writes a rule with several months as a yearly one, because ical.js expands the monthly form wrongly.
func (r *Rule) portableMonthly(p parts) (string, bool) {
	if !r.oneTime() || !r.fewDays() || r.months != nil && r.interval > 1 ||
		r.positions != nil && (r.monthDays != nil || len(r.months) > 1) {
		return "", false
	}
	if len(r.months) > 1 {
		return r.portableYearly(p.with("FREQ", "YEARLY"))
	}
	return p.String(), true
}

// fewDays reports whether calendar programs agree on the weekdays of a monthly or yearly rule: no two of them can fall
// on the same day, and together with days of the month they have no ordinals.
func (r *Rule) fewDays() bool {
	for i, a := range r.days {
		for _, b := range r.days[:i] {
			apart := a.n*b.n > 0 && a.n != b.n || a.n*b.n < 0 && max(a.n-b.n, b.n-a.n) < 5
			if a.day == b.day && !apart {
				return false
			}
		}
	}
	return r.days == nil || r.monthDays == nil || r.interval == 1 && !r.numbered() && !slices.ContainsFunc(r.monthDays, negative)
}

func (r *Rule) portableDaily(p parts) (string, bool) {
	fromEnd := slices.ContainsFunc(r.monthDays, negative)
	if fromEnd { // written as days of every month, which is the same if the interval is 1
		p = p.with("FREQ", "MONTHLY")
	}
	return p.String(), r.positions == nil && !r.numbered() &&
		(!fromEnd || r.interval == 1 && r.oneTime() && r.fewDays() && len(r.months) < 2)
}

// portableWeekly replaces BYSETPOS by the weekdays that it selects.
func (r *Rule) portableWeekly(p parts) (string, bool) {
	if r.numbered() || r.monthDays != nil {
		return "", false
	}
	if r.positions == nil {
		return p.String(), true
	}
	var days, chosen []string
	for i := range 7 {
		day := time.Weekday((int(r.monday) + i) % 7)
		if slices.ContainsFunc(r.days, func(d weekdayOf) bool { return d.day == day }) {
			days = append(days, strings.ToUpper(day.String()[:2]))
		}
	}
	for i, day := range days {
		if slices.Contains(r.positions, i+1) || slices.Contains(r.positions, i-len(days)) {
			chosen = append(chosen, day)
		}
	}
	p = p.without("BYSETPOS").with("BYDAY", strings.Join(chosen, ","))
	return p.String(), r.oneTime() && r.months == nil && len(chosen) > 0
}

func (r *Rule) portableYearly(p parts) (string, bool) {
	switch {
	case !r.oneTime() || !r.fewDays() || r.weeks != nil:
		return "", false
	case r.yearDays != nil:
		return p.String(), r.days == nil && r.months == nil && r.monthDays == nil && r.positions == nil
	case r.positions != nil:
		return p.String(), len(r.months) == 1 && r.days != nil && r.monthDays == nil
	case r.days != nil && r.monthDays == nil:
		return p.String(), !r.numbered() || r.months != nil
	}
	if r.months != nil && !slices.ContainsFunc(r.monthDays, func(n int) bool { return n < 0 || n > 28 }) {
		return p.String(), true
	}
	if r.months != nil {
		p = p.with("BYMONTH", list(r.months))
	}
	p = p.with("BYMONTHDAY", list(r.monthDays))
	if len(r.months) == 1 && len(r.monthDays) == 1 && r.monthDays[0] > 0 {
		return p.String(), true
	}
	return p.with("FREQ", "MONTHLY").String(), r.interval == 1 && len(r.months) < 2
}

func negative(n int) bool { return n < 0 }

// numbered reports whether a weekday of the rule has an ordinal, such as the second Tuesday.
func (r *Rule) numbered() bool {
	return slices.ContainsFunc(r.days, func(d weekdayOf) bool { return d.n != 0 })
}

// oneTime reports whether all dates of the rule have the same time of day.
func (r *Rule) oneTime() bool { return len(r.hours)*len(r.minutes)*len(r.seconds) == 1 }

func list(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

// parts are the names and values of a rule's parts, in the order in which they were written.
type parts [][2]string

func partsOf(text string) (p parts) {
	for part := range strings.SplitSeq(strings.ToUpper(strings.TrimSpace(text)), ";") {
		name, value, _ := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); name != "" {
			p = append(p, [2]string{name, strings.TrimSpace(value)})
		}
	}
	return p
}

func (p parts) with(name, value string) parts {
	for i := range p {
		if p[i][0] == name {
			p[i][1] = value
			return p
		}
	}
	return append(p, [2]string{name, value})
}

func (p parts) without(names ...string) parts {
	return slices.DeleteFunc(p, func(part [2]string) bool { return slices.Contains(names, part[0]) })
}

func (p parts) String() string {
	texts := make([]string, len(p))
	for i, part := range p {
		texts[i] = part[0] + "=" + part[1]
	}
	return strings.Join(texts, ";")
}

// EndingAt returns the rule with an UNTIL, at the local time of its last date, instead of its COUNT.
func EndingAt(text string, last time.Time) string {
	return partsOf(text).without("COUNT").with("UNTIL", last.Format(wallForm)).String()
}

// Stretched works around recurring_ical_events, a Python library that evaluates UNTIL with the UTC offset at the start
// of the series. Where clocks are put forward later, that drops the last date. Stretched then returns the rule with
// UNTIL moved later by the difference; otherwise it returns the rule unchanged.
func Stretched(text string, start time.Time, zone *time.Location) string {
	r, err := Parse(text, start)
	if err != nil || r.until.Wall.IsZero() {
		return text
	}
	end, ok := ical.ParseDateTime(untilText(r.until, ClockIn(zone), false))
	_, was := Instant(start, zone).Zone()
	_, is := end.Wall.In(zone).Zone()
	later := time.Duration(is-was) * time.Second
	if !ok || later <= 0 {
		return text
	}
	r.until = ical.DateTime{}
	last := Wall(end.Wall.In(zone))
	near, _ := r.Dates(func(wall time.Time) time.Time { return wall }, last.Add(time.Second-later), last.Add(later), 2)
	if len(near) != 1 || near[0].After(last) {
		return text
	}
	return partsOf(text).with("UNTIL", end.Wall.Add(later).UTC().Format(utcForm)).String()
}
