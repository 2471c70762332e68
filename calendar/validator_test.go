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

// D26: a validator changes with everything that its answer shows, whoever
// changes it, and with nothing that the answer hides.
func TestD26ValidatorsFollowWhatIsShown(t *testing.T) {
	db := testdb.SiteA(t)
	prepare(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_thumbnail_id', '182')")
	h := contract.Handler(t, calendar.Options{DB: db, Now: frozen})
	const list = "/events?include=25"
	var venue string
	linked := db.NewRaw("SELECT meta_value FROM wp_postmeta WHERE post_id = 25 AND meta_key = '_EventVenueID'")
	if err := linked.Scan(t.Context(), &venue); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ statement, same string }{
		{"UPDATE wp_posts SET post_title = 'Other' WHERE ID = 25", ""},
		{"UPDATE wp_posts SET post_content = 'Other' WHERE ID = 25", ""},
		{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventCost', '99')", ""},
		{"UPDATE wp_terms SET name = CONCAT(name, 'x')", ""},
		{"UPDATE wp_posts SET post_title = 'Other' WHERE ID = " + venue, ""},
		{"UPDATE wp_postmeta SET meta_value = 'Other' WHERE post_id = " + venue + " AND meta_key = '_VenueCity'", ""},
		{"UPDATE wp_postmeta SET meta_value = '2020/01/x.jpg' WHERE meta_key = '_wp_attached_file'", ""},
		{"UPDATE wp_posts SET post_password = 'secret' WHERE ID = 25", "list differs"},
		{"UPDATE wp_posts SET post_content = 'hidden' WHERE ID = 25", list},
		{"UPDATE wp_posts SET post_password = 'other' WHERE ID = 25", list},
		{"UPDATE wp_postmeta SET meta_value = '7' WHERE post_id = 25 AND meta_key = '_EventCost'", list},
		{"UPDATE wp_posts SET post_password = '' WHERE ID = 25", "list differs"},
		{"UPDATE wp_posts SET post_status = 'draft' WHERE ID = " + venue, ""},
		{"UPDATE wp_posts SET post_title = 'hidden' WHERE ID = " + venue, "both"},
	} {
		paths := []string{list, "/events/25"}
		if c.same == list || c.same == "list differs" {
			paths = paths[:1]
		}
		before := map[string]string{}
		for _, path := range paths {
			before[path] = tagOf(t, h, path)
		}
		prepare(t, db, c.statement)
		for _, path := range paths {
			if same := tagOf(t, h, path) == before[path]; same != (c.same == list || c.same == "both") {
				t.Errorf("%s: %s has the same validator: %v", c.statement, path, same)
			}
		}
	}
	if tagOf(t, h, list) == tagOf(t, h, list+"&_fields=total") || tagOf(t, h, "/events/26") == tagOf(t, h, "/events/26?_fields=id") {
		t.Error("two views have the same validator")
	}
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
