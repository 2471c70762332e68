package recurrence

import "time"

// Clock returns the moment at which a clock shows a time, which is given as if it were UTC.
type Clock func(wall time.Time) time.Time

// In returns the clock of a time zone.
func In(loc *time.Location) Clock {
	return func(wall time.Time) time.Time { return Instant(wall, loc) }
}

// Instant returns the moment at which the clock of a zone shows a time: the first one if
// it shows it twice; if it leaves it out, the moment at which it would show it without the
// change.
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

// Wall returns what the clock of a time's zone shows, as if it were UTC.
func Wall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}
