package pages

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// fakeAPI answers with canned JSON in the form of the interface and remembers what it was asked.
type fakeAPI struct {
	asked []*url.URL
	// failing answers every request whose path contains the key with the status and code.
	failing map[string]answer
	// events are the lists by page.
	lists map[string]string
	// items are other answers by path.
	items map[string]string
}

type answer struct {
	status int
	code   string
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.asked = append(f.asked, r.URL)
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	for part, a := range f.failing {
		if strings.Contains(r.URL.Path, part) {
			refuse(w, a.status, a.code)
			return
		}
	}
	if item, ok := f.items[r.URL.Path]; ok {
		fmt.Fprint(w, item)
		return
	}
	_, route, ok := strings.Cut(r.URL.Path, "/wp-json/vendor/events/v1")
	if !ok {
		refuse(w, 404, "rest_no_route")
		return
	}
	query := r.URL.Query()
	switch {
	case route == "/events":
		if list, ok := f.lists[query.Get("page")]; ok {
			fmt.Fprint(w, list)
			return
		}
		refuse(w, 404, "event-archive-page-not-found")
	case route == "/events/by-slug/fete-au-parc":
		fmt.Fprint(w, partyEvent)
	case route == "/events/by-slug/besloten" && query.Get("password") == "geheim":
		fmt.Fprint(w, strings.Replace(partyEvent, "f&#234;te", "besloten", 1))
	case route == "/events/by-slug/besloten":
		refuse(w, 403, "event-password-protected")
	case route == "/events/by-slug/prive":
		refuse(w, 403, "event-not-accessible")
	case route == "/venues/by-slug/molenpark":
		fmt.Fprint(w, parkVenue)
	case route == "/organizers/by-slug/beekdal":
		fmt.Fprint(w, valleyOrganizer)
	case route == "/categories" && query.Get("slug") != "":
		fmt.Fprintf(w, `{"rest_url":"x","total":1,"total_pages":1,"categories":[%s]}`, termNamed(categoryTerms, query.Get("slug")))
	case route == "/categories":
		fmt.Fprintf(w, `{"rest_url":"x","total":3,"total_pages":1,"categories":[%s]}`, strings.Join(categoryTerms, ","))
	case route == "/tags":
		fmt.Fprintf(w, `{"rest_url":"x","total":1,"total_pages":1,"tags":[%s]}`, termNamed(tagTerms, query.Get("slug")))
	default:
		refuse(w, 400, "rest_invalid_param")
	}
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"code":%q,"message":"…","data":{"status":%d}}`, code, status)
}

func termNamed(terms []string, slug string) string {
	for _, t := range terms {
		if strings.Contains(t, fmt.Sprintf(`"slug":%q`, slug)) {
			return t
		}
	}
	return ""
}

var categoryTerms = []string{
	`{"id":2,"count":0,"description":"","name":"Film &amp; Talks","slug":"film-talks","taxonomy":"tribe_events_cat","parent":0,"meta":[],"url":"http://demo.example/events/category/film-talks/"}`,
	`{"id":1,"count":3,"description":"All sounds","name":"Music","slug":"music","taxonomy":"tribe_events_cat","parent":0,"meta":[]}`,
	`{"id":3,"count":2,"description":"","name":"Rock","slug":"rock","taxonomy":"tribe_events_cat","parent":1,"meta":[]}`,
}

var tagTerms = []string{`{"id":9,"count":1,"description":"","name":"Food &amp; drink","slug":"food","taxonomy":"post_tag","meta":[]}`}

const parkVenue = `{"id":31,"author":"1","status":"publish","url":"http://demo.example/venue/molenpark/","venue":"Molenpark &#8211; Parc","description":"<p>Groen.</p>","slug":"molenpark","address":"Beekdreef 1","city":"Elzenburg","country":"Belgium","zip":"1075","phone":"+32 2 555 01 40","website":"https://park.example/?a=1&b=2","geo_lat":50.84,"geo_lng":4.37,"show_map":true,"show_map_link":true}`

const valleyOrganizer = `{"id":41,"organizer":"Natuurgroep <Beekdal>","slug":"beekdal","email":"gids@beekdal.example","website":"javascript:alert(1)"}`

const partyImage = `{"url":"http://demo.example/wp-content/uploads/demo/garden.jpg","id":5,"extension":"jpg","width":1200,"height":800,"sizes":{"medium":{"width":300,"height":200,"mime-type":"image/jpeg","url":"http://demo.example/wp-content/uploads/demo/garden-300x200.jpg"},"large":{"width":1024,"height":683,"url":"http://demo.example/wp-content/uploads/demo/garden-1024x683.jpg"}}}`

const partyEvent = `{"id":28,"author":"1","status":"publish","url":"http://demo.example/event/fete-au-parc/","title":"La f&#234;te <em>au parc</em> &#038; ailleurs","description":"<p>Venez <strong>tous</strong> &amp; chantez.</p>","excerpt":"<p>Un <em>extrait</em>.</p>","slug":"fete-au-parc","image":` + partyImage + `,"all_day":false,"start_date":"2026-12-01 19:30:00","end_date":"2026-12-02 01:00:00","utc_start_date":"2026-12-01 18:30:00","utc_end_date":"2026-12-02 00:00:00","timezone":"Europe/Brussels","timezone_abbr":"CET","cost":"&lt;5&gt; €5 – €15","website":"https://fete.example/?a=1&amp;b=2","featured":true,"categories":[{"name":"Rock","slug":"rock","parent":1,"id":3}],"tags":[{"name":"Food &amp; drink","slug":"food","parent":0,"id":9}],"venue":` + parkVenue + `,"organizer":[` + valleyOrganizer + `,{"id":42,"organizer":[],"slug":"masque"}]}`

const runningEvent = `{"id":29,"title":"Kanaalblues","description":"","excerpt":"","slug":"kanaalblues","url":"u","image":false,"all_day":true,"start_date":"2026-11-12 00:00:00","end_date":"2026-12-05 23:59:59","utc_start_date":"2026-11-11 23:00:00","utc_end_date":"2026-12-05 22:59:59","timezone":"Europe/Brussels","timezone_abbr":"CET","cost":"","website":"","featured":null,"categories":[],"tags":[],"venue":[],"organizer":[]}`

const todayEvent = `{"id":30,"title":"Today&#8217;s talk","description":"<p>` + "A long text. A long text. A long text. A long text. A long text. A long text. A long text. A long text. A long text. A long text. A long text. A long text. A long text. A long text." + `</p>","excerpt":"","slug":"todays-talk","image":{"url":false,"id":7,"extension":""},"all_day":null,"start_date":"2026-11-21 18:30:00","end_date":"2026-11-21 18:30:00","utc_start_date":"2026-11-21 17:30:00","utc_end_date":"2026-11-21 17:30:00","timezone":"Europe/Brussels","timezone_abbr":"CET","cost":"","website":"","categories":[],"tags":[],"venue":[` + parkVenue + `,{"id":33,"venue":"Elders","slug":"elders"}],"organizer":[]}`

const abroadEvent = `{"id":32,"title":"Night trains","description":"","excerpt":"","slug":"%d0%bf%d0%be%d0%b5%d0%b7%d0%b4","image":false,"all_day":false,"start_date":"2026-11-22 18:00:00","end_date":"2026-11-22 19:15:00","utc_start_date":"2026-11-22 23:00:00","utc_end_date":"2026-11-23 00:15:00","timezone":"America/New_York","timezone_abbr":"EST","cost":"","website":"","categories":[],"tags":[],"venue":[],"organizer":[]}`

const datelessEvent = `{"id":34,"title":"One day","description":"","excerpt":"","slug":"one-day","image":false,"all_day":false,"start_date":null,"end_date":null,"utc_start_date":null,"utc_end_date":null,"timezone":"","timezone_abbr":"","cost":"","website":"","categories":[],"tags":[],"venue":[],"organizer":[]}`

const firstList = `{"events":[` + runningEvent + `,` + todayEvent + `,` + abroadEvent + `,` + partyEvent + `],"rest_url":"x","next_rest_url":"y","total":1234,"total_pages":62}`

const emptyList = `{"events":[],"rest_url":"x","total":0,"total_pages":0}`

// visit asks the pages of the demo site in three languages.
func visit(t *testing.T, api *fakeAPI, target string) *httptest.ResponseRecorder {
	t.Helper()
	return send(t, api, httptest.NewRequest(http.MethodGet, target, nil))
}

func send(t *testing.T, api *fakeAPI, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	handler := Handler(api, []Language{
		{Tag: "en", Mount: "/wp-json"}, {Tag: "nl-BE", Prefix: "/nl", Mount: "/nl/wp-json"}, {Tag: "fr", Prefix: "/fr/", Mount: "/fr/wp-json/"},
	}, Options{
		Now:    func() time.Time { return time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC) },
		Origin: "http://demo.example",
	})
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, r)
	return answer
}

func newFake() *fakeAPI { return &fakeAPI{lists: map[string]string{"1": firstList, "2": firstList}} }

// expect checks the status and that the page contains each of the texts.
func expect(t *testing.T, a *httptest.ResponseRecorder, status int, texts ...string) {
	t.Helper()
	if a.Code != status {
		t.Errorf("status %d, want %d", a.Code, status)
	}
	for _, text := range texts {
		if !strings.Contains(a.Body.String(), text) {
			t.Errorf("the page lacks %q", text)
		}
	}
	if t.Failed() {
		t.Log(a.Body.String())
	}
}

func lacks(t *testing.T, a *httptest.ResponseRecorder, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(a.Body.String(), text) {
			t.Errorf("the page contains %q", text)
		}
	}
}

// question is the query of the last list of events that was asked for.
func (f *fakeAPI) question(t *testing.T) url.Values {
	t.Helper()
	for i := len(f.asked) - 1; i >= 0; i-- {
		if strings.HasSuffix(f.asked[i].Path, "/events") {
			return f.asked[i].Query()
		}
	}
	t.Fatal("no list of events was asked for")
	return nil
}
