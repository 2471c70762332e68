package pages

import (
	"encoding/json"
	"encoding/xml"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestAlternativeText checks that images have their alternative text.
func TestAlternativeText(t *testing.T) {
	api := newFake()
	described := strings.Replace(partyEvent, "{", `{"image_alt":"Un parc & <b>",`, 1)
	api.items = map[string]string{root + "/events/by-slug/fete-au-parc": described}
	expect(t, visit(t, api, "/event/fete-au-parc/"), 200, `alt="Un parc &amp; &lt;b&gt;" width="1024"`,
		`<meta property="og:image:alt" content="Un parc &amp; &lt;b&gt;">`)
	lacks(t, visit(t, newFake(), "/event/fete-au-parc/"), "og:image:alt")
}

func TestHeadOfAnEvent(t *testing.T) {
	api := newFake()
	api.items = map[string]string{root + "/events/by-slug/fete-au-parc": strings.Replace(partyEvent, "{",
		`{"json_ld":{"@type":"Event","name":"x","performer":"Organization","description":"","offers":{"@type":"Offer","price":"5",`+
			`"name":"</script><script>alert(1)</script>","category":"","availability":"inStock"}},`, 1)}
	page := visit(t, api, "/event/fete-au-parc/")
	expect(t, page, 200,
		`<meta name="description" content="La fête au parc &amp; ailleurs, Tuesday 1 December 2026, 19:30 – 01:00. Un extrait.">`,
		`<meta property="og:type" content="article">`, `<meta property="og:title" content="La fête au parc &amp; ailleurs">`,
		`<meta property="og:url" content="http://demo.example/event/fete-au-parc/">`, `<meta property="og:locale" content="en_GB">`,
		`<meta property="og:image" content="http://demo.example/wp-content/uploads/demo/garden-1024x683.jpg">`,
		`<meta property="og:site_name" content="Calendar">`)
	_, data, _ := strings.Cut(page.Body.String(), `<script type="application/ld+json">`)
	data, _, _ = strings.Cut(data, "</script>")
	var read map[string]any
	if err := json.Unmarshal([]byte(data), &read); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	place, offer := read["location"].(map[string]any), read["offers"].(map[string]any)
	address := place["address"].(map[string]any)
	if read["@context"] != "https://schema.org" || read["name"] != "La fête au parc & ailleurs" || read["description"] != "Un extrait." ||
		read["url"] != "http://demo.example/event/fete-au-parc/" || read["startDate"] != "2026-12-01T19:30:00+01:00" ||
		read["eventStatus"] != "https://schema.org/EventScheduled" || place["name"] != "Molenpark – Parc" ||
		place["url"] != "http://demo.example/venue/molenpark/" || address["streetAddress"] != "Beekdreef 1" ||
		address["addressLocality"] != "Elzenburg" || place["geo"].(map[string]any)["@type"] != "GeoCoordinates" ||
		read["performer"].(map[string]any)["@type"] != "Organization" || offer["price"] != "5" ||
		offer["availability"] != "https://schema.org/InStock" || offer["name"] != "alert(1)" {
		t.Errorf("%s", data)
	}
	if strings.Contains(data, `""`) || strings.Contains(data, "null") || strings.Contains(data, "[]") || strings.Contains(data, "<") {
		t.Errorf("empty members or markup in %s", data)
	}
	lacks(t, visit(t, newFake(), "/event/fete-au-parc/"), `<script type="application/ld+json"`)
	untitled := strings.Replace(partyEvent, `"title":"La f&#234;te <em>au parc</em> &#038; ailleurs"`,
		`"title":"","json_ld":{"@type":"Event"}`, 1)
	api.items[root+"/events/by-slug/fete-au-parc"] = untitled
	expect(t, visit(t, api, "/event/fete-au-parc/"), 200, `"@type":"Event","description"`, "<title>Untitled · ", "<h1>Untitled</h1>")
	api.lists["1"] = listOf(1, untitled) // the link has a text
	expect(t, visit(t, api, "/?view=list"), 200, `<h3><a href="/event/fete-au-parc/">Untitled</a></h3>`)
}

// TestPricesForSearchEngines checks that the price of an offer is a number, or two.
func TestPricesForSearchEngines(t *testing.T) {
	for _, c := range []struct{ price, values, want string }{
		{"4 – 8.5", `"4","8.5"`, `"@type":"AggregateOffer","highPrice":8.5,"lowPrice":4}`}, {"5", `"5"`, `"price":"5"}`},
		{"4,50", `"4.50"`, `"@type":"Offer","price":4.5}`}, {"pay what you like", `"pay what you like"`, `{"@type":"Offer"}`},
	} {
		stored := json.RawMessage(`{"@type":"Offer","price":"` + c.price + `"}`)
		var prices []string
		must.Succeed(t, json.Unmarshal([]byte("["+c.values+"]"), &prices))
		if got := string(offers(stored, prices)); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.price, got, c.want)
		}
	}
}

