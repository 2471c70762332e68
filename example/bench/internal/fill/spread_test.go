package fill

import (
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// placed returns the place of a filled site, without its database.
func placed(t *testing.T) *place {
	t.Helper()
	db := filled(t, small(0))
	s, _, found, err := loadState(t.Context(), bound(t, db))
	if err != nil || !found {
		t.Fatal(found, err)
	}
	return must.Get(newPlace(t.Context(), bound(t, db), prefix, s))(t)
}

// many returns enough events for every choice to occur.
func many(t *testing.T) (*place, []*event) {
	p := placed(t)
	list := make([]*event, 20_000)
	for n := range list {
		list[n] = p.event(1, int64(n))
	}
	return p, list
}

func TestDatesLieAroundTheDay(t *testing.T) {
	p, list := many(t)
	if want := "2026-11-22 00:00:00 +0100 CET"; p.day.String() != want {
		t.Errorf("the day begins at %s, want %s", p.day, want)
	}
	years, months, hours, long, days := map[int]int{}, map[time.Month]int{}, map[int]int{}, 0, 0
	for _, e := range list {
		year := int(e.begins.Sub(p.day).Hours() / 24 / 365.25)
		if e.begins.Before(p.day) {
			year--
		}
		years[year]++
		months[e.begins.Month()]++
		if !e.entered.Before(p.day) || e.entered.Hour() < 8 || e.entered.Hour() > 18 {
			t.Errorf("event %d was entered at %s", e.number, e.entered)
		}
		end, _ := time.Parse(time.DateTime, e.endUTC)
		start, _ := time.Parse(time.DateTime, e.startUTC)
		if lasts := end.Sub(start); e.seconds != int64(lasts.Seconds()) || e.seconds < 45*60 {
			t.Errorf("event %d lasts %d s from %s to %s", e.number, e.seconds, e.startUTC, e.endUTC)
		}
		switch {
		case e.allDay:
			days++
			if e.start[11:] != "00:00:00" || e.end[11:] != "23:59:59" {
				t.Errorf("event %d takes whole days from %s to %s", e.number, e.start, e.end)
			}
		case e.seconds > 24*3600:
			long++
		}
		if !e.allDay {
			hours[e.begins.Hour()]++
			if h := e.start[11:13]; h < "08" || h > "22" {
				t.Errorf("event %d begins at %s", e.number, e.start)
			}
		}
	}
	for year := -10; year < 10; year++ {
		if years[year] < 200 {
			t.Errorf("%d events in year %d", years[year], year)
		}
	}
	if len(years) > 20 || years[0] < 5*years[9] || years[-1] < 5*years[-10] {
		t.Errorf("events by year: %v", years)
	}
	if months[time.May] < 3*months[time.January]/2 || months[time.June] < 3*months[time.August]/2 {
		t.Errorf("events by month: %v", months)
	}
	if len(hours) < 12 || days < 1000 || long < 1000 {
		t.Errorf("%d events of whole days, %d of several days; by hour %v", days, long, hours)
	}
}

func TestEventsAreOfAllKinds(t *testing.T) {
	_, list := many(t)
	seen := map[string]map[int]int{}
	count := func(what string, n int) {
		if seen[what] == nil {
			seen[what] = map[int]int{}
		}
		seen[what][n]++
	}
	slugs, statuses := map[string]bool{}, map[string]int{}
	flags := map[string]int{}
	for _, e := range list {
		statuses[e.status]++
		if unnamed := e.status == schema.StatusDraft || e.status == schema.StatusPending; unnamed != (e.slug == "") ||
			slugs[e.slug] && !unnamed {
			t.Errorf("event %d is %s and has the slug %q", e.number, e.status, e.slug)
		}
		slugs[e.slug] = true
		if e.venue >= 0 {
			count("venue", e.venue)
		}
		count("organizers of an event", len(e.organizers))
		count("categories of an event", len(e.categories))
		count("tags of an event", len(e.tags))
		for what, ids := range map[string][]int{"organizer": e.organizers, "category": e.categories, "tag": e.tags} {
			for _, id := range ids {
				count(what, id)
			}
		}
		if e.picture >= 0 {
			count("picture", e.picture)
		}
		text := strings.ReplaceAll(strings.ReplaceAll(e.content, "<!-- wp:paragraph -->\n<p>", ""), "</p>\n<!-- /wp:paragraph -->", "")
		count("paragraphs", len(strings.Split(text, "\n\n")))
		for what, on := range map[string]bool{
			"excerpt": e.excerpt != "", "featured": e.featured, "password": e.password != "", "hidden": e.hidden,
			"price":   e.price.amounts != nil,
			"website": e.website != "", "own picture": e.ownPicture, "no venue": e.venue < 0, "zone": e.zone != siteZone,
			"blocks": text != e.content,
		} {
			if on {
				flags[what]++
			}
		}
	}
	for what, want := range map[string]int{
		"venue": venueCount, "organizer": organizerCount, "category": 60, "tag": tagCount, "picture": pictureCount, "paragraphs": 5,
		"organizers of an event": 3, "categories of an event": 3, "tags of an event": 6,
	} {
		if len(seen[what]) != want {
			t.Errorf("%s: %d different ones, want %d", what, len(seen[what]), want)
		}
	}
	if statuses[schema.StatusPublish] < len(list)*9/10 || statuses[schema.StatusDraft] < 20 || statuses[schema.StatusPrivate] < 10 {
		t.Errorf("events by status: %v", statuses)
	}
	if len(flags) != 10 {
		t.Errorf("what events have: %v", flags)
	}
	for what, n := range flags {
		if n < 5 || n > len(list)*7/10 {
			t.Errorf("%d of %d events: %s", n, len(list), what)
		}
	}
}

func TestPlacesHaveNamesOfTheirOwn(t *testing.T) {
	db := filled(t, small(0))
	slugs := map[string]bool{}
	kinds := map[string]int{}
	for _, p := range readTable[schema.Post](t, db, "ID") {
		if slugs[p.Type+p.Name] || p.Name == "" {
			t.Errorf("%s %q twice", p.Type, p.Name)
		}
		slugs[p.Type+p.Name] = true
		kinds[p.Type]++
	}
	if kinds["tribe_venue"] != 500 || kinds["tribe_organizer"] != 200 || kinds["tribe_events"] != 0 {
		t.Errorf("%v", kinds)
	}
	terms := readTable[schema.Term](t, db, "term_id")
	parents := 0
	for i, tt := range readTable[schema.TermTaxonomy](t, db, "term_id") {
		if slugs[tt.Taxonomy+terms[i].Slug] || terms[i].Slug == "" {
			t.Errorf("%s %q twice", tt.Taxonomy, terms[i].Slug)
		}
		slugs[tt.Taxonomy+terms[i].Slug] = true
		kinds[tt.Taxonomy]++
		if tt.Parent != 0 {
			parents++
		}
	}
	if kinds["tribe_events_cat"] != 60 || kinds["post_tag"] != 300 || parents != 48 {
		t.Errorf("%v, %d below others", kinds, parents)
	}
}
