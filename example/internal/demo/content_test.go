package demo

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// moments are days of seeding at different times of the year, around changes of the clock and the turn of a year.
var moments = []time.Time{
	time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC),
	time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC),
	time.Date(2026, 12, 31, 22, 59, 59, 0, time.UTC),
	time.Date(2028, 2, 29, 12, 0, 0, 0, time.UTC),
	time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC),
}

// events are all versions of all events.
func events() []event { return slices.Concat(groups()...) }

// originals are the events in the languages in which they were announced.
func originals() (list []event) {
	for _, g := range groups() {
		list = append(list, g[0])
	}
	return list
}

func TestContentIsComplete(t *testing.T) {
	all := originals()
	if len(all) < 55 || len(all) > 65 {
		t.Errorf("%d events, want about 60", len(all))
	}
	statuses := map[string]int{}
	var featured, sticky, hidden, protected, pair, allDay, several int
	zones := map[string]bool{}
	for _, e := range all {
		statuses[e.status]++
		featured += count(e.featured)
		sticky += count(e.sticky)
		hidden += count(e.hidden)
		protected += count(e.password != "")
		pair += count(len(e.organizers) > 1)
		allDay += count(e.at.isAllDay())
		several += count(e.at.days > 1)
		zones[e.at.zone] = true
	}
	for status, least := range map[string]int{"draft": 2, "pending": 1, "private": 1} {
		if statuses[status] < least {
			t.Errorf("%d events are %s, want %d", statuses[status], status, least)
		}
	}
	for name, n := range map[string]int{
		"featured": featured, "sticky": sticky, "hidden": hidden, "protected": protected,
		"with two organizers": pair, "all day": allDay, "of several days": several,
	} {
		if n == 0 {
			t.Errorf("no event is %s", name)
		}
	}
	for _, zone := range []string{"", "Europe/London", "America/New_York", "Asia/Tokyo", "UTC+5.5"} {
		if !zones[zone] {
			t.Errorf("no event in zone %q", zone)
		}
	}
}

// Every language has a calendar of its own: more than a page of what is to come, a third of it in all the others too.
func TestEveryLanguageHasItsCalendar(t *testing.T) {
	if len(languages) != 3 {
		t.Errorf("languages: %v", languages)
	}
	for _, now := range moments {
		shown, everywhere := map[string]int{}, map[string]int{}
		told := map[int]int{}
		for _, group := range groups() {
			told[len(group)]++
			for _, e := range group {
				when, err := e.at.resolve(now)
				if err != nil {
					t.Fatal(err)
				}
				if e.status == "" && !e.hidden && parse(t, when.endUTC).After(now.AddDate(0, 0, 1)) {
					shown[e.lang]++
					everywhere[e.lang] += count(len(group) == len(languages))
				}
			}
		}
		for _, l := range languages {
			if shown[l.code] < 25 || 3*everywhere[l.code] < shown[l.code] {
				t.Errorf("%v: %d events in %s, %d of them in all languages", now, shown[l.code], l.code, everywhere[l.code])
			}
		}
		if told[1] < 10 || told[2] < 6 || told[3] < 10 {
			t.Errorf("events by the number of their languages: %v", told)
		}
	}
}

// A version is of an event that exists, in another language than all its other versions.
func TestVersionsAreOfEvents(t *testing.T) {
	versions, known := 0, map[string]int{}
	for _, group := range groups() {
		met := map[string]bool{}
		for _, e := range group {
			if met[e.lang] {
				t.Errorf("%q is told twice in %s", group[0].title, e.lang)
			}
			if (e.excerpt == "") != (group[0].excerpt == "") {
				t.Errorf("%q has an excerpt in one language only", e.title)
			}
			met[e.lang] = true
		}
		known[group[0].slug] = len(group)
		versions += len(group) - 1
	}
	written := slices.Concat(toldEN, toldNL, toldFR)
	for _, w := range written {
		if known[w.of] < 2 {
			t.Errorf("%q is a version of nothing", w.title)
		}
	}
	if versions != len(written) {
		t.Errorf("%d versions, %d were written", versions, len(written))
	}
}

// What stands beside events exists in every language, under a slug and with a text of its own.
func TestNamesInEveryLanguage(t *testing.T) {
	kinds := map[string][]map[string]named{}
	for _, v := range venues {
		signs := map[string]named{}
		for code, s := range v.in {
			signs[code] = named{s.slug, s.name, s.text}
			if s.street == "" || (s.city == "") != (s.country == "") {
				t.Errorf("%s has half an address", s.name)
			}
		}
		kinds["venue"] = append(kinds["venue"], signs)
	}
	for _, o := range organizers {
		kinds["organizer"] = append(kinds["organizer"], o.in)
	}
	for _, x := range append(slices.Clone(categories), tags...) {
		kinds["term"] = append(kinds["term"], x.in)
	}
	for kind, all := range kinds {
		slugs, texts := map[string]bool{"": true}, map[string]bool{"": true}
		for _, in := range all {
			for _, l := range languages {
				n := in[l.code]
				if slugs[n.slug] || texts[n.text] || n.name == "" {
					t.Errorf("%s %q in %s: slug %q and text %q are missing or not its own", kind, n.name, l.code, n.slug, n.text)
				}
				slugs[n.slug], texts[n.text] = true, true
				if !slugForm.MatchString(n.slug) {
					t.Errorf("%s %q: slug %q", kind, n.name, n.slug)
				}
			}
			if len(in) != len(languages) {
				t.Errorf("%s %v is told in other languages than those of the site", kind, in)
			}
		}
	}
}

