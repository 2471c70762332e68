package exchange

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// remote serves the recorded site, with the REST root at base, an address below that of the site. It answers every
// fifth request with 429 and a Retry-After that must be respected, and fails the test if two requests run at once.
func remote(t *testing.T, base string) (address string, asked *atomic.Int64) {
	t.Helper()
	var handler http.Handler
	asked, running := new(atomic.Int64), new(atomic.Int64)
	var pause atomic.Int64 // until when no request may come
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		running.Add(1)
		for deadline := time.Now().Add(time.Minute); running.Load() > 1; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) { // by now, a request whose answer the client has received would have ended
				t.Error("two requests at once")
				break
			}
		}
		defer running.Add(-1)
		if time.Now().UnixNano() < pause.Load() {
			t.Errorf("asked for %s before the pause was over", r.URL)
		}
		if asked.Add(1)%5 == 0 {
			pause.Store(time.Now().Add(time.Second).UnixNano())
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	c := must.Get(calendar.New(t.Context(), calendar.Options{
		DB: testdb.SiteA(t), Now: atNoon, Logger: slog.New(slog.DiscardHandler), ServeRoot: true,
		Languages: []calendar.Language{{Tag: "en", BaseURL: server.URL + base}},
	}))(t)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	handler = c.Handler()
	return server.URL, asked
}

// The API of another calendar is read page by page, one request at a time, and reading it again changes nothing.
func TestImportsAnotherCalendar(t *testing.T) {
	address, asked := remote(t, "/wp-json")
	other := emptySite(t)
	load := func(at string) map[Action]int64 {
		src := must.Get(Open(t.Context(), at, OpenOptions{Now: atNoon(), Zone: time.UTC}))(t)
		defer src.Close()
		s, all := other.load(t, src)
		for _, o := range all {
			if o.Action == Refused || len(o.Problems) > 0 {
				t.Errorf("%s %s %q: %v", o.Action, o.Kind, o.Name, o.Problems)
			}
		}
		return s.Counts[Events]
	}
	const list = "/wp-json/vendor/events/v1/events?per_page=10"
	first := load(address + list)
	if first[Created] < 20 || len(first) != 1 || asked.Load() < 4 {
		t.Errorf("%v by %d requests", first, asked.Load())
	}
	for _, at := range []string{list, "/wp-json/vendor/events/v1"} {
		if again := load(address + at); again[Unchanged] != first[Created] || len(again) != 1 {
			t.Errorf("%s again: %v, first %v", at, again, first)
		}
	}
	if _, err := Open(t.Context(), address+"/wp-json/vendor/other/v1", OpenOptions{}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("no calendar: %v", err)
	}
}

// A site with plain permalinks has its API in the query of its address, next to the parameters of paging.
func TestImportsACalendarWithPlainPermalinks(t *testing.T) {
	address, asked := remote(t, "/index.php?rest_route=")
	for at, requests := range map[string]int64{
		"/?rest_route=/vendor/events/v1/events&per_page=10":         4,
		"/index.php?per_page=10&rest_route=%2Fvendor%2Fevents%2Fv1": 4,
		"/?rest_route=/": 2, "/": 4,
	} {
		before := asked.Load()
		src, err := Open(t.Context(), address+at, OpenOptions{Now: atNoon(), Zone: time.UTC, Format: FormatREST})
		if err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if n := strings.Count(listRecords(t, src), "events http"); n < 20 || asked.Load()-before < requests {
			t.Errorf("%s: %d events of %d by %d requests", at, n, src.Total, asked.Load()-before)
		}
		src.Close()
	}
}

// A local time that occurs twice is the instant that the answer states in UTC.
func TestTimesShownTwiceByAnotherCalendar(t *testing.T) {
	for utc, want := range map[string]string{
		"2031-10-26 00:30:00": "2031-10-26 02:30:00+02:00", "2031-10-26 01:30:00": "2031-10-26 02:30:00",
		"": "2031-10-26 02:30:00", "2031-10-26 05:30:00": "2031-10-26 02:30:00",
	} {
		item := restItem{
			members:   map[string]any{"start_date": "2031-10-26 02:30:00", "utc_start_date": utc, "timezone": "Europe/Brussels"},
			resources: resourcesOf(nil), host: "x.example",
		}
		if got := item.event().Values["start_date"]; got != want {
			t.Errorf("%s: %v, want %s", utc, got, want)
		}
	}
}

