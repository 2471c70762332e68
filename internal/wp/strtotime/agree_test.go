package strtotime

import "testing"

// TestD87Agree checks that a pair of stored times is correct if any reading of the local time gives the UTC time (D87).
func TestD87Agree(t *testing.T) {
	for _, c := range []struct {
		zone, wall, utc string
		want            bool
	}{
		{"Europe/Brussels", "2031-07-01 12:00:00", "2031-07-01 10:00:00", true},
		{"Europe/Brussels", "2031-07-01 12:00:00", "2031-07-01 11:00:00", false},
		{"Europe/Brussels", "2031-12-01 12:00:00", "2031-12-01 11:00:00", true},
		// The local time occurs twice.
		{"Europe/Brussels", "2031-10-26 02:30:00", "2031-10-26 00:30:00", true},
		{"Europe/Brussels", "2031-10-26 02:30:00", "2031-10-26 01:30:00", true},
		{"Europe/Brussels", "2031-10-26 02:30:00", "2031-10-26 02:30:00", false},
		// The local time is skipped.
		{"Europe/Brussels", "2031-03-30 02:30:00", "2031-03-30 01:30:00", true},
		{"Europe/Brussels", "2031-03-30 02:30:00", "2031-03-30 00:30:00", true},
		{"Europe/Brussels", "2031-03-30 02:30:00", "2031-03-30 02:30:00", false},
		{"America/New_York", "2031-03-09 02:30:00", "2031-03-09 07:30:00", true},
		{"America/New_York", "2031-03-09 02:30:00", "2031-03-09 06:30:00", true},
		{"America/New_York", "2031-03-09 02:30:00", "2031-03-09 05:30:00", false},
		{"America/New_York", "2031-03-09 03:00:00", "2031-03-09 07:00:00", true},
		{"America/New_York", "2031-03-09 03:00:00", "2031-03-09 08:00:00", false},
		{"Pacific/Apia", "2011-12-30 12:00:00", "2011-12-29 22:00:00", true},
		{"Pacific/Apia", "2011-12-30 12:00:00", "2011-12-30 22:00:00", true},
		{"Pacific/Apia", "2011-12-30 12:00:00", "2011-12-30 12:00:00", false},
		{"Asia/Tokyo", "2031-07-01 12:00:00", "2031-07-01 03:00:00", true},
		{"Asia/Tokyo", "2031-07-01 12:00:00", "2031-07-01 04:00:00", false},
		// Strings that are not dates match everything.
		{"Asia/Tokyo", "", "2031-07-01 04:00:00", true}, {"Asia/Tokyo", "2031-07-01", "x", true},
	} {
		loc, ok := Zone(c.zone)
		if got := Agree(c.wall, c.utc, loc); !ok || got != c.want {
			t.Errorf("%s %s %s: %t", c.zone, c.wall, c.utc, got)
		}
	}
}
