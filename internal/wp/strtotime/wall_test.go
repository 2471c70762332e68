package strtotime

import (
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
)

func mustZone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, ok := Zone(name)
	if !ok {
		t.Fatalf("no zone %s", name)
	}
	return loc
}

func TestClockChanges(t *testing.T) {
	golden.Each(t, "changed-clocks.txt", func(zone, wall, utc string) {
		loc := mustZone(t, zone)
		parsed, ok := ParseWall(wall, loc)
		if !ok || Wall(parsed.UTC()) != utc {
			t.Errorf("ParseWall(%s, %s) = %s, want %s", wall, zone, Wall(parsed.UTC()), utc)
		}
		m, ok := Parse(wall, testNow, loc)
		if !ok || m.Zoned || !m.Time.Equal(parsed) {
			t.Errorf("Parse(%s) in %s = %v, %v", wall, zone, m, ok)
		}
	})
}

// TestClockChangesInTexts checks that a zone in the text selects the first of two equal local times, and that hours are
// added to the instant but days to the local time.
func TestClockChangesInTexts(t *testing.T) {
	golden.Each(t, "clock-changes.txt", func(zone, text, utc string) {
		m, ok := Parse(text, testNow, mustZone(t, zone))
		if !ok || Wall(m.Time.UTC()) != utc {
			t.Errorf("Parse(%q) in %s = %s, want %s", text, zone, Wall(m.Time.UTC()), utc)
		}
	})
}

func TestZoned(t *testing.T) {
	loc := mustZone(t, "Europe/Brussels")
	for text, want := range map[string]bool{
		"2031-04-05 10:15": false, "now": false, "monday next week": false,
		"2031-04-05 10:15Z": true, "2031-04-05T10:15:30.5+02:00": true, "@5": true, "2031-04-05 10:15 Asia/Tokyo": true,
		"+5": true, "10/Oct/2000:13:55:36 -0700": true, "Apr 5 10:15:30 CEST": true,
	} {
		m, ok := Parse(text, testNow, loc)
		if !ok || m.Zoned != want || m.Time.Location() != loc {
			t.Errorf("Parse(%q) = %v, %v", text, m, ok)
		}
	}
	if m, ok := Parse("2031-04-05", testNow, nil); !ok || m.Time.Location() != time.UTC {
		t.Errorf("without a zone: %v, %v", m, ok)
	}
}

func TestWall(t *testing.T) {
	for want, in := range map[string]time.Time{
		"2031-04-05 10:15:30":  time.Date(2031, 4, 5, 10, 15, 30, 999, mustZone(t, "Asia/Tokyo")),
		"0000-01-01 00:00:00":  time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		"-0001-11-30 00:00:00": time.Unix(-62169984000, 0).UTC(),
		"12031-04-05 00:00:00": time.Date(12031, 4, 5, 0, 0, 0, 0, time.UTC),
	} {
		if got := Wall(in); got != want {
			t.Errorf("Wall = %s, want %s", got, want)
		}
	}
}

func TestParseWallRefuses(t *testing.T) {
	for _, s := range []string{
		"", "2031-04-05", "2031-04-05T10:15:30", " 2031-04-05 10:15:3", "2031-04-05 10:15:30 ", "2031-02-29 00:00:00",
		"2031-04-31 00:00:00", "2031-00-01 00:00:00", "2031-13-01 00:00:00", "2031-04-00 00:00:00", "0000-00-00 00:00:00",
		"2031-04-05 24:00:00", "2031-04-05 10:60:00", "2031-04-05 10:15:60", "2031-4-05 10:15:300", "+031-04-05 10:15:30",
	} {
		if got, ok := ParseWall(s, time.UTC); ok {
			t.Errorf("ParseWall(%q) = %s", s, Wall(got))
		}
	}
	if got, ok := ParseWall("2032-02-29 23:59:59", time.UTC); !ok || Wall(got) != "2032-02-29 23:59:59" {
		t.Errorf("leap day: %v, %v", got, ok)
	}
}

func TestDayBounds(t *testing.T) {
	day := time.Date(2030, 3, 31, 22, 0, 0, 0, mustZone(t, "Europe/Brussels")) // clocks change on this day
	golden.Each(t, "day-bounds.txt", func(cutoff, wantStart, wantEnd string) {
		if start, end := DayStart(day, cutoff), DayEnd(day, cutoff); start != wantStart || end != wantEnd {
			t.Errorf("cutoff %q: %s to %s, want %s to %s", cutoff, start, end, wantStart, wantEnd)
		}
	})
	golden.Equal(t, "day of the zero date", DayStart(time.Unix(-62169984000, 0).UTC(), ""), "-0001-11-30 00:00:00")
}

func TestCivil(t *testing.T) {
	for days := int64(-800_000); days < 800_000; days += 37 {
		y, m, d := civilFromDays(days)
		want := time.Unix(days*86400, 0).UTC()
		if int64(want.Year()) != y || int64(want.Month()) != m || int64(want.Day()) != d {
			t.Fatalf("day %d is %d-%d-%d, want %s", days, y, m, d, Wall(want))
		}
		if back := daysFromCivil(y, m, d); back != days {
			t.Fatalf("day %d comes back as %d", days, back)
		}
		if got := weekday(y, m, d); got != int64(want.Weekday()) {
			t.Fatalf("day %d is weekday %d", days, got)
		}
	}
}