// TestAccordionsAreOpen checks that accordions are shown open, since no script would open them.
func TestAccordionsAreOpen(t *testing.T) {
	api := newFake()
	api.items = map[string]string{root + "/events/by-slug/fete-au-parc": strings.Replace(partyEvent, "<p>Venez",
		`<div inert aria-labelledby=\"accordion-item-1\" class=\"panel\"><a href=\"/a\">A</a></div><p>Venez`, 1)}
	page := visit(t, api, "/event/fete-au-parc/")
	expect(t, page, 200, `<div aria-labelledby="accordion-item-1" class="panel"><a href="/a">A</a></div>`)
	lacks(t, page, "inert")
}

// TestAddressesWithoutOrigin checks that absolute addresses use the request's host if the public address is not known.
func TestAddressesWithoutOrigin(t *testing.T) {
	expect(t, open(t, "http://town.example:81/?view=list", Options{}), 200,
		`<link rel="canonical" href="http://town.example:81/?view=list">`, `href="webcal://town.example:81/?ical=1"`,
		`<img src="http://demo.example/`)
	o, town := Options{Origin: "https://demo.example/town"}, Language{Tag: "en", Prefix: "/town", Mount: "/wp-json"}
	for _, outside := range []string{"/", "/about/", "/townabout/"} {
		expect(t, open(t, outside, o, town), 404)
	}
	path := open(t, "/town/", o, town)
	expect(t, path, 200, `<link rel="canonical" href="https://demo.example/town/">`, `href="/town/assets/agenda.css?v=`)
}

func TestAddToACalendar(t *testing.T) {
	at := func(text string) url.Values {
		u := must.Get(url.Parse(text))(t)
		return u.Query()
	}
	var e calendar.Event
	must.Succeed(t, json.Unmarshal([]byte(partyEvent), &e))
	links := addLinks(e, feedLinks{}, "http://demo.example/event/x/")
	g, o := at(links.Google), at(links.Outlook)
	text := "Un extrait.\n\nhttp://demo.example/event/x/"
	if g.Get("dates") != "20261201T183000Z/20261202T000000Z" || g.Get("text") != "La fête au parc & ailleurs" || g.Get("details") != text ||
		g.Get("location") != "Molenpark – Parc, Beekdreef 1, 1075 Elzenburg, Belgium" || g.Get("action") != "TEMPLATE" {
		t.Errorf("Google: %v", g)
	}
	if o.Get("startdt") != "2026-12-01T18:30:00Z" || o.Get("enddt") != "2026-12-02T00:00:00Z" || o.Get("subject") != g.Get("text") ||
		o.Get("body") != text || o.Get("location") != g.Get("location") || o.Get("allday") != "false" ||
		strings.Contains(links.Outlook, "+") {
		t.Errorf("Outlook: %s", links.Outlook)
	}
	cet := time.FixedZone("CET", 60*60)
	allDay := addLinks(calendar.Event{
		AllDay: true, Start: time.Date(2026, 11, 12, 0, 0, 0, 0, cet), End: time.Date(2026, 12, 5, 23, 59, 59, 0, cet),
	}, feedLinks{}, "")
	if g, o := at(allDay.Google), at(allDay.Outlook); g.Get("dates") != "20261112/20261206" || o.Get("startdt") != "2026-11-12" ||
		o.Get("enddt") != "2026-12-06" || o.Get("allday") != "true" {
		t.Errorf("all day: %v %v", g, o)
	}
	if none := addLinks(calendar.Event{}, feedLinks{}, ""); none != (calendarLinks{}) {
		t.Errorf("without a date: %v", none)
	}
	expect(t, visit(t, newFake(), "/nl/event/fete-au-parc/"), 200, "Zet in je agenda",
		`href="/nl/event/fete-au-parc/?ical=1" rel="nofollow" download=`,
		`href="webcal://demo.example/nl/event/fete-au-parc/?ical=1"`, `href="https://calendar.google.com/calendar/render?action=TEMPLATE`,
		`href="https://outlook.live.com/calendar/0/deeplink/compose?`)
}

