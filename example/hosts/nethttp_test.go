package hosts_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// A host on net/http serves the calendar below a path prefix, behind its middleware. Mount is the path as the calendar
// receives it: the whole path, or what http.StripPrefix leaves of it.
func TestNetHTTPHost(t *testing.T) {
	for _, strips := range []bool{false, true} {
		s := calendartest.New(t, func(o *calendar.Options) {
			o.ServeRoot, o.Languages = true, []calendar.Language{
				{Tag: "en", BaseURL: "https://town.example/agenda/api"}, {Tag: "nl", BaseURL: "https://town.example/agenda/nl/api"},
			}
			for i, l := range o.Languages {
				if strips {
					o.Languages[i].Mount = strings.TrimPrefix(l.BaseURL, "https://town.example/agenda")
				}
			}
		})
		var served []string
		middleware := func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				served = append(served, r.Method+" "+r.URL.Path)
				w.Header().Set("X-Request-Id", "42")
				next.ServeHTTP(w, r)
			})
		}
		calendars := s.Handler
		if strips {
			calendars = http.StripPrefix("/agenda", calendars)
		}
		mux := http.NewServeMux()
		mux.Handle("/agenda/", middleware(calendars))
		mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "Welcome") })
		const api = "/vendor/events/v1"
		for _, c := range [][3]string{
			{"GET", "/", "200 Welcome"},
			{"GET", "/agenda/api", "200 {"},
			{"GET", "/agenda/api" + api + "/events/by-slug/jazz-night?_fields=rest_url", "https://town.example/agenda/api/vendor/"},
			{"GET", "/agenda/nl/api" + api + "/events?page=x", "400 {"},
			{"GET", "/agenda/nl/api" + api + "/concerts", `404 {"code":"rest_no_route","message":"Dit adres bestaat niet`},
			{"GET", "/agenda/nl/api" + api + "/events/by-slug/jazz-night?_fields=id,rest_url", "https://town.example/agenda/nl/api/"},
			{"GET", "/agenda/elsewhere", "404 404 page not found"},
			{"GET", "/api" + api + "/venues/1", "404 404 page not found"},
		} {
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequest(c[0], "https://town.example"+c[1], nil))
			got := strings.ReplaceAll(fmt.Sprint(w.Code, " ", w.Body), `\/`, "/")
			if !strings.Contains(got, c[2]) || strings.HasPrefix(c[1], "/agenda") && w.Header().Get("X-Request-Id") != "42" {
				t.Errorf("strips %v: %s %s: %s, want %s", strips, c[0], c[1], got, c[2])
			}
		}
		if len(served) != 6 {
			t.Errorf("the middleware saw %q", served)
		}
	}
}
