package calendar_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestOverridesOnTheWire: what an answer announces follows, also where another
// method is meant than the one that HTTP sees.
func TestOverridesOnTheWire(t *testing.T) {
	server := httptest.NewServer(siteHandler(t))
	t.Cleanup(server.Close)
	for _, c := range []struct {
		method, query string
		empty         bool
	}{
		{"GET", "", false}, {"HEAD", "", true}, {"GET", "?_method=HEAD", true}, {"POST", "?_method=HEAD", true},
		{"HEAD", "?_method=GET", true},
		{"GET", "?_method=OPTIONS", false}, {"GET", "?_method=HEAD&_envelope", true}, {"GET", "?_method=BOGUS", false},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+"/wp-json/tribe/events/v1/events/25"+c.query, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatalf("%s %s: %v", c.method, c.query, err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || (len(body) == 0) != c.empty || c.method != http.MethodHead && int(resp.ContentLength) != len(body) {
			t.Errorf("%s %s: %d, %d bytes of %d, %v", c.method, c.query, resp.StatusCode, len(body), resp.ContentLength, err)
		}
	}
}
