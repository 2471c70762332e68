package pages

import (
	"net/url"
	"strings"
	"testing"
)

func TestHomeShowsWhatIsToCome(t *testing.T) {
	api := newFake()
	page := visit(t, api, "/")
	expect(t, page, 200,
		`<html lang="en">`, `<h1>Upcoming events</h1>`, `1,234 events`, `Page 1 of 62`,
		`<h2>Already under way</h2>`, `Today</span> <time datetime="2026-11-21">Saturday 21 November 2026</time>`,
		`Tomorrow</span> <time datetime="2026-11-22">Sunday 22 November 2026</time>`,
		`<time datetime="2026-12-01">Tuesday 1 December 2026</time>`,
		`All day`, `until Saturday 5 December`, `18:30</time>`, `18:00 – 19:15`, `EST`, `Monday 23 November, 00:00 our time`,
		`19:30 – 01:00`,
		`<a href="/event/fete-au-parc/">La f&#234;te <em>au parc</em> &#038; ailleurs</a>`, `href="/event/%d0%bf%d0%be%d0%b5%d0%b7%d0%b4/"`,
		`Un extrait.`, `A long text. A …</p>`, `&lt;5&gt; €5 – €15`, `<p class="badge">Highlight</p>`,
		`<img src="/wp-content/uploads/demo/garden-300x200.jpg" alt="" loading="lazy" width="300" height="200">`,
		`<a href="/venue/molenpark/">Molenpark – Parc</a>`, `<a href="/venue/elders/">Elders</a>`,
		`<a href="/events/category/music/rock/">Rock</a>`, `<option value="rock">– Rock</option>`, `Film &amp; Talks`,
		`<a rel="next" href="/?page=2">`, `<a href="/?month=2027-01">January 2027</a>`,
		`href="/wp-json/vendor/events/v1/events"`, `href="/nl/wp-json/vendor/events/v1/events"`,
		`href="/fr/wp-json/vendor/events/v1/events"`,
		`<a href="/nl/" lang="nl-BE" hreflang="nl-BE">Nederlands</a>`,
		`<a href="/" lang="en" hreflang="en" aria-current="true">English</a>`)
	lacks(t, page, `rel="prev"`, "<script", "ZgotmplZ", "style=")
	// In the zone of the site it is already the next day: half past midnight in Brussels.
	want := url.Values{"per_page": {"20"}, "page": {"1"}, "ends_after": {"2026-11-20"}}
	if got := api.question(t); got.Encode() != want.Encode() {
		t.Errorf("requested %v, want %v", got, want)
	}
}

func TestHomeInOtherLanguages(t *testing.T) {
	api := newFake()
	expect(t, visit(t, api, "/nl/"), 200, `<html lang="nl-BE">`, "Wat er te doen is", "1.234 activiteiten",
		"zaterdag 21 november 2026", "Vandaag",
		"De hele dag", "tot en met zaterdag 5 december", `href="/nl/event/fete-au-parc/"`, `href="/nl/locatie/molenpark/"`,
		`href="/nl/events/categorie/music/rock/"`)
	expect(t, visit(t, api, "/fr/"), 200, `<html lang="fr">`, "1\u202f234 rendez-vous", "mardi 1er décembre 2026", "18h30",
		"Déjà en cours",
		`href="/fr/lieu/molenpark/"`, `href="/fr/events/catégorie`[:18])
	for _, asked := range api.asked[:2] {
		if !strings.HasPrefix(asked.Path, "/nl/wp-json/vendor/events/v1/") {
			t.Errorf("a Dutch page requested %s", asked.Path)
		}
	}
}

func TestListsAskForWhatTheVisitorWants(t *testing.T) {
	for target, want := range map[string]string{
		"/?month=2026-12":                                 "ends_after=2026-11-30&page=1&per_page=20&starts_before=2026-12-31",
		"/?month=2028-02&page=2":                          "ends_after=2028-01-31&page=2&per_page=20&starts_before=2028-02-29",
		"/?month=winter&page=-3":                          "ends_after=2026-11-20&page=1&per_page=20",
		"/nl/?q=+jazz+%26+blues+":                         "ends_after=2026-11-20&page=1&per_page=20&search=jazz+%26+blues",
		"/?category=rock&q=%00":                           "categories=rock&ends_after=2026-11-20&page=1&per_page=20",
		"/fr/?q=%ff":                                      "ends_after=2026-11-20&page=1&per_page=20",
		"/venue/molenpark/":                               "ends_after=2026-11-20&page=1&per_page=20&venue=31",
		"/nl/locatie/molenpark/":                          "ends_after=2026-11-20&page=1&per_page=20&venue=31",
		"/fr/organisateur/beekdal/":                       "ends_after=2026-11-20&organizer=41&page=1&per_page=20",
		"/organisator/beekdal/":                           "ends_after=2026-11-20&organizer=41&page=1&per_page=20",
		"/events/category/rock/":                          "categories=3&ends_after=2026-11-20&page=1&per_page=20",
		"/nl/events/categorie/music/rock/?category=music": "categories=3&ends_after=2026-11-20&page=1&per_page=20",
		"/fr/tag/food/?month=2027-03":                     "ends_after=2027-02-28&page=1&per_page=20&starts_before=2027-03-31&tags=9",
		"/?q=" + strings.Repeat("%C3%A9", 300): "ends_after=2026-11-20&page=1&per_page=20&search=" +
			strings.Repeat("%C3%A9", 200),
	} {
		api := newFake()
		if page := visit(t, api, target); page.Code != 200 {
			t.Errorf("%s: %d", target, page.Code)
			continue
		}
		if got := api.question(t).Encode(); got != want {
			t.Errorf("%s requests %s, want %s", target, got, want)
		}
	}
}

