package contract

import (
	"net/http"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// validatorsOfMasked checks that ETags of an item that a password protects do not depend on what the password hides, so
// that it cannot be guessed.
func validatorsOfMasked(t *testing.T, e Engine) {
	s := built(t, e, "locked")
	c := s.client(calendar.Options{})
	for _, item := range []struct{ path, slug, key string }{
		{"/venues/{vault}", "vault", schema.MetaVenueAddress}, {"/venues/by-slug/vault", "vault", schema.MetaVenuePhone},
		{"/organizers/{agent}", "agent", schema.MetaOrganizerPhone}, {"/organizers/by-slug/agent", "agent", schema.MetaOrganizerEmail},
	} {
		path := s.fill(item.path)
		tag := func(as, query string) string { return c.Get(as, path+query).Header.Get("ETag") }
		queries := []struct {
			as, query string
			sees      bool
		}{
			{"", "", false}, {"subscriber", "", false}, {"contributor", "?password=x", false}, {"editor", "", true},
			{"", "?password=Open+Sesame", true},
		}
		var before []string
		for _, q := range queries {
			before = append(before, tag(q.as, q.query))
		}
		s.Exec("UPDATE ?(prefix)postmeta SET meta_value = 'other' WHERE post_id = ? AND meta_key = ?", s.of(item.slug), item.key)
		s.Exec("UPDATE ?(prefix)posts SET post_content = ? WHERE ID = ?", "Other "+item.path, s.of(item.slug))
		for i, q := range queries {
			if after := tag(q.as, q.query); after == "" || (after != before[i]) != q.sees {
				t.Errorf("%s%s as %q: %s, then %s", path, q.query, q.as, before[i], after)
			}
		}
		if a := c.Do("editor", http.MethodPut, path, `{"phone":"1"}`, "If-Match", tag("editor", "")); a.Status != http.StatusOK {
			t.Errorf("%s: an editor's masked validator: %s", path, a.Verdict())
		}
	}
}

// cheapRefusals checks that callers without any right to write cannot cause more statements by sending more.
func cheapRefusals(t *testing.T, e Engine) {
	var counter *testdb.Counter
	e.Blank = func(t testing.TB) (db *bun.DB) {
		db, counter = e.Counted(t)
		return db
	}
	s := newSite(t, e)
	s.users().Insert(&schema.User{ID: 1, Login: "admin", Nicename: "admin", DisplayName: "admin", Registered: "2020-01-01 00:00:00"})
	c := s.client(calendar.Options{})
	list := "[" + strings.Repeat(`{"venue":"v","organizer":"o","author":1},`, 99) + `{"venue":"v","organizer":"o"}]`
	body := `{"title":"x","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00","venue":` + list + `,"organizer":` + list + `}`
	for as, want := range map[string]string{"": "401 rest_forbidden", "subscriber": "403 rest_forbidden"} {
		c.Do(as, http.MethodGet, "/events", "") // reads the settings
		counter.Reset()
		a := c.Do(as, http.MethodPost, "/events", body)
		if n := len(counter.Statements()); a.Verdict() != want || n > 5 {
			t.Errorf("%q: %s after %d statements", as, a.Verdict(), n)
		}
	}
}
