package ical

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestLines(t *testing.T) {
	param := func(name, value, param, paramValue string) func(*Writer) {
		return func(w *Writer) { w.Value(name, value, Param{param, paramValue, param == "CN"}) }
	}
	brussels := must.Get(time.LoadLocation("Europe/Brussels"))(t)
	day := time.Date(2031, 10, 26, 0, 30, 0, 0, time.UTC) // 02:30 occurs twice on that day
	for want, write := range map[string]func(*Writer){
		`SUMMARY:a\, b\; c\\ d\ne "f": g`:              func(w *Writer) { w.Text("SUMMARY", "a, b; c\\ d\ne \"f\": g") },
		`SUMMARY:a\nb\nc`:                              func(w *Writer) { w.Text("SUMMARY", "a\r\nb\rc") },
		"SUMMARY:a\tbc\uFFFD":                          func(w *Writer) { w.Text("SUMMARY", "a\tb\x00\x07\x7fc\xff") },
		`CATEGORIES:a\,b,c;d`:                          func(w *Writer) { w.line("CATEGORIES", nil, `a\,b,c;d`) },
		`CATEGORIES:Dans & Beweging,a\,b`:              func(w *Writer) { w.Texts("CATEGORIES", []string{"Dans & Beweging", "a,b"}) },
		`URL:http://site.test/?a=1,2;b`:                func(w *Writer) { w.Value("URL", "http://site.test/?a=1,2;\r\nb") },
		`ATTACH;FMTTYPE=image/svg+xml:http://x/y`:      param("ATTACH", "http://x/y", "FMTTYPE", "image/svg+xml"),
		`ATTACH;FMTTYPE="a;b:c,d":http://x/y`:          param("ATTACH", "http://x/y", "FMTTYPE", "a;b:c,d"),
		`ORGANIZER;CN="KBR":MAILTO:a@b`:                param("ORGANIZER", "MAILTO:a@b", "CN", "KBR"),
		`ORGANIZER;CN="'O', \; X":MAILTO:a@b`:          param("ORGANIZER", "MAILTO:a@b", "CN", "\"O\", \\;\nX"),
		`DTSTART;VALUE=DATE:20311026`:                  func(w *Writer) { w.Date("DTSTART", day) },
		`DTSTART:20311026T003000Z`:                     func(w *Writer) { w.UTC("DTSTART", day.In(brussels)) },
		`DTEND:20311026T003000Z`:                       func(w *Writer) { w.Local("DTEND", day.In(brussels)) },
		`DTSTART;TZID=Europe/Brussels:20311026T015900`: func(w *Writer) { w.Local("DTSTART", day.Add(-31*time.Minute).In(brussels)) },
		`EXDATE;TZID=Europe/Brussels:20310330T023000`: func(w *Writer) { // a local time that is skipped
			w.Wall("EXDATE", time.Date(2031, 3, 30, 2, 30, 0, 0, time.UTC), brussels)
		},
		`DTSTART:20311026T013000Z`:                     func(w *Writer) { w.Local("DTSTART", day.Add(time.Hour).In(brussels)) },
		`DTSTART;TZID=Europe/Brussels:20311026T030000`: func(w *Writer) { w.Local("DTSTART", day.Add(90*time.Minute).In(brussels)) },
		`DTSTART;TZID=Europe/Brussels:21001231T233000`: func(w *Writer) {
			w.Local("DTSTART", time.Date(2100, 12, 31, 23, 30, 0, 0, brussels))
		},
		`DTSTART:21010701T100000Z`: func(w *Writer) { w.Local("DTSTART", time.Date(2101, 7, 1, 12, 0, 0, 0, brussels)) },
	} {
		w := &Writer{}
		write(w)
		if got := string(w.Bytes()); got != want+"\r\n" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTextsComeBack checks that any text is read back, except for control characters, that no line is too long, and
// that no character is split.
func TestTextsComeBack(t *testing.T) {
	unescape := strings.NewReplacer(`\\`, `\`, `\;`, ";", `\,`, ",", `\n`, "\n")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("a,;\\n\né😀\" ")), 0, 300, -1)).Draw(t, "text")
		w := &Writer{}
		w.Text("X", text)
		w.Value("Y", "z", Param{Name: "CN", Value: text, Text: true})
		written := string(w.Bytes())
		for line := range strings.SplitSeq(strings.TrimSuffix(written, "\r\n"), "\r\n") {
			if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsAny(line, "\r\n") {
				t.Fatalf("a line of %d bytes: %q", len(line), line)
			}
		}
		lines := strings.Split(strings.ReplaceAll(written, "\r\n ", ""), "\r\n")
		if len(lines) != 3 || unescape.Replace(strings.TrimPrefix(lines[0], "X:")) != clean(text) {
			t.Fatalf("%q became %q", text, written)
		}
		if strings.Count(lines[1], `"`) != 2 || !strings.HasSuffix(lines[1], `":z`) {
			t.Fatalf("%q became the parameter %q", text, lines[1])
		}
	})
}

func TestValues(t *testing.T) {
	golden.Each(t, "values.txt", func(text, want string) {
		d, ok := ParseDateTime(text)
		got := ""
		if ok {
			got = d.Wall.Format(time.DateTime)
			if d.Day {
				got += " day"
			}
			if d.UTC {
				got += " utc"
			}
		}
		golden.Equal(t, text, got, want)
	})
	for text, want := range map[string]Duration{
		"PT1H30M": {Time: 90 * time.Minute}, "P1D": {Days: 1}, "P2W": {Days: 14}, "P1DT1S": {Days: 1, Time: time.Second},
		"-P1D": {Days: -1}, "+pt0s": {},
	} {
		if d, ok := ParseDuration(text); !ok || d != want {
			t.Errorf("%s: %v %v", text, d, ok)
		}
	}
	for _, text := range []string{"", "P", "1D", "PD", "PT1D", "P1H", "P99999999D", "PT1H1", "P1Y"} {
		if d, ok := ParseDuration(text); ok {
			t.Errorf("%s: %v", text, d)
		}
	}
}
