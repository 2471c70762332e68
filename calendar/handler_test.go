package calendar_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// TestHandler: on a host without gin each language has its path, and what is not
// the calendar's is not found.
func TestHandler(t *testing.T) {
	c := made(t, calendar.Options{DB: testdb.SiteA(t), Languages: []calendar.Language{
		{Tag: "en", BaseURL: "https://example.org/wp-json"},
		{Tag: "nl", BaseURL: "https://nl.example.org/wp-json", Mount: "/nl/wp-json/"},
	}})
	mux := http.NewServeMux()
	mux.Handle("/wp-json/", c.Handler())
	mux.Handle("/nl/", c.Handler())
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	for path, want := range map[string]struct {
		status   int
		language string
	}{
		"/wp-json/vendor/events/v1":              {http.StatusOK, "en"},
		"/wp-json/vendor/events/v1/":             {http.StatusOK, "en"},
		"/wp-json/vendor/events/v1/events/25":    {http.StatusOK, "en"},
		"/nl/wp-json/vendor/events/v1/events/25": {http.StatusOK, "nl"},
		"/nl/wp-json/Vendor/events/v1/EVENTS/25": {http.StatusOK, "nl"},
		"/nl/wp-json/vendor/events/v1/nothing":   {http.StatusNotFound, "nl"},
		"/wp-json/vendor/events/v12":             {http.StatusNotFound, ""},
		"/wp-json/other":                         {http.StatusNotFound, ""},
		"/nl/":                                   {http.StatusNotFound, ""},
		"/vendor/events/v1/events/25":            {http.StatusTeapot, ""},
	} {
		resp, err := server.Client().Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if resp.Body.Close(); err != nil || resp.StatusCode != want.status || resp.Header.Get("Content-Language") != want.language {
			t.Errorf("%s: %d in %q, %.200s %v", path, resp.StatusCode, resp.Header.Get("Content-Language"), body, err)
		}
	}
	if s := c.Stats(); s.Requests != 6 || s.Failures != 0 {
		t.Errorf("counted %+v", s)
	}
}
