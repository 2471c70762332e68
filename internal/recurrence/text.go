package recurrence

import (
	"slices"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/ical"
)

// Layouts of a DATE, of a local DATE-TIME, and of one in UTC.
const (
	dayForm  = "20060102"
	wallForm = "20060102T150405"
	utcForm  = "20060102T150405Z"
)

// Text returns the rule for programs that know the start as a date only, if the event lasts all day (days), or as an
// instant. UNTIL becomes a date or a time in UTC, as RFC 5545 requires. Rules of all-day events lose their times of
// day. COUNT is reduced by fewer, the number of dates left out.
func Text(rule string, clock Clock, days bool, fewer int) string {
	p := partsOf(rule)
	if days {
		p = p.without("BYHOUR", "BYMINUTE", "BYSECOND")
	}
	for i, part := range p {
		switch name, value := part[0], part[1]; name {
		case "COUNT":
			if n, err := strconv.Atoi(value); err == nil {
				p[i][1] = strconv.Itoa(n - fewer)
			}
		case "UNTIL":
			if m, ok := ical.ParseDateTime(value); ok {
				p[i][1] = untilText(m, clock, days)
			}
		}
	}
	return p.String()
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
	case until.Day: // UNTIL includes the whole day
		at = at.AddDate(0, 0, 1).Add(-time.Second)
	}
	return clock(at).UTC().Format(utcForm)
}

// Regular reports whether the start matches the rule. The start is the first date in any case, but other programs
// disagree about a start that does not match.
func (r *Rule) Regular() bool {
	begin := r.period(r.start)
	return slices.ContainsFunc(r.times(begin, r.nth(begin, 1)), r.start.Equal)
}
