package demo

import (
	"regexp"
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

func TestContentIsComplete(t *testing.T) {
	all := events()
	if len(all) < 55 || len(all) > 65 {
		t.Errorf("%d events, want about 60", len(all))
	}
	languages, statuses := map[string]int{}, map[string]int{}
	var featured, sticky, hidden, protected, pair, allDay, several int
	zones := map[string]bool{}
	for _, e := range all {
		languages[e.lang]++
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
	for _, lang := range []string{"nl", "en", "fr"} {
		if languages[lang] < 18 {
			t.Errorf("%d events in %s, want at least 18", languages[lang], lang)
		}
	}
	if len(languages) != 3 {
		t.Errorf("languages: %v", languages)
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
		if e.slug != "" && !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(e.slug) {
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
		if v.street == "" || v.zip == "" || v.city == "" || v.country == "" {
			t.Errorf("%s has no full address", v.name)
		}
		if (v.lat == "") != (v.lng == "") {
			t.Errorf("%s has half a position", v.name)
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
		known["category/"+c.slug] = true
	}
	for _, g := range tags {
		known["tag/"+g.slug] = true
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
		for _, e := range events() {
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
