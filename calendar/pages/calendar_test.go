package pages

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestHomeShowsTheMonth(t *testing.T) {
	api := newFake()
	page := visit(t, api, "/")
	expect(t, page, 200,
		`<html lang="en">`, `<h1><time datetime="2026-11">November 2026</time></h1>`, `<caption>November 2026</caption>`,
		`<th scope="col"><span aria-hidden="true">Mon</span><span class="hidden">Monday</span></th>`,
		`3 events`, `aria-current="date">`, `<span class="hidden">Saturday 21 November, 2 events</span>`,
		`<a class="c0 bar d4 after" href="/event/kanaalblues/">Kanaalblues</a>`,
		`<a class="c0 bar d7 before after" href="/event/kanaalblues/">Kanaalblues</a>`,
		`<a class="c0 bar d6 before" href="/event/kanaalblues/">Kanaalblues</a>`,
		`<li class="through"><span class="hidden">Kanaalblues</span></li>`,
		`href="/event/todays-talk/"><bdi class="clock">18:30</bdi> Today’s talk</a>`,
		`<a class="c1" href="/event/fete-au-parc/"><bdi class="clock">19:30</bdi> La fête au parc &amp; ailleurs</a>`,
		`<bdi class="clock">18:00 EST</bdi> Night trains`, `<li class="card c0 compact">`,
		`href="/event/%d0%bf%d0%be%d0%b5%d0%b7%d0%b4/"`,
		`<a class="prev" href="/?month=2026-10" rel="nofollow" title="Previous month: October 2026">`,
		`<a class="next" href="/?month=2026-12" title="Next month: December 2026">`, `<a class="today" href="/">Today</a>`,
		`<a href="/" aria-current="page">Month</a>`, `<a href="/?day=2026-11-21" rel="nofollow">Day</a>`, `<a href="/?view=list">List</a>`,
		`<a class="c1" href="/?category=music" rel="nofollow">Music</a>`, `<option value="rock">– Rock</option>`, `Film &amp; Talks`,
		`<option value="food">Food &amp; drink</option>`, `<option value="molenpark">Molenpark – Parc</option>`,
		`<a href="/nl/" lang="nl-BE" hreflang="nl-BE">Nederlands</a>`,
		`<a href="/" lang="en" hreflang="en" aria-current="true">English</a>`,
		`<link rel="canonical" href="http://demo.example/">`, `<link rel="alternate" hreflang="nl-BE" href="http://demo.example/nl/">`,
		`<link rel="alternate" hreflang="x-default" href="http://demo.example/">`, `href="webcal://demo.example/?ical=1"`)
	lacks(t, page, "<script>", "ZgotmplZ", "style=", "October 2026, ")
	// On a phone, the current day is shown below the month, including events that have begun before.
	_, day, _ := strings.Cut(page.Body.String(), `<section class="agenda"`)
	for _, text := range []string{
		`<span class="note">Today</span> <time datetime="2026-11-21">Saturday 21 November 2026</time>`, `all day`,
		`until Saturday 5 December`,
		`18:30</time>`, `A long text. A …</p>`,
	} {
		if !strings.Contains(day, text) {
			t.Errorf("the day lacks %q", text)
		}
	}
	// It is half past midnight in Brussels, so the next day has begun in the site's time zone.
	want := []string{"ends_after=2026-11-20&page=1&per_page=50&starts_before=2026-11-21", // events of the day
		"ends_after=2026-10-25&page=1&per_page=50&starts_before=2026-12-06"}
	if got := api.questions(t, 2); !slices.Equal(got, want) {
		t.Errorf("requested %v, want %v", got, want)
	}
}

