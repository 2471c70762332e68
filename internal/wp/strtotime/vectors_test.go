package strtotime

import (
	"encoding/json"
	"os"
	"testing"
	"time"
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
	raw, err := os.ReadFile("testdata/dates-grammar.json")
	if err != nil {
		t.Fatal(err)
	}
	var f grammarFile
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
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
