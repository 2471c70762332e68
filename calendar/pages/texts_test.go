package pages

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestTextsOfPages checks that each language has what dates and numbers need, and that a text has the placeholders of the
// English one. A text that is missing is shown in English and is not an error: go run ./.ci/untranslated lists them.
func TestTextsOfPages(t *testing.T) {
	english := dictionaries["en"]
	for tag, d := range dictionaries {
		if d.Name == "" || d.HourSign == "" || d.Thousands == "" {
			t.Errorf("%s has no name, or no signs of times or numbers: %+v", tag, d)
		}
		for key := range d.Words {
			if _, ok := english.Words[key]; !ok {
				t.Errorf("%s: %s is not in English", tag, key)
			}
		}
		for key, word := range english.Words {
			if d.Words[key] == "" || strings.Count(d.Words[key], "%s") != strings.Count(word, "%s") {
				t.Errorf("%s: %s is %q", tag, key, d.Words[key])
			}
		}
		for _, name := range append(d.Months[:], d.Days[:]...) {
			if name == "" {
				t.Errorf("%s: a month or day has no name", tag)
			}
		}
	}
}

// TestMissingTextIsEnglish checks that a text that a language lacks is shown in English, and that no other text changes.
func TestMissingTextIsEnglish(t *testing.T) {
	words := map[string]string{"all": "Alle", "empty": ""}
	addMissing(words, map[string]string{"all": "All", "empty": "Empty", "new": "New"})
	d := dictionary{Words: words}
	if d.word("all") != "Alle" || d.word("empty") != "Empty" || d.word("new") != "New" || d.word("unknown") != "unknown" {
		t.Errorf("%q", words)
	}
}

var used = regexp.MustCompile(`{{[^}]*\b(?:t|fill) "([a-z.]+)"`)

func TestTemplatesUseKnownWords(t *testing.T) {
	files := must.Get(templateFiles.ReadDir("templates"))(t)
	found := 0
	for _, f := range files {
		data := must.Get(templateFiles.ReadFile("templates/" + f.Name()))(t)
		for _, m := range used.FindAllStringSubmatch(string(data), -1) {
			found++
			if dictionaries["en"].Words[m[1]] == "" {
				t.Errorf("%s uses %q, which is no key of a text", f.Name(), m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d words were found in the templates", found)
	}
}

func TestDatesAndNumbers(t *testing.T) {
	day := time.Date(2027, 5, 1, 9, 5, 0, 0, time.UTC)
	for tag, want := range map[string][4]string{
		"en": {"Saturday 1 May 2027", "09:05", "1,234,567", "1 event"},
		"nl": {"zaterdag 1 mei 2027", "09:05", "1.234.567", "1 evenement"},
		"fr": {"samedi 1er mai 2027", "09h05", "1\u202f234\u202f567", "1 événement"},
	} {
		d := dictionaries[tag]
		golden.Equal(t, tag, [4]string{d.date(day), d.clock(day), d.number(1234567), d.count(1)}, want)
		if d.number(999) != "999" || d.number(0) != "0" {
			t.Errorf("%s: small numbers are %s and %s", tag, d.number(999), d.number(0))
		}
	}
}

func TestMoments(t *testing.T) {
	v := newVersion(Language{Tag: "en"}, inBrussels(Options{}).withDefaults())
	abroad := time.FixedZone("UTC+5.5", 11*60*60/2)
	here := func(text string) time.Time { return clock(text, v.zone) }
	for name, c := range map[string]struct {
		e    calendar.Event
		want moment
	}{
		"evening": {calendar.Event{Start: here("2026-11-21 19:30:00"), End: here("2026-11-21 22:00:00")},
			moment{Days: "Saturday 21 November 2026", Hours: "19:30 – 22:00", Machine: "2026-11-21T19:30"}},
		"past midnight": {calendar.Event{Start: here("2026-11-21 21:00:00"), End: here("2026-11-22 03:00:00")},
			moment{Days: "Saturday 21 November 2026", Hours: "21:00 – 03:00", Machine: "2026-11-21T21:00"}},
		"several days": {calendar.Event{Start: here("2026-11-21 18:00:00"), End: here("2026-11-23 12:00:00")},
			moment{Days: "Saturday 21 November 2026, 18:00 – Monday 23 November 2026, 12:00", Machine: "2026-11-21T18:00",
				Begins: "Saturday 21 November, 18:00", Until: "Monday 23 November, 12:00"}},
		"all day": {calendar.Event{AllDay: true, Start: here("2026-11-21 00:00:00"), End: here("2026-11-21 23:59:59")},
			moment{Days: "Saturday 21 November 2026", Hours: "all day", Machine: "2026-11-21"}},
		"all weekend": {calendar.Event{AllDay: true, Start: here("2026-11-21 00:00:00"), End: here("2026-11-22 23:59:59")},
			moment{Days: "Saturday 21 November 2026 – Sunday 22 November 2026", Hours: "all day", Machine: "2026-11-21",
				Until: "Sunday 22 November"}},
		"elsewhere": {calendar.Event{Start: clock("2026-11-21 12:30:00", abroad), End: clock("2026-11-21 12:30:00", abroad),
			TimeZoneAbbr: "UTC+5.5"},
			moment{Days: "Saturday 21 November 2026", Hours: "12:30", Machine: "2026-11-21T12:30", Here: "08:00 our time",
				Zone: "UTC+5.5", Short: "UTC+5.5"}},
		"a zone without letters": {calendar.Event{Start: clock("2026-11-21 12:30:00", abroad), End: clock("2026-11-21 12:30:00", abroad),
			TimeZone: "Asia/Colombo", TimeZoneAbbr: "+0530"},
			moment{Days: "Saturday 21 November 2026", Hours: "12:30", Machine: "2026-11-21T12:30", Here: "08:00 our time",
				Zone: "Asia/Colombo", Short: "Asia/Colombo"}},
		"end missing": {calendar.Event{Start: here("2026-11-21 12:30:00")}, moment{Days: "Saturday 21 November 2026", Hours: "12:30",
			Machine: "2026-11-21T12:30"}},
		"no date": {calendar.Event{}, moment{}},
	} {
		golden.Equal(t, name, v.moment(c.e), c.want)
	}
}

func TestTreeSurvivesCircles(t *testing.T) {
	a, b := calendar.Term{ID: 1, Slug: "a", ParentID: 2}, calendar.Term{ID: 2, Slug: "b", ParentID: 1}
	tree := categoryTree{byID: map[int64]calendar.Term{1: a, 2: b}, list: []calendar.Term{a, b}}
	golden.Equal(t, "path", tree.route(a).path, "b/a")
	tree.ordered()
}