func TestMonthInOtherLanguages(t *testing.T) {
	api := newFake()
	expect(t, visit(t, api, "/nl/"), 200, `<html lang="nl-BE">`, `<title>November 2026 · Agenda</title>`,
		`<time datetime="2026-11">november 2026</time>`, "3 evenementen", ">ma<",
		"zaterdag 21 november 2026", "Vandaag", "de hele dag", "tot en met zaterdag 5 december", `href="/nl/event/fete-au-parc/"`,
		`href="/nl/locatie/molenpark/"`, `href="/nl/?category=music"`)
	expect(t, visit(t, api, "/fr/"), 200, `<html lang="fr">`, "3 événements", "samedi 21 novembre 2026", "18h30", ">lun<",
		`href="/fr/lieu/molenpark/"`)
	for _, asked := range api.asked[:2] {
		if !strings.HasPrefix(asked.Path, "/nl/wp-json/vendor/events/v1/") {
			t.Errorf("a Dutch page requested %s", asked.Path)
		}
	}
}

func TestDay(t *testing.T) {
	api := newFake()
	page := visit(t, api, "/?day=2026-11-22&category=rock")
	expect(t, page, 200, `<time datetime="2026-11-22">Sunday 22 November 2026</time></h1>`, `2 events`, `<div class="calendar day">`,
		`18:00 – 19:15</time> America/New_York <span`, `Monday 23 November, 00:00 our time`, `<td class="chosen">`,
		`href="/?category=rock&amp;day=2026-11-21" rel="nofollow" title="Day before: Saturday 21 November"`,
		`<a href="/?category=rock" rel="nofollow">Month</a>`, `<input type="hidden" name="day" value="2026-11-22">`)
	lacks(t, page, `<h3><a href="/event/fete-au-parc/"`)
	expect(t, visit(t, newFake(), "/?day=2026-11-03"), 200, "Nothing on this day.", `<td class="chosen">`)
}

func TestListOfWhatIsToCome(t *testing.T) {
	api := newLongFake()
	page := visit(t, api, "/?view=list")
	expect(t, page, 200, `<h1>Upcoming events</h1>`, `1,224 events`, `Page 1 of 62`, `<h2>Already under way</h2>`,
		`Today</span> <time datetime="2026-11-21">Saturday 21 November 2026</time>`,
		`Tomorrow</span> <time datetime="2026-11-22">Sunday 22 November 2026</time>`,
		`<time datetime="2026-12-01">Tuesday 1 December 2026</time>`, `19:30 – 01:00`,
		`<a href="/event/fete-au-parc/">La f&#234;te <em>au parc</em> &#038; ailleurs</a>`, `Un extrait.`, `&lt;5&gt; €5 – €15`,
		`<p class="badge">Highlight</p>`,
		`<img src="/wp-content/uploads/demo/garden-300x200.jpg" alt="" loading="lazy" width="300" height="200">`,
		`<a class="place" href="/venue/molenpark/">Molenpark – Parc</a>`, `<a rel="next" href="/?page=2&amp;view=list">`)
	lacks(t, page, `rel="prev"`, "<table")
	if got, want := api.questions(t, 1)[0], "ends_after=2026-11-20&page=1&per_page=20"; got != want {
		t.Errorf("requested %s, want %s", got, want)
	}
	expect(t, visit(t, newLongFake(), "/nl/?view=list"), 200, "1.224 evenementen", "Wat er te doen is")
	expect(t, visit(t, newLongFake(), "/fr/?view=list"), 200, "1\u202f224 événements", "mardi 1er décembre 2026", "Déjà en cours")
}

