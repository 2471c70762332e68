package demo

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/test/must"
)

// moments are days of seeding at different times of the year, around clock changes and the end of a year.
var moments = []time.Time{
	time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC),
	time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC),
	time.Date(2026, 12, 31, 22, 59, 59, 0, time.UTC),
	time.Date(2028, 2, 29, 12, 0, 0, 0, time.UTC),
	time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC),
}

// eventIn is an event in one of its languages.
type eventIn struct {
	event
	lang string
	version
}

// events returns all events in all their languages.
func events() (list []eventIn) {
	for _, e := range calendar().Events {
		for _, lang := range calendar().languages(e) {
			list = append(list, eventIn{e, lang, e.In[lang]})
		}
	}
	return list
}

func TestContentIsComplete(t *testing.T) {
	all := calendar().Events
	if len(all) < 55 || len(all) > 65 {
		t.Errorf("%d events, want about 60", len(all))
	}
	statuses := map[string]int{}
	var featured, sticky, hidden, protected, pair, allDay, several int
	zones := map[string]bool{}
	for _, e := range all {
		statuses[e.Status]++
		featured += oneIf(e.Featured)
		sticky += oneIf(e.Sticky)
		hidden += oneIf(e.Hidden)
		protected += oneIf(e.Password != "")
		pair += oneIf(len(e.Organizers) > 1)
		allDay += oneIf(e.At.isAllDay())
		several += oneIf(e.At.Days > 1)
		zones[e.At.Zone] = true
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

// Every language has a complete calendar: more than a page of upcoming events, a third of which exist in all other
// languages too.
func TestEveryLanguageHasItsCalendar(t *testing.T) {
	languages := calendar().Languages
	if len(languages) != 3 {
		t.Errorf("languages: %v", languages)
	}
	for _, now := range moments {
		shown, everywhere, versions := map[string]int{}, map[string]int{}, map[int]int{}
		for _, e := range calendar().Events {
			versions[len(e.In)]++
			when := must.Get(e.At.resolve(now))(t)
			if e.Status != "" || e.Hidden || !parse(t, when.endUTC).After(now.AddDate(0, 0, 1)) {
				continue
			}
			for lang := range e.In {
				shown[lang]++
				everywhere[lang] += oneIf(len(e.In) == len(languages))
			}
		}
		for _, l := range languages {
			if shown[l.Code] < 25 || 3*everywhere[l.Code] < shown[l.Code] {
				t.Errorf("%v: %d events in %s, %d of them in all languages", now, shown[l.Code], l.Code, everywhere[l.Code])
			}
		}
		if versions[1] < 10 || versions[2] < 6 || versions[3] < 10 {
			t.Errorf("events by the number of their languages: %v", versions)
		}
	}
}

// An event exists in the language in which it was announced and only in languages of the site, and has an excerpt in
// all of them or in none.
func TestVersionsOfEvents(t *testing.T) {
	for _, e := range calendar().Events {
		if list := calendar().languages(e); len(list) != len(e.In) || e.title() == "" {
			t.Errorf("%q is announced in %q and exists in %v", e.title(), e.Announced, list)
		}
		for lang, v := range e.In {
			if (v.Excerpt == "") != (e.In[e.Announced].Excerpt == "") {
				t.Errorf("%q has an excerpt in other languages than %s", v.Title, lang)
			}
		}
		if day := e.At.Weekday; day != "" && e.At.onOrAfter(moments[0]).Weekday().String() != day {
			t.Errorf("%q is on a %q", e.title(), day)
		}
	}
}

// Items that are not events exist in every language, with a separate slug and text.
func TestNamesInEveryLanguage(t *testing.T) {
	c := calendar()
	kinds := map[string][]map[string]named{}
	for _, v := range c.Venues {
		signs := map[string]named{}
		for code, s := range v.In {
			signs[code] = named{s.Slug, s.Name, s.Text}
			if s.Street == "" || (s.City == "") != (s.Country == "") {
				t.Errorf("%s has half an address", s.Name)
			}
		}
		kinds["venue"] = append(kinds["venue"], signs)
	}
	for _, o := range c.Organizers {
		kinds["organizer"] = append(kinds["organizer"], o.In)
	}
	for _, x := range slices.Concat(c.Categories, c.Tags) {
		kinds["term"] = append(kinds["term"], x.In)
	}
	for kind, all := range kinds {
		slugs, texts := map[string]bool{"": true}, map[string]bool{"": true}
		for _, in := range all {
			for _, l := range c.Languages {
				n := in[l.Code]
				if slugs[n.Slug] || texts[n.Text] || n.Name == "" {
					t.Errorf("%s %q in %s: slug %q and text %q are missing or not its own", kind, n.Name, l.Code, n.Slug, n.Text)
				}
				slugs[n.Slug], texts[n.Text] = true, true
				if !slugForm.MatchString(n.Slug) {
					t.Errorf("%s %q: slug %q", kind, n.Name, n.Slug)
				}
			}
			if len(in) != len(c.Languages) {
				t.Errorf("%s %v exists in other languages than those of the site", kind, in)
			}
		}
	}
}

// slugForm matches a slug.
var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

var counter = regexp.MustCompile(`(?i)\b(#|no\.?|nr\.?|n°|deel|part|partie)?\s*\d+$`)

func TestTextsAreDistinct(t *testing.T) {
	titles, texts, slugs, sentences := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, e := range events() {
		if titles[e.Title] || texts[e.Text] || e.Slug != "" && slugs[e.Slug] {
			t.Errorf("%q repeats a title, a text or a slug", e.Title)
		}
		titles[e.Title], texts[e.Text], slugs[e.Slug] = true, true, true
		if counter.MatchString(e.Title) {
			t.Errorf("%q ends in a number", e.Title)
		}
		if n := len(strings.Split(strings.TrimSpace(e.Text), "\n\n")); n < 2 {
			t.Errorf("%q has %d paragraphs", e.Title, n)
		}
		for _, s := range regexp.MustCompile(`[.!?]\s`).Split(flow(e.Text), -1) {
			if other, ok := sentences[s]; ok && utf8.RuneCountInString(s) > 12 {
				t.Errorf("%q and %q share the sentence %q", e.Title, other, s)
			}
			sentences[s] = e.Title
		}
		if (e.Slug == "") != (e.Status == "draft" || e.Status == "pending") {
			t.Errorf("%q: slug %q with status %q", e.Title, e.Slug, e.Status)
		}
		if e.Slug != "" && !slugForm.MatchString(e.Slug) {
			t.Errorf("%q: slug %q", e.Title, e.Slug)
		}
	}
}

func TestEverythingIsUsedAndExists(t *testing.T) {
	c := calendar()
	used, known := map[string]bool{}, map[string]bool{"venue/": true, "image/": true, "category/": true}
	for _, e := range c.Events {
		for kind, names := range map[string][]string{
			"venue": {e.Venue}, "organizer": e.Organizers, "category": e.Categories, "tag": e.Tags, "image": {e.Image},
		} {
			for _, n := range names {
				used[kind+"/"+n] = true
			}
		}
		if len(e.Organizers) == 0 || len(e.Categories) == 0 {
			t.Errorf("%q has no organizer or no category", e.title())
		}
	}
	for _, v := range c.Venues {
		known["venue/"+v.Key], used["image/"+v.Image] = true, true
		if v.Zip == "" || (v.Lat == "") != (v.Lng == "") {
			t.Errorf("%s has half an address or position", v.Key)
		}
	}
	for _, o := range c.Organizers {
		known["organizer/"+o.Key] = true
	}
	for _, x := range c.Categories {
		known["category/"+x.Key], used["category/"+x.Parent] = true, true
	}
	for _, x := range c.Tags {
		known["tag/"+x.Key] = true
	}
	for _, p := range c.Pictures {
		known["image/"+p.Key] = true
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
		for _, e := range calendar().Events {
			when := must.Get(e.At.resolve(now))(t)
			start, end := parse(t, when.startUTC), parse(t, when.endUTC)
			if start.Before(now.AddDate(0, 0, -12)) || start.After(now.AddDate(1, 0, 7)) || !end.After(start) {
				t.Errorf("%v: %q from %s to %s", now, e.title(), when.start, when.end)
			}
			past += oneIf(end.Before(now))
			running += oneIf(start.Before(now) && end.After(now) && e.At.isAllDay())
			soon += oneIf(start.After(now) && start.Before(now.AddDate(0, 0, 30)))
			if e.Categories[0] == "weekly-market" {
				if day := parse(t, when.start); day.Weekday() != time.Saturday || markets[when.start] {
					t.Errorf("%v: %q on %s", now, e.title(), when.start)
				}
				markets[when.start] = true
			}
		}
		if past < 3 || running == 0 || soon < 20 {
			t.Errorf("%v: %d past, %d running, %d within a month", now, past, running, soon)
		}
	}
}

// Whenever the site is filled, a choir meets every week except two, another one on the last Sunday of each month, and a
// market is on nine Saturdays.
func TestEventsWithSeveralDates(t *testing.T) {
	for _, now := range moments {
		found := map[string]int{}
		for _, e := range calendar().Events {
			s := must.Get(e.several(now))(t)
			if s == nil {
				continue
			}
			own, err := e.first(now)
			if err != nil || own != s.dates[0] || len(s.set.Unknown()) > 0 || s.explicit == s.set.Ruled() {
				t.Errorf("%v: %q begins with %v: %v", now, e.title(), own, err)
			}
			kind := strings.TrimPrefix(s.set.Rule(), "FREQ=")
			kind, _, _ = strings.Cut(kind, ";")
			found[kind] = len(s.dates)
			for i, date := range s.dates {
				day := parse(t, date.start)
				last := day.AddDate(0, 0, 7).Month() != day.Month()
				if day.Weekday().String() != e.At.Weekday || kind == "MONTHLY" && !last || i > 0 && date.startUTC <= s.dates[i-1].startUTC {
					t.Errorf("%v: %q on %v", now, e.title(), day)
				}
			}
		}
		if found[""] != 9 || found["WEEKLY"] != 27-2 || found["MONTHLY"] < 9 || found["MONTHLY"] > 11 || len(found) != 3 {
			t.Errorf("%v: %v", now, found)
		}
	}
}

func TestSeasons(t *testing.T) {
	fair := slot{Month: 12, Day: 10, Weekday: "Friday", Days: 3}
	for now, want := range map[string]string{
		"2026-11-21": "2026-12-11", "2026-12-11": "2026-12-11", "2026-12-13": "2026-12-11", "2026-12-14": "2027-12-10",
		"2027-01-01": "2027-12-10",
	} {
		at := must.Get(time.Parse(time.DateOnly, now))(t)
		if got := fair.firstDay(at.Add(12 * time.Hour)).Format(time.DateOnly); got != want {
			t.Errorf("on %s the fair is on %s, want %s", now, got, want)
		}
	}
}

func parse(t *testing.T, text string) time.Time {
	t.Helper()
	return must.Get(time.Parse(stamp, text))(t)
}
