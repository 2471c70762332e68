package contract

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// validatorsOfMasked proves that nobody can try out what a password hides on the
// validator of what it shows.
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
		}{{"", "", false}, {"subscriber", "", false}, {"contributor", "?password=x", false}, {"editor", "", true}, {"", "?password=Open+Sesame", true}}
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

// fatReads proves that caches keep no answer to a GET that more than its address
// decided about.
func fatReads(t *testing.T, e Engine) {
	s := built(t, e, "locked")
	c := s.client(calendar.Options{})
	ball := s.fill("/events/{ball}")
	for _, r := range []struct {
		name, method, path, body string
		header                   map[string]string
		kept                     bool
	}{
		{"plain", "GET", "/events", "", nil, false},
		{"an empty body", "GET", "/events", "{}", nil, false},
		{"a password in the address", "GET", ball + "?password=Open+Sesame", "", nil, false},
		{"a password in the body", "GET", ball, `{"password":"Open Sesame"}`, nil, true},
		{"a page in the body", "GET", "/events", `{"page":9}`, nil, true},
		{"a head with a body", "HEAD", "/events", `{"_fields":"total"}`, nil, true},
		{"a broken body", "GET", "/events", `{`, nil, true},
		{"in an envelope", "GET", ball + "?_envelope", `{"password":"Open Sesame"}`, nil, true},
		{"another method", "GET", "/events", "", map[string]string{"X-HTTP-Method-Override": "OPTIONS"}, true},
		{"another method in an envelope", "GET", "/events?_envelope", "", map[string]string{"X-HTTP-Method-Override": "POST"}, true},
	} {
		req := httptest.NewRequest(r.method, Root+r.path, strings.NewReader(r.body))
		req.Header.Set("Content-Type", "application/json")
		for k, v := range r.header {
			req.Header.Set(k, v)
		}
		w := httptest.NewRecorder()
		c.Handler.ServeHTTP(w, req)
		if kept := strings.Contains(w.Header().Get("Cache-Control"), "no-store"); kept != r.kept {
			t.Errorf("%s: kept out of caches: %v, want %v (%d %s)", r.name, kept, r.kept, w.Code, apitest.Clip(w.Body.String()))
		}
	}
}

// cheapRefusals proves that callers without any right to write cannot have the
// database asked again and again for what they send.
func cheapRefusals(t *testing.T, e Engine) {
	var counter *testdb.Counter
	e.Blank = func(t testing.TB) (db *bun.DB) {
		db, counter = e.Counted(t)
		return db
	}
	s := newSite(t, e)
	s.Insert(&schema.User{ID: 1, Login: "admin", Nicename: "admin", DisplayName: "admin", Registered: "2020-01-01 00:00:00"})
	c := s.client(calendar.Options{})
	list := "[" + strings.Repeat(`{"venue":"v","organizer":"o","author":1},`, 99) + `{"venue":"v","organizer":"o"}]`
	body := `{"title":"x","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00","venue":` + list + `,"organizer":` + list + `}`
	for as, want := range map[string]string{"": "401 rest_forbidden", "subscriber": "403 rest_forbidden"} {
		c.Do(as, http.MethodGet, "/events", "") // settings are read now
		counter.Reset()
		a := c.Do(as, http.MethodPost, "/events", body)
		if n := len(counter.Statements()); a.Verdict() != want || n > 5 {
			t.Errorf("%q: %s after %d statements", as, a.Verdict(), n)
		}
	}
}
