package strtotime

import "time"

// DayStart gives the first second of a calendar day as wall-clock text. Only
// the date of day counts, in its own zone. A cutoff (HH:MM, empty: midnight)
// is the hour at which the site lets its days begin.
func DayStart(day time.Time, cutoff string) string {
	return Wall(dayStart(day, cutoff))
}

// DayEnd gives the last second of a calendar day as wall-clock text: with a
// cutoff of 06:00 that is 05:59:59 of the next day.
func DayEnd(day time.Time, cutoff string) string {
	return Wall(dayStart(day, cutoff).Add(24*time.Hour - time.Second))
}

// dayStart counts in UTC, where every day has 24 hours: the bounds are clock
// faces to compare texts with, not instants.
func dayStart(day time.Time, cutoff string) time.Time {
	y, m, d := day.Date()
	hour, minute := cutoffClock(cutoff)
	return time.Date(y, m, d, hour, minute, 0, 0, time.UTC)
}

// cutoffClock reads HH:MM; anything else means midnight.
func cutoffClock(cutoff string) (hour, minute int) {
	t, err := time.Parse("15:04", cutoff)
	if err != nil {
		return 0, 0
	}
	return t.Hour(), t.Minute()
}