// If a site's answers contain another host name than the one that was requested, all pages are still read from the
// requested host.
func TestPagesOfASiteWithTwoNames(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next := ""
		if page := r.URL.Query().Get("page"); page != "3" {
			number := map[string]string{"": "2", "2": "3"}[page]
			next = `, "next_rest_url": "https://www.town.example/wp-json/vendor/events/v1/events/?page=` + number + `"`
		}
		_, _ = io.WriteString(w, `{"events": [{"id": 1`+r.URL.Query().Get("page")+`, "title": "A"}], "total": 3`+next+"}")
	}))
	t.Cleanup(server.Close)
	src := must.Get(Open(t.Context(), server.URL+"/wp-json/vendor/events/v1/events", OpenOptions{}))(t)
	defer src.Close()
	if got := listRecords(t, src); strings.Count(got, "events http") != 3 {
		t.Errorf("read %s", got)
	}
}

// An answer with the media type of a calendar is read as one whatever it contains: an empty calendar is not reported as
// a wrong argument.
func TestCalendarsByTheirMediaType(t *testing.T) {
	for text, want := range map[string]string{
		"": "VCALENDAR: is missing", "\r\nSorry\r\n" + "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n": "line: is not a line of a calendar: Sorry",
	} {
		src := must.Get(Open(t.Context(), answerServer(t, "text/calendar; charset=utf-8", text)+"/feed", OpenOptions{}))(t)
		if got := listRecords(t, src); !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		_ = src.Close()
	}
}

// What an answer contains and no record can is reported: a member that is a field here as a part left out of each
// event, any other member once, as a note.
func TestMembersOfAnotherCalendarThatAreNotTaken(t *testing.T) {
	one := `{"id": %d, "title": "%s", "start_date": "2031-05-01 10:00:00", "end_date": "2031-05-01 11:00:00", ` +
		`"custom_fields": {"a": {"value": "b"}}, "members_only": %t}`
	at := answerServer(t, "application/json", fmt.Sprintf(`{"total": 2, "events": [`+one+", "+one+"]}", 1, "A", true, 2, "B", false)) +
		"/wp-json/vendor/events/v1/events"
	for declared, want := range map[bool]string{
		false: "A: [] [" + notTaken + "custom_fields " + notTaken + "members_only]; B: [] []; ",
		true: `A: [members_only: is not imported from the API of another calendar] ` +
			"[not imported from the API of another calendar: custom_fields]; B: [] []; ",
	} {
		b := emptySite(t)
		if declared {
			events := registry.Of(b.Calendar).Events
			events.Fields = append(events.Fields, &item.Field{Name: "members_only", Param: func(bool) *param.Param {
				return param.Key[bool]("members_only").Param(jsonschema.Bool(), nil)
			}})
		}
		_, all := b.load(t, b.open(t, at, OpenOptions{}))
		got := ""
		for _, o := range all {
			var lost []string
			for _, p := range o.Problems {
				lost = append(lost, p.Field+": "+p.Reason)
			}
			got += o.Name + ": " + fmt.Sprint(lost, " ", o.Notes) + "; "
		}
		if got != want {
			t.Errorf("declared %v: %s\nwant %s", declared, got, want)
		}
	}
	b := emptySite(t)
	_, all := b.load(t, JSONLines(strings.NewReader(
		`{"kind":"events","values":{"title":"A","start_date":"2031-05-01","end_date":"2031-05-01","flavour":"x"}}`), "a"))
	if len(all) != 1 || all[0].Action != Created || len(all[0].Problems) != 1 || all[0].Problems[0].Field != "flavour" {
		t.Errorf("a value of no field: %+v", all)
	}
}
