package demo

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
)

// Every month of the year before and after contains something in every language, and each day of a series is the same
// whenever the site is filled.
func TestSeriesFillTheYear(t *testing.T) {
	c := calendar()
	for _, now := range moments {
		perMonth, places := map[string]int{}, map[string]string{}
		for _, o := range c.occasions(now) {
			when := must.Get(o.At.resolve(now))(t)
			day := when.start[:len(time.DateOnly)]
			if day != o.day.Format(time.DateOnly) {
				t.Errorf("%v: %q is on %s, not on %s", now, o.title(), day, o.day.Format(time.DateOnly))
			}
			if other := places[o.Venue+day]; other != "" {
				t.Errorf("%v: %q and %q are in %s on %s", now, o.title(), other, o.Venue, day)
			}
			places[o.Venue+day] = o.title()
			for lang, v := range o.In {
				perMonth[lang+day[:len("2006-01")]]++
				if strings.Contains(v.Text, "%s") || !strings.HasSuffix(v.Slug, day) || !slugForm.MatchString(v.Slug) {
					t.Errorf("%q is called %s: %s", v.Title, v.Slug, v.Text)
				}
			}
		}
		first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
		for _, l := range c.Languages {
			for month := -11; month <= 11; month++ {
				key := l.Code + first.AddDate(0, month, 0).Format("2006-01")
				if perMonth[key] < 6 {
					t.Errorf("%v: %d events in %s", now, perMonth[key], key)
				}
			}
		}
	}
	days := func(now time.Time) map[string]bool {
		found := map[string]bool{}
		for _, o := range c.occasions(now) {
			if o.day.After(moments[0].AddDate(0, 4, 0)) && o.day.Before(moments[0].AddDate(0, 9, 0)) {
				found[o.In[o.Announced].Slug] = true
			}
		}
		return found
	}
	today, tomorrow := days(moments[0]), days(moments[0].AddDate(0, 0, 1))
	for _, slug := range slices.Sorted(maps.Keys(today)) {
		if !tomorrow[slug] {
			t.Errorf("a day later there is no %s", slug)
		}
	}
	if len(today) < 50 {
		t.Errorf("%d events in five months", len(today))
	}
}

// A series has the same number of turns in each of its languages, and its text has one placeholder for them.
func TestSeriesAreComplete(t *testing.T) {
	for _, s := range calendar().Series {
		for lang, v := range s.In {
			if len(s.Turns[lang]) != len(s.Turns[s.Announced]) || len(s.Turns[lang]) < 2 || strings.Count(v.Text, "%s") != 1 {
				t.Errorf("%q has %d turns in %s", v.Title, len(s.Turns[lang]), lang)
			}
		}
		if s.Every < 1 || s.Phase >= s.Every || len(s.Turns) != len(s.In) || len(s.Organizers) == 0 || len(s.Categories) == 0 {
			t.Errorf("%q is incomplete", s.title())
		}
	}
}
