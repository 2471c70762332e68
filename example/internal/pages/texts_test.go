package pages

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestEveryLanguageHasEveryWord(t *testing.T) {
	english := dictionaries["en"]
	for tag, d := range dictionaries {
		if d.Name == "" || d.HourSign == "" || d.Thousands == "" || len(d.Words) != len(english.Words) {
			t.Errorf("%s: %d words, %d in English", tag, len(d.Words), len(english.Words))
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

var used = regexp.MustCompile(`{{[^}]*\b(?:t|fill) "([a-z.]+)"`)

func TestTemplatesUseKnownWords(t *testing.T) {
	files, err := templateFiles.ReadDir("templates")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range files {
		data, err := templateFiles.ReadFile("templates/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
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
		"nl": {"zaterdag 1 mei 2027", "09:05", "1.234.567", "1 activiteit"},
		"fr": {"samedi 1er mai 2027", "09h05", "1\u202f234\u202f567", "1 rendez-vous"},
	} {
		d := dictionaries[tag]
		if got := [4]string{d.date(day), d.clock(day), d.number(1234567), d.count(1)}; got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
		if d.number(999) != "999" || d.number(0) != "0" {
			t.Errorf("%s: small numbers are %s and %s", tag, d.number(999), d.number(0))
		}
	}
}

func TestMoments(t *testing.T) {
	v := newVersion(Language{Tag: "en"}, Options{}.withDefaults())
	for name, c := range map[string]struct {
		e    event
		want moment
	}{
		"evening": {event{Start: "2026-11-21 19:30:00", End: "2026-11-21 22:00:00"},
			moment{Days: "Saturday 21 November 2026", Hours: "19:30 – 22:00", Machine: "2026-11-21T19:30"}},
		"past midnight": {event{Start: "2026-11-21 21:00:00", End: "2026-11-22 03:00:00"},
			moment{Days: "Saturday 21 November 2026", Hours: "21:00 – 03:00", Machine: "2026-11-21T21:00"}},
		"several days": {event{Start: "2026-11-21 18:00:00", End: "2026-11-23 12:00:00"},
			moment{Days: "Saturday 21 November 2026, 18:00 – Monday 23 November 2026, 12:00", Machine: "2026-11-21T18:00",
				Begins: "Saturday 21 November, 18:00", Until: "Monday 23 November, 12:00"}},
		"all day": {event{AllDay: true, Start: "2026-11-21 00:00:00", End: "2026-11-21 23:59:59"},
			moment{Days: "Saturday 21 November 2026", Hours: "all day", Machine: "2026-11-21"}},
		"all weekend": {event{AllDay: true, Start: "2026-11-21 00:00:00", End: "2026-11-22 23:59:59"},
			moment{Days: "Saturday 21 November 2026 – Sunday 22 November 2026", Hours: "all day", Machine: "2026-11-21",
				Until: "Sunday 22 November"}},
		"elsewhere": {event{Start: "2026-11-21 12:30:00", End: "2026-11-21 12:30:00", StartUTC: "2026-11-21 07:00:00", Abbr: "UTC+5.5"},
			moment{Days: "Saturday 21 November 2026", Hours: "12:30", Machine: "2026-11-21T12:30", Here: "08:00 our time",
				Abbr: "UTC+5.5"}},
		"end missing": {event{Start: "2026-11-21 12:30:00"}, moment{Days: "Saturday 21 November 2026", Hours: "12:30",
			Machine: "2026-11-21T12:30"}},
		"unreadable": {event{Start: "soon"}, moment{}},
	} {
		if got := v.moment(c.e); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestTreeSurvivesCircles(t *testing.T) {
	a, b := term{ID: 1, Slug: "a", Parent: 2}, term{ID: 2, Slug: "b", Parent: 1}
	tree := categoryTree{byID: map[int]term{1: a, 2: b}, list: []term{a, b}}
	if got := tree.route(a).path; got != "b/a" {
		t.Errorf("path %s", got)
	}
	tree.ordered()
}