// TestStatesAsk checks the requests that each state sends to the API.
func TestStatesAsk(t *testing.T) {
	longest := strings.Repeat("%C3%A9", longestQuery)
	for target, want := range map[string]string{
		"/?month=2026-12": "ends_after=2026-11-29&page=1&per_page=50&starts_before=2027-01-03 " +
			"ends_after=2026-11-30&page=1&per_page=50&starts_before=2026-12-01",
		"/?view=list&month=2027-02&page=2": "ends_after=2027-01-31&page=2&per_page=20&starts_before=2027-02-28",
		"/nl/?q=+jazz+%26+blues+": "end_date=2026-11-20&order=desc&page=1&per_page=20&search=jazz+%26+blues&start_date=" +
			"0001-01-02",
		"/?category=rock&view=list":            "categories=3&ends_after=2026-11-20&page=1&per_page=20",
		"/?venue=molenpark&tag=food&view=list": "ends_after=2026-11-20&page=1&per_page=20&tags=9&venue=31",
		"/?organizer=beekdal&view=list":        "ends_after=2026-11-20&organizer=41&page=1&per_page=20",
		"/?utm_source=x&view=list":             "ends_after=2026-11-20&page=1&per_page=20",
		"/venue/molenpark/":                    "ends_after=2026-11-20&page=1&per_page=20&venue=31",
		"/nl/locatie/molenpark/?page=2":        "ends_after=2026-11-20&page=2&per_page=20&venue=31",
		"/fr/organisateur/beekdal/":            "ends_after=2026-11-20&organizer=41&page=1&per_page=20",
		"/organisator/beekdal/":                "ends_after=2026-11-20&organizer=41&page=1&per_page=20",
		"/events/category/rock/":               "categories=3&ends_after=2026-11-20&page=1&per_page=20",
		"/fr/tag/food/":                        "ends_after=2026-11-20&page=1&per_page=20&tags=9",
		"/?q=" + longest: "end_date=2026-11-20&order=desc&page=1&per_page=20&search=" + longest +
			"&start_date=0001-01-02",
	} {
		api := newLongFake()
		if strings.Contains(want, "=50") {
			api = newFake()
		}
		if page := visit(t, api, target); page.Code != 200 {
			t.Errorf("%s: %d", target, page.Code)
			continue
		}
		got := api.questions(t, 1+strings.Count(want, " "))
		slices.Reverse(got)
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s requests %s, want %s", target, got, want)
		}
	}
}

// TestUnknownValuesAreNotFound checks that an unknown value of a parameter results in an error page with a link to the
// calendar, and not in a list of all events.
func TestUnknownValuesAreNotFound(t *testing.T) {
	for _, query := range []string{
		"month=winter", "month=2026-13", "month=2026-1", "month=2026-11&month=2026-12", "month=2031-01", "month=1999-01", "month=0000-00",
		"day=2026-02-30", "day=today", "day=2031-01-01", "day=2026-11-21&month=2026-11", "day=2026-11-21&view=list", "view=week",
		"view=month",
		"view=list&page=0", "view=list&page=-1", "view=list&page=two", "view=list&page=1", "view=list&page=02", "view=list&page=99",
		"page=2",
		"free=yes", "free=0", "category=nowhere", "category=rock&category=music", "tag=nowhere", "venue=nowhere", "organizer=nobody",
		"venue=nowhere&category=rock", "category=%ff", "venue=../events", "q=%00", "q=%ff", "q=a&q=b", "q=" + strings.Repeat("x", 201),
	} {
		for _, path := range []string{"/", "/nl/"} {
			api := newLongFake()
			page := visit(t, api, path+"?"+query)
			back := map[string]string{"/": "Back to the calendar", "/nl/": "Terug naar de agenda"}[path]
			expect(t, page, 404, `<a href="`+path+`">`+back)
			lacks(t, page, "<table", `class="card"`)
		}
	}
	for _, target := range []string{"/venue/molenpark/?page=7", "/venue/molenpark/?page=x", "/tag/food/?q=%ff", "/fr/a-propos/rien/"} {
		if page := visit(t, newFake(), target); page.Code != 404 {
			t.Errorf("%s: %d", target, page.Code)
		}
	}
}

