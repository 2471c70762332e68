package calendar_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// askedAgain are requests that are answered from memory, and for those that are sent often by their address alone.
var askedAgain = []struct {
	method, path string
	headers      []header
}{
	{"GET", "/events?" + everything, nil}, {"HEAD", "/events?" + everything, nil}, {"GET", "/events/?" + everything, nil},
	{"GET", "/events?page=2&per_page=5&" + everything, nil}, {"GET", "/events?per_page=5&page=2&utm_source=a+b&" + everything, nil},
	{"GET", "/events?" + everything, []header{{"Accept", "text/calendar"}}},
	{"GET", "/events?" + everything, []header{{"Origin", "https://app.example"}}},
	{"GET", "/events/25", nil}, {"GET", "/events/25", []header{{"If-None-Match", "*"}}},
	{"GET", "/events/25?i18n_language=nl&_pretty", nil}, {"GET", contract.Site + "/fr/wp-json/" + namespace + "/events/25", nil},
	{"GET", "/venues?_fields=venues.id&_envelope", nil},
}

// TestAnswersByTheirAddress checks that answers from memory, also those that are found by the address of a request alone,
// equal those of a calendar that caches nothing, to the byte and with their headers, also after changes of an event and
// of who may read.
func TestAnswersByTheirAddress(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	cached := calendar.Cache{Settle: time.Millisecond, Tags: calendar.CacheTag}
	uncached := cached
	uncached.Bytes = calendar.None
	c, h := contract.Mount(t, calendar.Options{DB: db, Now: frozen, Cache: cached})
	_, plain := contract.Mount(t, calendar.Options{DB: db, Now: frozen, Cache: uncached})
	const option = "REPLACE INTO wp_options (option_name, option_value, autoload) VALUES (?, ?, 'on')"
	for _, step := range []struct {
		name   string
		change func()
		status int
		kept   bool // the answers are certainly cached
	}{
		{"at first", func() {}, http.StatusOK, true},
		{"another title", func() { exec(t, db, "UPDATE wp_posts SET post_title = 'Another' WHERE ID = 25") }, http.StatusOK, true},
		{"restricted posts", func() { exec(t, db, option, "active_plugins", `a:1:{i:0;s:19:"members/members.php";}`) },
			http.StatusOK, false},
		{"a private API", func() { exec(t, db, option, "members_settings", `a:1:{s:16:"private_rest_api";b:1;}`) },
			http.StatusUnauthorized, false},
		{"as before", func() { exec(t, db, option, "active_plugins", "a:0:{}") }, http.StatusOK, true},
	} {
		step.change()
		wantStatus(t, get(h, "/events/25"), step.status, step.name)
		for _, a := range askedAgain {
			want := send(plain, a.method, a.path, "", a.headers...)
			fromMemory := func() bool {
				before := c.Stats().Cache.Hits
				got := send(h, a.method, a.path, "", a.headers...)
				if got.Code != want.Code || got.Body.String() != want.Body.String() ||
					!slices.Equal(lines(got.Header()), lines(want.Header())) {
					t.Fatalf("%s: %s %s %v: %d %v %.300s\n without a cache %d %v %.300s", step.name, a.method, a.path, a.headers,
						got.Code, got.Header(), got.Body, want.Code, want.Header(), want.Body)
				}
				return c.Stats().Cache.Hits > before || !step.kept
			}
			settled(t, fromMemory)
			for range 2 {
				fromMemory()
			}
		}
	}
}
