package strtotime

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// grammarFile contains dates with recorded results.
type grammarFile struct {
	Now   int64 `json:"now"`
	Cases []struct {
		In       string `json:"in"`
		UTC      *int64 `json:"utc"`
		Brussels *int64 `json:"brussels"`
	} `json:"cases"`
}

func loadGrammar(t testing.TB) grammarFile {
	t.Helper()
	raw := must.Get(os.ReadFile("testdata/dates-grammar.json"))(t)
	var f grammarFile
	must.Succeed(t, json.Unmarshal(raw, &f))
	return f
}

func TestRecordedTexts(t *testing.T) {
	f := loadGrammar(t)
	if len(f.Cases) != 337 {
		t.Fatalf("%d cases, want 337", len(f.Cases))
	}
	brussels, ok := Zone("Europe/Brussels")
	if !ok {
		t.Fatal("no Europe/Brussels")
	}
	now := time.Unix(f.Now, 0)
	for _, c := range f.Cases {
		checkRecorded(t, c.In, now, time.UTC, c.UTC)
		checkRecorded(t, c.In, now, brussels, c.Brussels)
	}
}

func checkRecorded(t *testing.T, in string, now time.Time, loc *time.Location, want *int64) {
	t.Helper()
	got, ok := Parse(in, now, loc)
	switch {
	case ok != (want != nil):
		t.Errorf("Parse(%q) in %v: ok = %v", in, loc, ok)
	case ok && got.Time.Unix() != *want:
		t.Errorf("Parse(%q) in %v = %s (%d), want %s", in, loc, Wall(got.Time), got.Time.Unix(),
			Wall(time.Unix(*want, 0).In(loc)))
	}
}

// TestD87Agree checks that a pair of stored times is correct if any reading of the local time gives the UTC time (D87).
func TestD87Agree(t *testing.T) {
	golden.Each(t, "agree.txt", func(zone, wall, utc string, want bool) {
		loc, ok := Zone(zone)
		if got := Agree(wall, utc, loc); !ok || got != want {
			t.Errorf("%s %s %s: %t", zone, wall, utc, got)
		}
	})
}

// FuzzParse checks that Parse never panics, and that every instant can be formatted and parsed back.
func FuzzParse(f *testing.F) {
	for _, c := range loadGrammar(f).Cases {
		f.Add(c.In)
	}
	golden.Seed(f, "@9223372036854775807", "@-9223372036854775808", "+9999999999999999999-12-31",
		"-9999999999999-01-01", "9999999999999 fortnights", "9999999999999 weekdays ago", "9999999999999 years ago",
		"@1 9999999999999 hours", "Europe/Brussels 10:15 (((", "first µs", "\x00\xff", "May 20:15")
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