// slugForm is the form of a slug.
var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

var counter = regexp.MustCompile(`(?i)\b(#|no\.?|nr\.?|n°|deel|part|partie)?\s*\d+$`)

func TestTextsAreDistinct(t *testing.T) {
	titles, texts, slugs, sentences := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, e := range events() {
		if titles[e.title] || texts[e.text] || e.slug != "" && slugs[e.slug] {
			t.Errorf("%q repeats a title, a text or a slug", e.title)
		}
		titles[e.title], texts[e.text], slugs[e.slug] = true, true, true
		if counter.MatchString(e.title) {
			t.Errorf("%q ends in a number", e.title)
		}
		if n := len(strings.Split(strings.TrimSpace(e.text), "\n\n")); n < 2 {
			t.Errorf("%q has %d paragraphs", e.title, n)
		}
		for _, s := range regexp.MustCompile(`[.!?]\s`).Split(flow(e.text), -1) {
			if other, ok := sentences[s]; ok && utf8.RuneCountInString(s) > 12 {
				t.Errorf("%q and %q share the sentence %q", e.title, other, s)
			}
			sentences[s] = e.title
		}
		if (e.slug == "") != (e.status == "draft" || e.status == "pending") {
			t.Errorf("%q: slug %q with status %q", e.title, e.slug, e.status)
		}
		if e.slug != "" && !slugForm.MatchString(e.slug) {
			t.Errorf("%q: slug %q", e.title, e.slug)
		}
	}
}

func TestEverythingIsUsedAndExists(t *testing.T) {
	used := map[string]bool{}
	for _, e := range events() {
		for kind, names := range map[string][]string{
			"venue": {e.venue}, "organizer": e.organizers, "category": e.categories, "tag": e.tags, "image": {e.image},
		} {
			for _, n := range names {
				used[kind+"/"+n] = true
			}
		}
		if len(e.organizers) == 0 || len(e.categories) == 0 {
			t.Errorf("%q has no organizer or no category", e.title)
		}
	}
	for _, c := range categories {
		used["category/"+c.parent] = true
	}
	for _, v := range venues {
		used["image/"+v.image] = true
		if v.zip == "" || (v.lat == "") != (v.lng == "") {
			t.Errorf("%s has half an address or position", v.key)
		}
	}
	known := map[string]bool{"venue/": true, "image/": true, "category/": true}
	for _, v := range venues {
		known["venue/"+v.key] = true
	}
	for _, o := range organizers {
		known["organizer/"+o.key] = true
	}
	for _, c := range categories {
		known["category/"+c.key] = true
	}
	for _, g := range tags {
		known["tag/"+g.key] = true
	}
	for _, p := range pictures {
		known["image/"+p.key] = true
	}
	for name := range used {
		if !known[name] {
			t.Errorf("%s is used but does not exist", name)
		}
	}
	for name := range known {
		if !used[name] && !strings.HasSuffix(name, "/") {
			t.Errorf("%s exists but is not used", name)
		}
	}
}

func TestSlotsFallAroundTheDayOfSeeding(t *testing.T) {
	for _, now := range moments {
		markets := map[string]bool{}
		var past, running, soon int
		for _, e := range originals() {
			when, err := e.at.resolve(now)
			if err != nil {
				t.Fatal(err)
			}
			start, end := parse(t, when.startUTC), parse(t, when.endUTC)
			if start.Before(now.AddDate(0, 0, -12)) || start.After(now.AddDate(1, 0, 7)) || !end.After(start) {
				t.Errorf("%v: %q from %s to %s", now, e.title, when.start, when.end)
			}
			past += count(end.Before(now))
			running += count(start.Before(now) && end.After(now) && e.at.isAllDay())
			soon += count(start.After(now) && start.Before(now.AddDate(0, 0, 30)))
			if e.categories[0] == "weekly-market" {
				if day := parse(t, when.start); day.Weekday() != time.Saturday || markets[when.start] {
					t.Errorf("%v: %q on %s", now, e.title, when.start)
				}
				markets[when.start] = true
			}
		}
		if past < 3 || running == 0 || soon < 20 {
			t.Errorf("%v: %d past, %d running, %d within a month", now, past, running, soon)
		}
	}
}

func TestSeasons(t *testing.T) {
	fair := season(time.December, 10, time.Friday).allDay(3)
	for now, want := range map[string]string{
		"2026-11-21": "2026-12-11", "2026-12-11": "2026-12-11", "2026-12-13": "2026-12-11", "2026-12-14": "2027-12-10", "2027-01-01": "2027-12-10",
	} {
		at, err := time.Parse(time.DateOnly, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := fair.firstDay(at.Add(12 * time.Hour)).Format(time.DateOnly); got != want {
			t.Errorf("seen from %s the fair is on %s, want %s", now, got, want)
		}
	}
}

func parse(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(stamp, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