// TestStatesHaveOneAddress checks the redirects from addresses that forms send, and from filters on other pages, to the
// canonical address.
func TestStatesHaveOneAddress(t *testing.T) {
	for target, want := range map[string]string{
		"/?q=&category=rock&tag=&venue=&month=2026-12": "/?category=rock&month=2026-12",
		"/nl/?q=&category=":                            "/nl/",
		"/?q=+++&month=2026-12":                        "/?month=2026-12",
		"/venue/molenpark/?month=2026-12&q=x":          "/?q=x&venue=molenpark",
		"/?q=x&view=list&month=2026-12":                "/?q=x",
		"/nl/?q=x&day=2026-11-21&tag=food":             "/nl/?q=x&tag=food",
		"/nl/tag/food/?view=list":                      "/nl/?tag=food&view=list",
	} {
		if page := visit(t, newFake(), target); page.Code != 302 || page.Header().Get("Location") != want {
			t.Errorf("%s: %d to %s, want %s", target, page.Code, page.Header().Get("Location"), want)
		}
	}
}

func TestStatesKeepTheirFilters(t *testing.T) {
	page := visit(t, newLongFake(), "/nl/?tag=food&category=rock&month=2026-12&view=list&page=2")
	expect(t, page, 200, `<title>Food &amp; drink · Rock · december 2026 · Agenda</title>`, `name="q" value=""`,
		`<option value="rock" selected>`, `<details class="filters">`,
		`<input type="hidden" name="month" value="2026-12">`, `<input type="hidden" name="view" value="list">`,
		`rel="next" href="/nl/?category=rock&amp;month=2026-12&amp;page=3&amp;tag=food&amp;view=list"`,
		`rel="prev" href="/nl/?category=rock&amp;month=2026-12&amp;tag=food&amp;view=list"`,
		`class="next" href="/nl/?category=rock&amp;month=2027-01&amp;tag=food&amp;view=list" rel="nofollow"`,
		`<a href="/nl/?category=rock&amp;month=2026-12&amp;tag=food" rel="nofollow">Maand</a>`,
		`<a href="/nl/?month=2026-12&amp;tag=food&amp;view=list" rel="nofollow">`+
			`<span class="hidden">Filter verwijderen: </span>Rock</a>`,
		`<a class="reset" href="/nl/?month=2026-12&amp;view=list">`,
		`<a href="/?category=rock&amp;month=2026-12&amp;tag=food&amp;view=list" lang="en"`,
		`href="webcal://demo.example/nl/?category=rock&amp;ical=1&amp;tag=food"`)
	expect(t, visit(t, newFake(), "/?category=music"), 200,
		`<a class="c1" href="/" rel="nofollow" aria-current="true">Music</a>`, `<title>Music · November 2026 · Calendar</title>`)
}

// TestListsOfDaysAndYears checks lists of the next days, and of a year.
func TestListsOfDaysAndYears(t *testing.T) {
	for query, want := range map[string]string{
		"when=today":   "ends_after=2026-11-20&page=1&per_page=20&starts_before=2026-11-21",
		"when=weekend": "ends_after=2026-11-20&page=1&per_page=20&starts_before=2026-11-22", // the current day is a Saturday
		"when=week":    "ends_after=2026-11-20&page=1&per_page=20&starts_before=2026-11-27",
		"when=2025":    "ends_after=2024-12-31&page=1&per_page=20&starts_before=2025-12-31",
	} {
		api := newFake()
		page := visit(t, api, "/?view=list&tag=food&"+query)
		if query != "when=2025" { // years without events have no link
			expect(t, page, 200, `href="/?tag=food&amp;view=list" rel="nofollow" aria-current="true">`)
		}
		expect(t, page, 200,
			`<a href="/?tag=food&amp;view=list&amp;when=2026" rel="nofollow">2026</a>`)
		if got := strings.Replace(api.questions(t, 1)[0], "&tags=9", "", 1); got != want {
			t.Errorf("%s requests %s, want %s", query, got, want)
		}
	}
	for day, want := range map[string][2]string{
		"2026-11-20": {"2026-11-21", "2026-11-22"}, "2026-11-21": {"2026-11-21", "2026-11-22"}, "2026-11-22": {"2026-11-22", "2026-11-22"},
		"2026-11-23": {"2026-11-28", "2026-11-29"},
	} {
		today, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if first, last := days("weekend", today); first.Format(time.DateOnly) != want[0] || last.Format(time.DateOnly) != want[1] {
			t.Errorf("on %s the weekend is %s to %s", day, first, last)
		}
	}
	expect(t, visit(t, newFake(), "/nl/?view=list&when=weekend"), 200, "<h1>Dit weekend</h1>")
	for _, query := range []string{
		"view=list&when=soon", "view=list&when=99", "view=list&when=0000", "when=today", "view=list&when=today&month=2026-12",
	} {
		if page := visit(t, newFake(), "/?"+query); page.Code == 200 {
			t.Errorf("%s: %d", query, page.Code)
		}
	}
}

