package ical

import (
	"fmt"
	"strings"
	"time"
)

// Zone writes a VTIMEZONE with all changes of the UTC offset in the years of a period and in the year after it, up to
// lastYear. Rules that are still in force then have no end.
func (w *Writer) Zone(zone *time.Location, from, to time.Time) {
	w.Begin("VTIMEZONE")
	w.Text("TZID", zone.String())
	for _, r := range rulesOf(zone, from, to) {
		component := "STANDARD"
		if r.summer {
			component = "DAYLIGHT"
		}
		w.Begin(component)
		w.Value("DTSTART", r.at.Format(localForm))
		w.Value("TZOFFSETFROM", offset(r.from))
		w.Value("TZOFFSETTO", offset(r.to))
		if r.years > 1 {
			w.Value("RRULE", r.recurrence())
		}
		w.Text("TZNAME", r.name)
		w.End(component)
	}
	w.End("VTIMEZONE")
}

// change is a change of a zone's UTC offset or abbreviation.
type change struct {
	at       time.Time // the local time before the change, as if it were UTC
	from, to int       // seconds east of UTC before and after the change
	name     string    // the abbreviation after the change, such as CEST
	summer   bool
}

// rule is a change that recurs every year on the same weekday of the same week of a month, or a change that happened
// once.
type rule struct {
	change
	years     int
	last      time.Time // like change.at, of the last year
	week      int       // week of the month, 1 to 5; 0 if it varies
	last7     bool      // the day is always the last of its weekday in the month
	unlimited bool      // the rule is still in force at the end of the period
}

// lastYear is the last year whose changes are written. A limit is needed because some zones have changes that no RRULE
// describes, such as Egypt's on the day after the last Thursday of October.
const lastYear = 2100

// rulesOf returns the rules of a zone in a period, ordered by their first change.
func rulesOf(zone *time.Location, from, to time.Time) []*rule {
	first := time.Date(from.In(zone).Year(), 1, 1, 0, 0, 0, 0, zone)
	end := time.Date(max(first.Year(), min(to.In(zone).Year(), lastYear))+2, 1, 1, 0, 0, 0, 0, zone)
	rules := []*rule{}
	for _, c := range changes(zone, first, end) {
		if r := continued(rules, c); r != nil {
			r.extend(c)
		} else {
			rules = append(rules, &rule{change: c, years: 1, last: c.at, week: week(c.at), last7: isLast(c.at)})
		}
	}
	for _, r := range rules {
		r.unlimited = r.last.AddDate(1, 0, 1).After(end)
	}
	return rules
}

// changes returns the changes of a zone: the last one before first, and those from first up to end.
func changes(zone *time.Location, first, end time.Time) (list []change) {
	at := first
	for ok := false; !ok; {
		begin, _ := at.ZoneBounds()
		if begin.IsZero() { // the offset never changed before
			name, offset := first.Zone()
			list, at = append(list, change{wall(first, offset), offset, offset, name, first.IsDST()}), first
			break
		}
		if c, changed := changeAt(begin.In(zone)); changed {
			list, at, ok = append(list, c), begin, true
		} else {
			at = begin.Add(-time.Second)
		}
	}
	for {
		_, next := at.In(zone).ZoneBounds()
		if !next.IsZero() && !next.After(at) {
			next = at.Add(time.Hour) // in leap years, Go ends the last period of a year a day too early
		}
		if next.IsZero() || !next.Before(end) {
			return list
		}
		if c, changed := changeAt(next.In(zone)); changed {
			list = append(list, c)
		}
		at = next
	}
}

// changeAt returns the change of a zone at an instant, if there is one. Go's ZoneBounds also returns the ends of years,
// at which nothing changes.
func changeAt(at time.Time) (c change, changed bool) {
	before := at.Add(-time.Second)
	nameBefore, from := before.Zone()
	name, to := at.Zone()
	c = change{wall(at, from), from, to, name, at.IsDST()}
	return c, from != to || name != nameBefore || at.IsDST() != before.IsDST()
}

// wall returns the local time at a UTC offset in seconds, as if it were UTC.
func wall(t time.Time, offset int) time.Time { return t.UTC().Add(time.Duration(offset) * time.Second) }

// week returns which occurrence of its weekday in the month a day is: 1 for the first.
func week(day time.Time) int { return (day.Day()-1)/7 + 1 }

// isLast reports whether a day is the last of its weekday in the month.
func isLast(day time.Time) bool { return day.AddDate(0, 0, 7).Month() != day.Month() }

// continued returns the rule of which a change is the next occurrence, or nil.
func continued(rules []*rule, c change) *rule {
	for _, r := range rules {
		same := r.from == c.from && r.to == c.to && r.name == c.name && r.summer == c.summer && r.last.Year()+1 == c.at.Year() &&
			r.at.Month() == c.at.Month() && r.at.Weekday() == c.at.Weekday() && r.at.Format("150405") == c.at.Format("150405")
		if same && (r.week == week(c.at) || r.last7 && isLast(c.at)) {
			return r
		}
	}
	return nil
}

// extend adds the next occurrence to a rule.
func (r *rule) extend(c change) {
	r.years++
	r.last, r.last7 = c.at, r.last7 && isLast(c.at)
	if r.week != week(c.at) {
		r.week = 0
	}
}

// recurrence returns the rule as a value of RRULE.
func (r *rule) recurrence() string {
	day := strings.ToUpper(r.at.Weekday().String()[:2])
	number := r.week
	if r.last7 {
		number = -1
	}
	text := fmt.Sprintf("FREQ=YEARLY;BYMONTH=%d;BYDAY=%d%s", r.at.Month(), number, day)
	if !r.unlimited {
		text += ";UNTIL=" + wall(r.last, -r.from).Format(localForm) + "Z"
	}
	return text
}

// offset formats seconds east of UTC as a value of type UTC-OFFSET: +0130, or -001730 with seconds.
func offset(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	text := fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf("%02d", seconds%60)
	}
	return text
}
