package calendar_test

import (
	"net/http"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// tagOf is the validator of an answer to anybody.
func tagOf(t *testing.T, h http.Handler, path string) string {
	t.Helper()
	w := get(h, path)
	tag := w.Header().Get("ETag")
	if w.Code != http.StatusOK || tag == "" {
		t.Fatalf("%s: %d, ETag %q", path, w.Code, tag)
	}
	w = get(h, path, header{"If-None-Match", tag})
	if w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("ETag") != tag {
		t.Fatalf("%s again: %d %q", path, w.Code, w.Header())
	}
	return tag
}

// What the client has is not rendered again.
func TestUnchangedAnswersAreNotRendered(t *testing.T) {
	c, h := contract.Mount(t, calendar.Options{DB: testdb.SiteA(t), Now: frozen})
	for _, path := range []string{wide, "/events/25", "/venues", "/venues/7", "/organizers/17"} {
		tag := tagOf(t, h, path)
		rendered := func(tag string) int64 {
			before := c.Stats()
			get(h, path, header{"If-None-Match", tag})
			after := c.Stats()
			return after.TextHits + after.TextMisses - before.TextHits - before.TextMisses
		}
		if whole, unchanged := rendered("none"), rendered(tag); unchanged > whole/2 {
			t.Errorf("%s: %d texts for an answer, %d for none", path, whole, unchanged)
		}
	}
}