// TestSearchShowsAll checks that a search ignores the month, and shows upcoming events followed by past ones, with the
// number of each.
func TestSearchShowsAll(t *testing.T) {
	api := newFake()
	api.lists = map[string]string{"1": listOf(1, todayEvent, partyEvent)}
	api.past = map[string]string{"1": listOf(1, abroadEvent)}
	page := visit(t, api, "/?q=caf%C3%A9&category=rock")
	expect(t, page, 200, `<h1>Results for “café”</h1>`, `<title>Rock · Results for “café” · Calendar</title>`,
		`3 events: 2 to come, 1 past`, `name="q" value="café"`, `<option value="rock" selected>`, `<h2 class="past">Past events</h2>`,
		`<a href="/?category=rock" rel="nofollow">Month</a>`,
		`<a href="/?category=rock" rel="nofollow"><span class="hidden">Remove the filter `,
		`<a href="/nl/?category=rock&amp;q=caf%C3%A9" lang="nl-BE"`,
		`href="webcal://demo.example/?category=rock&amp;ical=1&amp;q=caf%C3%A9"`)
	lacks(t, page, `class="steps"`, `aria-current="page"`, `rel="next"`, "Already under way")
	toCome, over, _ := strings.Cut(page.Body.String(), `<h2 class="past">`)
	if !strings.Contains(toCome, "/event/fete-au-parc/") || !strings.Contains(over, "Night trains") {
		t.Error("what is to come is not before what is over")
	}
	api.lists, api.past = map[string]string{"1": emptyList}, map[string]string{"1": emptyList}
	expect(t, visit(t, api, "/?q=x"), 200, "Nothing found.", "0 events: 0 to come, 0 past")
	if page := visit(t, api, "/?q=x&page=2"); page.Code != 404 {
		t.Errorf("page 2 of nothing: %d", page.Code)
	}
}

// TestPagesOfASearch checks the pages of a search, which treat upcoming and past events as one list.
func TestPagesOfASearch(t *testing.T) {
	numbered := func(first, n int) string {
		var events []string
		for id := first; id < first+n; id++ {
			other := strings.NewReplacer(`"id":30`, fmt.Sprintf(`"id":%d`, id), "todays-talk", fmt.Sprintf("talk-%d-", id))
			events = append(events, other.Replace(todayEvent))
		}
		return strings.Join(events, ",")
	}
	api := &fakeAPI{
		lists: map[string]string{
			"1": fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":25,"total_pages":2}`, numbered(0, 20)),
			"2": fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":25,"total_pages":2}`, numbered(20, 5)),
		},
		past: map[string]string{
			"1": fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":41,"total_pages":3}`, numbered(25, 20)),
			"2": fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":41,"total_pages":3}`, numbered(45, 20)),
			"3": fmt.Sprintf(`{"events":[%s],"rest_url":"x","total":41,"total_pages":3}`, numbered(65, 1)),
		},
	}
	next := 0
	for number := range 4 {
		target := "/?q=x"
		if number > 0 {
			target += fmt.Sprintf("&page=%d", number+1)
		}
		page := visit(t, api, target)
		expect(t, page, 200, "66 events: 25 to come, 41 past", fmt.Sprintf("Page %d of 4", number+1))
		for ; next < min(20*(number+1), 66); next++ {
			if !strings.Contains(page.Body.String(), fmt.Sprintf(`<h3><a href="/event/talk-%d-/">`, next)) {
				t.Errorf("%s lacks the event %d", target, next)
			}
		}
		if n := strings.Count(page.Body.String(), "<h3"); n != min(20, 66-20*number) {
			t.Errorf("%s has %d events", target, n)
		}
	}
	if page := visit(t, api, "/?q=x&page=5"); page.Code != 404 {
		t.Errorf("page 5 of 4: %d", page.Code)
	}
}

