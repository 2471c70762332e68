package recurrence

import "time"

// Clock converts a local time of day ("wall clock" time) to an instant. The local time is passed as if it were UTC.
type Clock func(wall time.Time) time.Time

// ClockIn returns the Clock of a time zone.
func ClockIn(loc *time.Location) Clock {
	return func(wall time.Time) time.Time { return Instant(wall, loc) }
}

// Instant returns the instant at which clocks in a zone show a local time. If the local time occurs twice, when clocks
// are put back, it is the first. If it is skipped, when clocks are put forward, it is the instant at which clocks would
// have shown it without the change.
func Instant(wall time.Time, loc *time.Location) time.Time {
	at := func(around time.Time) (time.Time, bool) {
		_, offset := around.In(loc).Zone()
		t := wall.Add(-time.Duration(offset) * time.Second)
		_, real := t.In(loc).Zone()
		return t.In(loc), real == offset
	}
	before, ok := at(wall.Add(-24 * time.Hour))
	if ok {
		return before
	}
	if after, ok := at(wall.Add(24 * time.Hour)); ok {
		return after
	}
	return before
}

// Wall returns the local time of t in its own zone, as if it were UTC.
func Wall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}