// TestNeighboursOfAnEvent checks that the previous and next events are found in the month of the event, or by start if
// it is the first or last one of that month.
func TestNeighboursOfAnEvent(t *testing.T) {
	api := newFake()
	api.lists["1"] = listOf(1, runningEvent, strings.Replace(abroadEvent, `"id":32`, `"id":32,"hide_from_listings":true`, 1),
		partyEvent, todayEvent)
	page := visit(t, api, "/event/fete-au-parc/")
	expect(t, page, 200, `<a rel="prev" href="/event/kanaalblues/"><span>Before · Thursday 12 November</span>`, `<b>Kanaalblues</b>`,
		`<a rel="next" href="/event/todays-talk/"><span>After · Saturday 21 November</span>`,
		`<h2>Next at Molenpark – Parc</h2>`, `Saturday 21 November, 18:30</time>`, `<h3><a href="/event/todays-talk/">`)
	if got, want := byStart(api), []string{}; !slices.Equal(got, want) {
		t.Errorf("requested %q", got)
	}
	api = &fakeAPI{lists: map[string]string{"1": listOf(1, partyEvent)}}
	lacks(t, visit(t, api, "/event/fete-au-parc/"), `class="near"`, `class="also"`)
	want := []string{
		"order=desc&per_page=4&starts_before=2026-12-01+19%3A30%3A01&strict_dates=true",
		"end_date=9999-12-31+23%3A59%3A59&per_page=4&start_date=2026-12-01+19%3A30%3A00&strict_dates=true",
	}
	if got := byStart(api); !slices.Equal(got, want) {
		t.Errorf("requested %q, want %q", got, want)
	}
}

// byStart returns the queries that search for a neighbour by its start.
func byStart(api *fakeAPI) []string {
	asked := []string{}
	for _, u := range api.asked {
		if u.Query().Has("strict_dates") {
			asked = append(asked, u.RawQuery)
		}
	}
	return asked
}

func TestSitemap(t *testing.T) {
	answer := visit(t, withOrganizers(newFake()), "/sitemap.xml")
	expect(t, answer, 200, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	var read struct {
		URLs []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	must.Succeed(t, xml.Unmarshal(answer.Body.Bytes(), &read))
	found := map[string]bool{}
	for _, u := range read.URLs {
		found[strings.TrimPrefix(u.Loc, "http://demo.example")] = true
	}
	for _, path := range []string{
		"/", "/nl/", "/fr/a-propos/", "/event/fete-au-parc/", "/nl/event/kanaalblues/", "/fr/lieu/molenpark/", "/nl/organisator/beekdal/",
		"/events/category/music/rock/", "/nl/events/categorie/film-talks/", "/fr/tag/food/",
	} {
		if !found[path] {
			t.Errorf("no %s among %v", path, found)
		}
	}
	if len(found) != len(read.URLs) || len(found) != 3*(2+4+1+1+3+1) {
		t.Errorf("%d addresses, %d different", len(read.URLs), len(found))
	}
}

// TestSitemapOfMany checks that a sitemap with many pages is an index of parts.
func TestSitemapOfMany(t *testing.T) {
	api := &fakeAPI{lists: map[string]string{}}
	many := `{"events":[` + todayEvent + `],"total":12001,"total_pages":241}`
	for _, page := range []string{"1", "100", "101", "200", "201", "241"} {
		api.lists[page] = many
	}
	api.items = map[string]string{}
	for _, prefix := range []string{"", "/nl", "/fr"} {
		api.items[prefix+root+"/organizers"] = `{"total":0,"total_pages":0,"organizers":[]}`
	}
	expect(t, visit(t, api, "/sitemap.xml"), 200, `<sitemapindex xmlns=`, `<loc>http://demo.example/sitemap-nl-BE-events-3.xml</loc>`,
		`<loc>http://demo.example/sitemap-fr-tags-1.xml</loc>`)
	lacks(t, visit(t, api, "/sitemap.xml"), "events-4", "organizers-1")
	expect(t, visit(t, api, "/sitemap-nl-BE-events-3.xml"), 200, `<loc>http://demo.example/nl/event/todays-talk/</loc>`)
	for _, path := range []string{
		"/sitemap-en-events-0.xml", "/sitemap-en-events-01.xml", "/sitemap-de-events-1.xml", "/sitemap-en-organizers-2.xml",
		"/sitemap-en.xml",
	} {
		if answer := visit(t, api, path); answer.Code != 404 {
			t.Errorf("%s: %d", path, answer.Code)
		}
	}
}
