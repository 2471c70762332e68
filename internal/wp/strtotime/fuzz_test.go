package strtotime

import (
	"strconv"
	"testing"
	"time"
)

// FuzzParse checks that Parse never panics, and that every instant can be formatted and parsed back.
func FuzzParse(f *testing.F) {
	for _, c := range loadGrammar(f).Cases {
		f.Add(c.In)
	}
	for _, s := range []string{"@9223372036854775807", "@-9223372036854775808", "+9999999999999999999-12-31",
		"-9999999999999-01-01", "9999999999999 fortnights", "9999999999999 weekdays ago", "9999999999999 years ago",
		"@1 9999999999999 hours", "Europe/Brussels 10:15 (((", "first µs", "\x00\xff", "May 20:15"} {
		f.Add(s)
	}
	loc, _ := Zone("Europe/Brussels")
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := Parse(text, testNow, loc)
		if !ok {
			return
		}
		if len(text) > maxText {
			t.Fatalf("%d bytes accepted", len(text))
		}
		back, ok := Parse("@"+strconv.FormatInt(m.Time.Unix(), 10), testNow, time.UTC)
		if !ok || !back.Time.Equal(m.Time) {
			t.Fatalf("%q: %d comes back as %d, %v", text, m.Time.Unix(), back.Time.Unix(), ok)
		}
		utc := m.Time.UTC()
		if y := utc.Year(); y < 0 || y > 9999 {
			return
		}
		if again, ok := ParseWall(Wall(utc), time.UTC); !ok || !again.Equal(utc) {
			t.Fatalf("%q: %s comes back as %s, %v", text, Wall(utc), Wall(again), ok)
		}
	})
}
