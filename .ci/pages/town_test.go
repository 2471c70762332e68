package pagechecks_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// town is a host whose calendar is part of its site: example/town.
var town = &ownSite{title: "Riverton", locale: "en_US", host: townProgram, fill: func(s *ownSite) error {
	hall := values{"venue": "Concert hall", "address": "3 Mill Lane", "city": "Riverton"}
	for i, e := range []struct {
		title, category, text string
		seats                 int
		stepFree              bool
	}{
		{"Choir in the mill", "Music", "Songs about rivers, by forty voices of the town.", 120, true},
		{"Reading for few", "Books", "By the fire, with tea.", 12, false},
		{"Market at the bridge", "Town", "Bread, cheese and flowers from the valley.", 0, true},
		{"Night of the bats", "Nature", "A walk along the water; bring a lamp.", 25, false},
		{"Organ by candlelight", "Church", "An hour of Bach.", 200, true},
	} {
		category, err := s.createItem("", "categories", values{"name": e.category})
		if err != nil {
			return err
		}
		event := values{"title": e.title, "description": "<p>" + e.text + "</p>", "categories": []int64{category},
			"start_date": timeOn(4+5*i, "19:30"), "end_date": timeOn(4+5*i, "21:30"), "venue": hall, "step_free": e.stepFree}
		if e.seats > 0 {
			event["seats"] = e.seats
		}
		if _, err := s.createItem("", "events", event); err != nil {
			return err
		}
	}
	return nil
}}

// The pages of a host look like its site, have no faults, and show the host's fields and filters.
func TestTown(t *testing.T) {
	b := openTabAt(t, screen{1200, 900, "light"}, town.at(t))
	b.other = strings.TrimSuffix(b.site, "/agenda")
	b.visit(monthPath)
	got := evaluate[string](b, `['body', 'header.town'].map((e) => getComputedStyle(document.querySelector(e)).backgroundColor).join()`)
	if got != "rgb(238, 243, 238),rgb(11, 79, 69)" {
		t.Errorf("the month has the colours %s", got)
	}
	b.axe(screens()...)
	b.on(screen{1200, 900, "light"})
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.filters').open = true;
		document.querySelector('[name=seats_min]').value = '100'`))
	b.follow(".fields button[type=submit]", false)
	titles := evaluate[string](b, `[...document.querySelectorAll('.grid li a')].map((e) => e.innerText).join()`)
	if !strings.Contains(titles, "Choir") || !strings.Contains(titles, "Organ") || strings.Contains(titles, "Reading") {
		t.Errorf("%s are shown of those with 100 seats", titles)
	}
	b.visit("/event/choir-in-the-mill/")
	if said := evaluate[string](b, `document.querySelector('aside dl').innerText`); !strings.Contains(said, "Seats\n120") ||
		!strings.Contains(said, "No steps\nYes") {
		t.Errorf("the event says %q", said)
	}
	b.axe(screens()...)
}
