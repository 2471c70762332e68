package pages

import (
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
)

// TestJSONFeed checks that a JSON Feed contains the next events with the filters of the address, in words of the
// requested language.
func TestJSONFeed(t *testing.T) {
	api := newFake()
	feed := readNews(t, api, "/feed/json/?category=rock&lang=nl&limit=4")
	if feed.Version != "https://jsonfeed.org/version/1.1" || feed.Title != "Agenda · Rock" || feed.Language != "nl-BE" ||
		feed.Home != "http://demo.example/nl/?category=rock&view=list" ||
		feed.Address != "http://demo.example/nl/feed/json/?category=rock&limit=4" || len(feed.Items) != 4 || feed.Agenda.Month != nil {
		t.Errorf("%+v", feed)
	}
	party := feed.Items[3]
	if party.Title != "La fête au parc & ailleurs" || party.Address != "http://demo.example/nl/event/fete-au-parc/" ||
		party.ID != "tag:demo.example,2026:/event/28/20261201T183000Z" ||
		party.Agenda.When != "dinsdag 1 december 2026, 19:30 – 01:00" || party.Agenda.Place != "Molenpark – Parc, Elzenburg" ||
		party.Agenda.Starts != "2026-12-01T19:30:00+01:00" || party.Agenda.First != "2026-12-01" || party.Agenda.Last != "2026-12-01" ||
		!strings.HasSuffix(party.Text, "\n\nUn extrait.") || !strings.HasPrefix(party.Image, "http://demo.example/wp-content/") {
		t.Errorf("%+v", party)
	}
	if got, want := api.questions(t, 1)[0], "categories=3&ends_after=2026-11-20&page=1&per_page=20"; got != want {
		t.Errorf("requested %s, want %s", got, want)
	}
	if running := feed.Items[0].Agenda; running.Clock != "" || running.Starts != running.First || running.Last != "2026-12-05" {
		t.Errorf("of whole days: %+v", running)
	}
	if clock := feed.Items[2].Agenda.Clock; clock != "18:00 EST" {
		t.Errorf("in another time zone: %s", clock)
	}
	month := readNews(t, newFake(), "/feed/json/?view=month&lang=ar")
	if m := month.Agenda.Month; m == nil || m.ID != "2026-11" || m.First != "2026-10-26" || m.Last != "2026-12-06" || m.Next != "2026-12" ||
		m.Name != "November 2026" || month.Agenda.Weekdays[0] != [2]string{"Mon", "Monday"} ||
		month.Agenda.Words["next"] != "Next month: December 2026" {
		t.Errorf("%+v", month.Agenda)
	}
	for _, query := range []string{"month=1999-01", "category=nowhere", "page=2", "day=2026-11-21", "limit=0", "view=week"} {
		missing := visit(t, newFake(), "/feed/json/?"+query)
		if expect(t, missing, 404); missing.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: a script on another site cannot read the status", query)
		}
	}
}

// TestPlacesInFeeds checks that a place is found by its name in any language, since the script asks in the language of
// the page around it.
func TestPlacesInFeeds(t *testing.T) {
	api := newFake()
	there := strings.ReplaceAll(parkVenue, "Elzenburg", "Aulnebourg")
	api.items = map[string]string{"/fr" + root + "/venues": `{"rest_url":"x","total":1,"total_pages":1,"venues":[` + there + `]}`}
	feed := readNews(t, api, "/feed/json/?near=Elzenburg&lang=fr")
	if feed.Language != "fr" || !strings.HasSuffix(feed.Title, "Elzenburg") {
		t.Errorf("%+v", feed)
	}
	expect(t, visit(t, api, "/fr/?near=Elzenburg"), 200, `<option value="Elzenburg" selected>`, `<option value="Aulnebourg">`)
	expect(t, visit(t, api, "/fr/?near=Nergens"), 404)
}

// TestAtom checks that an Atom feed contains the same events.
func TestAtom(t *testing.T) {
	answer := visit(t, newFake(), "/fr/feed/?tag=food")
	expect(t, answer, 200)
	if kind := answer.Header().Get("Content-Type"); kind != "application/atom+xml; charset=utf-8" {
		t.Errorf("Content-Type %s", kind)
	}
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string   `xml:"id"`
		Title   string   `xml:"title"`
		Updated string   `xml:"updated"`
		Author  string   `xml:"author>name"`
		Links   []struct {
			Rel  string `xml:"rel,attr"`
			Href string `xml:"href,attr"`
		} `xml:"link"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Summary string `xml:"summary"`
			Link    struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	must.Succeed(t, xml.Unmarshal(answer.Body.Bytes(), &feed))
	if feed.ID != "http://demo.example/fr/feed/?tag=food" || feed.Title != "Agenda · Food & drink" || feed.Author != "Agenda" ||
		len(feed.Entries) != 4 || len(feed.Links) != 2 || feed.Links[0].Href != feed.ID || feed.Links[1].Rel != "alternate" {
		t.Errorf("%+v", feed)
	}
	for _, e := range feed.Entries {
		if _, err := time.Parse(time.RFC3339, e.Updated); err != nil || e.ID == "" || e.Title == "" ||
			!strings.HasPrefix(e.Link.Href, "http://demo.example/fr/event/") {
			t.Errorf("%+v", e)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/fr/feed/?tag=food", nil)
	r.Header.Set("If-None-Match", answer.Header().Get("ETag"))
	if again := send(t, newFake(), r); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("again: %d", again.Code)
	}
	expect(t, visit(t, newFake(), "/"), 200,
		`<link rel="alternate" type="application/atom+xml" title="Calendar" href="/feed/">`,
		`<link rel="alternate" type="application/feed+json" title="Calendar" href="/feed/json/">`)
	expect(t, visit(t, newFake(), "/?category=rock"), 200, `href="/feed/?category=rock">`)
}
