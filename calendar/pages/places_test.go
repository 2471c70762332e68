package pages

import (
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// TestNear checks the filter for events near a place: by the place's name, which requires no script, and by the
// coordinates that the script's button gets from the browser. The events stay ordered by date.
func TestNear(t *testing.T) {
	api := newFake()
	page := visit(t, api, "/?view=list&near=Elzenburg")
	point := url.QueryEscape(placesOf([]calendar.Venue{parkOf(t)})[0].point())
	expect(t, page, 200, ">Near Elzenburg<", `<option value="Elzenburg" selected>Elzenburg</option>`, `data-near="near"`,
		`<script async src="/assets/pages.js?v=`, `<a href="/?near=Elzenburg" rel="nofollow">Month</a>`, `href="/feed/?near=Elzenburg"`,
		`hreflang="nl-BE" href="http://demo.example/nl/?near=`+point+`&amp;view=list"`) // places may have other names there
	if got, want := api.questions(t, 1)[0],
		"ends_after=2026-11-20&near="+point+"&order=asc&orderby=event_date&page=1&per_page=20"; got != want {
		t.Errorf("requested %s, want %s", got, want)
	}
	expect(t, visit(t, newFake(), "/nl/?near=50.85,4.35"), 200, ">Bij jou in de buurt<", `<option value="50.85,4.35" selected>`)
	expect(t, visit(t, newFake(), "/embed/?near=Elzenburg"), 200)
	expect(t, visit(t, newFake(), "/embed/new/?near=Elzenburg"), 200, ` near="Elzenburg"`)
	for _, query := range []string{"near=Nowhere", "near=1,2&near=3,4", "near=91,0", "near=" + strings.Repeat("a", 201)} {
		expect(t, visit(t, newFake(), "/?"+query), 404)
	}
}

// parkOf returns the venue of the fake API.
func parkOf(t *testing.T) calendar.Venue {
	t.Helper()
	park, err := fakeClient(newFake(), []Language{{Tag: "en", Mount: "/wp-json"}}, "vendor/events/v1").
		venuesByName(t.Context(), newVersion(Language{Tag: "en"}, inBrussels(Options{}).withDefaults()))
	if err != nil || len(park) != 1 {
		t.Fatal(park, err)
	}
	return park[0]
}

// TestPlaces checks that the coordinates of a city are the mean of its venues', that a venue without a city is a place,
// and that one without coordinates is not.
func TestPlaces(t *testing.T) {
	at := func(lat, lng float64) calendar.Venue { return calendar.Venue{Latitude: &lat, Longitude: &lng} }
	a, b, c, d := at(51, 3), at(52, 4), at(-1, -2), calendar.Venue{City: "Bruges"}
	a.City, b.City, c.Name = "Ghent", "Ghent", "Hall &amp; Co"
	list := placesOf([]calendar.Venue{a, c, d, b})
	if len(list) != 2 || list[0].name != "Ghent" || list[0].point() != "51.5000,3.5000" || list[1].name != "Hall & Co" ||
		list[1].point() != "-1.0000,-2.0000" {
		t.Errorf("%+v", list)
	}
}