func TestListOfAVenue(t *testing.T) {
	page := visit(t, newFake(), "/venue/molenpark/")
	expect(t, page, 200, `<h1>Molenpark – Parc</h1>`, `<p>Groen.</p>`, `Beekdreef 1<br>1075 Elzenburg<br>Belgium<br>`,
		`href="tel:&#43;32%202%20555%2001%2040"`, `href="https://park.example/?a=1&amp;b=2"`,
		`https://www.openstreetmap.org/?mlat=50.84&amp;mlon=4.37#map=17/50.84/4.37`,
		`<a href="/nl/locatie/molenpark/" lang="nl-BE"`, `<a href="/fr/lieu/molenpark/" lang="fr"`,
		`href="/venue/molenpark/?month=2026-12"`)
}

func TestListOfAnOrganizer(t *testing.T) {
	page := visit(t, newFake(), "/nl/organisator/beekdal/")
	expect(t, page, 200, `<h1>Natuurgroep</h1>`, `href="mailto:gids@beekdal.example"`)
	lacks(t, page, "javascript:")
}

func TestListOfTerms(t *testing.T) {
	page := visit(t, newFake(), "/events/category/music/")
	expect(t, page, 200, `<h1>Music</h1>`, `All sounds`, `<a href="/events/category/music/rock/">Rock</a>`)
	lacks(t, page, `name="category"`)
	expect(t, visit(t, newFake(), "/events/category/rock/"), 200, `rel="canonical" href="/events/category/music/rock/"`)
	expect(t, visit(t, newFake(), "/tag/food/"), 200, `<h1>Food &amp; drink</h1>`)
}

func TestListKeepsTheFiltersInItsLinks(t *testing.T) {
	page := visit(t, newFake(), "/nl/?q=caf%C3%A9&category=rock&month=2026-12&page=2")
	expect(t, page, 200, `Resultaten voor ‘café’`, `name="q" value="café"`, `<option value="rock" selected>`,
		`name="month" value="2026-12"`,
		`rel="next" href="/nl/?category=rock&amp;month=2026-12&amp;page=3&amp;q=caf%C3%A9"`,
		`rel="prev" href="/nl/?category=rock&amp;month=2026-12&amp;q=caf%C3%A9"`,
		`href="/nl/?category=rock&amp;month=2027-01&amp;q=caf%C3%A9"`, `aria-current="page">december 2026`,
		`<a href="/?category=rock&amp;month=2026-12&amp;page=2&amp;q=caf%C3%A9" lang="en"`)
}

func TestSearchTextIsEscaped(t *testing.T) {
	page := visit(t, newFake(), "/?q="+url.QueryEscape(`"><script>alert(1)</script>`))
	expect(t, page, 200, `&lt;script&gt;`)
	lacks(t, page, "<script>")
}

func TestEmptyAndRefusedLists(t *testing.T) {
	api := &fakeAPI{lists: map[string]string{"1": emptyList}}
	expect(t, visit(t, api, "/"), 200, "Nothing found.", "0 events")
	expect(t, visit(t, api, "/fr/"), 200, "Aucun résultat.", "0 rendez-vous")
	expect(t, visit(t, api, "/?page=7"), 200, "Nothing found.", `rel="prev" href="/"`)
	refused := newFake()
	refused.failing = map[string]answer{"v1/events": {400, "rest_invalid_param"}}
	expect(t, visit(t, refused, "/?category=unknown"), 200, "Nothing found.")
}

func TestEventsWithoutDatesAreShown(t *testing.T) {
	api := &fakeAPI{lists: map[string]string{"1": `{"events":[` + datelessEvent + `],"total":1,"total_pages":1}`}}
	expect(t, visit(t, api, "/"), 200, "One day", "1 event<")
}
