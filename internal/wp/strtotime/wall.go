package strtotime

import (
	"fmt"
	"time"
)

// Wall formats the local time of t in its own zone as dates are stored: 2031-04-05 10:15:30. Years before 0 have a
// sign.
func Wall(t time.Time) string {
	y, m, d := t.Date()
	if y >= 0 {
		return t.Format(time.DateTime)
	}
	hour, minute, second := t.Clock()
	return fmt.Sprintf("-%04d-%02d-%02d %02d:%02d:%02d", -y, m, d, hour, minute, second)
}

// ParseWall parses a local time in a zone, exactly in the format YYYY-MM-DD HH:MM:SS. The second result is false if
// there is no such date or time. A local time that is skipped in spring is moved forward.
func ParseWall(s string, loc *time.Location) (time.Time, bool) {
	sec, ok := wallSeconds(s)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(sec-localOffset(sec, loc, false), 0).In(loc), true
}

// wallSeconds parses a local time and returns it in seconds as if it were UTC.
func wallSeconds(s string) (int64, bool) {
	const form = "0000-00-00 00:00:00"
	if len(s) != len(form) {
		return 0, false
	}
	for i := range len(form) {
		if form[i] == '0' && !isDigit(s[i]) || form[i] != '0' && s[i] != form[i] {
			return 0, false
		}
	}
	c := &cursor{s: s}
	y, m, d := c.num(4), c.num(2), c.num(2)
	hour, minute, second := c.num(2), c.num(2), c.num(2)
	if m < 1 || m > 12 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	days := daysFromCivil(y, m, d)
	if _, month, day := civilFromDays(days); month != m || day != d {
		return 0, false
	}
	return days*86400 + hour*3600 + minute*60 + second, true
}

// DayStart returns the first second of a calendar day as a stored local time. Only the date of day counts, in its own
// zone. cutoff is the time of day, HH:MM, at which the site's days begin; "" means midnight.
func DayStart(day time.Time, cutoff string) string {
	return Wall(dayStart(day, cutoff))
}

// DayEnd returns the last second of a calendar day as a stored local time. With a cutoff of 06:00 it is 05:59:59 of the
// next day.
func DayEnd(day time.Time, cutoff string) string {
	return Wall(dayStart(day, cutoff).Add(24*time.Hour - time.Second))
}

// dayStart uses UTC, in which every day has 24 hours: the result is compared with local times, not with instants.
func dayStart(day time.Time, cutoff string) time.Time {
	y, m, d := day.Date()
	hour, minute := cutoffClock(cutoff)
	return time.Date(y, m, d, hour, minute, 0, 0, time.UTC)
}

// cutoffClock parses HH:MM. Anything else means midnight.
func cutoffClock(cutoff string) (hour, minute int) {
	t, err := time.Parse("15:04", cutoff)
	if err != nil {
		return 0, 0
	}
	return t.Hour(), t.Minute()
}
