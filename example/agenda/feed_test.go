package main

import (
	"net/http"
	"strings"
	"testing"
)

// Importers find feeds at the addresses that such sites have, with what each page shows; a page says where its own is.
func TestPagesHaveFeeds(t *testing.T) {
	address, end := server(t)
	defer end()
	for path, want := range map[string]string{
		"/?ical=1": "events", "/events/?ical=1": "events", "/?post_type=tribe_events&ical=1&eventDisplay=list": "events",
		"/nl/?ical=1": "events", "/event/canal-blues-photographs-by-mirte-claes/?ical=1": "event",
		"/events/category/music/?ical=1": "events", "/nl/tag/buiten/?ical=1": "events", "/venue/market-square/?ical=1": "events",
		"/organizer/culture-office/?ical=1": "events", "/organizer/nobody/?ical=1": "none", "/?category=music&view=list&ical=1": "events",
	} {
		resp, body := get(t, address+path)
		n := strings.Count(body, "BEGIN:VEVENT")
		if want == "none" {
			if resp.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %d", path, resp.StatusCode)
			}
			continue
		}
		if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/calendar") ||
			!strings.HasPrefix(body, "BEGIN:VCALENDAR") || n == 0 || (n == 1) != (want == "event") {
			t.Errorf("%s: %d %s with %d events", path, resp.StatusCode, resp.Header.Get("Content-Type"), n)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("If-None-Match", resp.Header.Get("ETag"))
		again, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		again.Body.Close()
		if again.StatusCode != http.StatusNotModified {
			t.Errorf("%s again: %d", path, again.StatusCode)
		}
	}
}
