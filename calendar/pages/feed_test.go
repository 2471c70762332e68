package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// feeds is an API with feeds.
type feeds struct {
	*fakeAPI
	feed string // address of the last request for a feed
}

func (f *feeds) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("_format") != "ics" {
		f.fakeAPI.ServeHTTP(w, r)
		return
	}
	f.feed = r.URL.RequestURI()
	w.Header().Set("ETag", `W/"x"`)
	w.Header().Set("X-Tec-Total", "7")
	w.Header().Set("X-Request-Id", "inner")
	if r.Header.Get("If-None-Match") == `W/"x"` {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "text/calendar; charset=UTF-8")
	_, _ = w.Write([]byte("BEGIN:VCALENDAR"))
}

func fetchPage(t *testing.T, target string, header http.Header) (*httptest.ResponseRecorder, string) {
	t.Helper()
	api := &feeds{fakeAPI: newFake()}
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for name, values := range header {
		r.Header[name] = values
	}
	return send(t, api, r), api.feed
}

func TestFeedsOfPages(t *testing.T) {
	golden.Each(t, "feeds.txt", func(target, want string) {
		answer, asked := fetchPage(t, target, nil)
		h := answer.Header()
		if want == "" {
			if answer.Code != 404 || asked != "" || !strings.HasPrefix(h.Get("Content-Type"), "text/html") {
				t.Errorf("%s: %d, asks for %q", target, answer.Code, asked)
			}
			return
		}
		want = strings.Replace(want, "{events}", root+"/events", 1)
		if asked != want || answer.Code != 200 || answer.Body.String() != "BEGIN:VCALENDAR" || h.Get("ETag") != `W/"x"` ||
			h.Get("X-TEC-Total") != "7" || h.Get("X-Request-Id") != "" || !strings.HasPrefix(h.Get("Content-Type"), "text/calendar") {
			t.Errorf("%s: %d, asks for %s, want %s; %v", target, answer.Code, asked, want, h)
		}
	})
	if answer, _ := fetchPage(t, "/?ical=1", http.Header{"If-None-Match": {`W/"x"`}}); answer.Code != 304 || answer.Body.Len() > 0 {
		t.Errorf("unchanged: %d", answer.Code)
	}
	expect(t, visit(t, newFake(), "/?ical=1"), 404) // an API without feeds
}

// refusing is an API whose feeds fail. Like the calendar, it sends what is buffered after each answer.
type refusing struct{ *fakeAPI }

func (f *refusing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("_format") != "ics" {
		f.fakeAPI.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = w.Write([]byte("{}"))
	_ = http.NewResponseController(w).Flush()
}

// TestFeedsThatFail checks that a feed that the calendar could not make is an error, since programs that subscribed would
// delete all events if they received an empty feed.
func TestFeedsThatFail(t *testing.T) {
	for _, target := range []string{"/?ical=1", "/event/fete-au-parc/?ical=1", "/venue/molenpark/?ical=1"} {
		answer := send(t, &refusing{newFake()}, httptest.NewRequest(http.MethodGet, target, nil))
		if answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Cache-Control") != noStore {
			t.Errorf("%s: %d %v", target, answer.Code, answer.Header())
		}
	}
}