// TestFreeEvents checks the filter for free events. The API does not have such a filter, so all events are read.
func TestFreeEvents(t *testing.T) {
	free := strings.Replace(todayEvent, `"cost":""`, `"cost":"Free","cost_details":{"values":["0"]}`, 1)
	paid := strings.Replace(abroadEvent, `"cost":""`, `"cost":"Free – 5","cost_details":{"values":["0","5"]}`, 1)
	api := &fakeAPI{lists: map[string]string{"1": listOf(2, runningEvent, free), "2": listOf(2, paid, partyEvent)}}
	page := visit(t, api, "/nl/?free=1&view=list")
	expect(t, page, 200, `1 evenement<`, `href="/nl/event/todays-talk/"`, `Prijs: </span><bdi>Gratis</bdi></span>`, `value="1" checked`)
	lacks(t, page, "fete-au-parc", "kanaalblues", "webcal://demo.example/nl/?free")
	expect(t, visit(t, api, "/?free=1"), 200, `1 event<`, "Today’s talk")
	if page := visit(t, api, "/?free=1&view=list&page=2"); page.Code != 404 {
		t.Errorf("page 2 of one: %d", page.Code)
	}
	many := &fakeAPI{lists: map[string]string{}}
	for page := range 12 {
		many.lists[string(rune('0' + page/10))[:page/10]+string(rune('0'+page%10))] = listOf(12, strings.Repeat(free+",", 49)+free)
	}
	expect(t, visit(t, many, "/?free=1&view=list"), 200, "Only the first 500 events fit on this page", "Page 1 of 25")
}

func TestHiddenEventsAreInNoList(t *testing.T) {
	hidden := strings.Replace(todayEvent, `"id":30`, `"id":30,"hide_from_listings":true`, 1)
	for _, target := range []string{"/", "/?view=list", "/?day=2026-11-21", "/venue/molenpark/", "/event/fete-au-parc/", "/sitemap.xml"} {
		api := &fakeAPI{lists: map[string]string{"1": listOf(1, hidden, partyEvent)}}
		lacks(t, visit(t, api, target), "todays-talk")
	}
}

func TestSearchTextIsEscaped(t *testing.T) {
	page := visit(t, newFake(), "/?q="+url.QueryEscape(`"><script>alert(1)</script>`))
	expect(t, page, 200, `&lt;script&gt;`)
	lacks(t, page, "<script>")
}

func TestEmptyLists(t *testing.T) {
	api := &fakeAPI{lists: map[string]string{"1": emptyList}}
	expect(t, visit(t, api, "/?view=list"), 200, "Nothing found.", "0 events")
	expect(t, visit(t, api, "/fr/?view=list"), 200, "Aucun résultat.", "0 événement")
	expect(t, visit(t, api, "/"), 200, "0 events", "Nothing on this day.")
	dateless := &fakeAPI{lists: map[string]string{"1": listOf(1, datelessEvent)}}
	expect(t, visit(t, dateless, "/?view=list"), 200, "One day", "1 event<")
	expect(t, visit(t, dateless, "/"), 200, "November 2026")
}
