package recurrence

import (
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/ical"
)

// Forms in which iCalendar has a day, a time of a clock, and a moment in UTC.
const (
	dayForm  = "20060102"
	wallForm = "20060102T150405"
	utcForm  = "20060102T150405Z"
)

// Text returns a rule as other programs read it who know of its start the day alone, if it is of whole days, and else the
// moment: its UNTIL is a day, or a moment in UTC, as RFC 5545 requires. Of whole days it has no times. fewer are dates
// that its COUNT no longer has.
func Text(rule string, clock Clock, days bool, fewer int) string {
	var parts []string
	for part := range strings.SplitSeq(strings.ToUpper(strings.TrimSpace(rule)), ";") {
		name, value, _ := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch name {
		case "":
			continue
		case "BYHOUR", "BYMINUTE", "BYSECOND":
			if days {
				continue
			}
		case "COUNT":
			if n, err := strconv.Atoi(value); err == nil {
				value = strconv.Itoa(n - fewer)
			}
		case "UNTIL":
			if m, ok := ical.ParseDateTime(value); ok {
				value = untilText(m, clock, days)
			}
		}
		parts = append(parts, name+"="+value)
	}
	return strings.Join(parts, ";")
}

func untilText(until ical.DateTime, clock Clock, days bool) string {
	at := until.Wall
	switch {
	case days && until.UTC:
		return Wall(until.Wall.In(clock(at).Location())).Format(dayForm)
	case days:
		return at.Format(dayForm)
	case until.UTC:
		return at.Format(utcForm)
	case until.Day: // it is over when the day is
		at = at.AddDate(0, 0, 1).Add(-time.Second)
	}
	return clock(at).UTC().Format(utcForm)
}

// Regular reports whether the start is a date of the rule by itself: it is its first date whatever the rule says, but other
// programs differ in that.
func (r *Rule) Regular() bool {
	begin := r.period(r.start)
	for _, at := range r.times(begin, r.nth(begin, 1)) {
		if at.Equal(r.start) {
			return true
		}
	}
	return false
}
