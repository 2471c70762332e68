package calendar_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// TestD64Preflight: a browser that asks is told the methods that the route has for
// anybody, though nobody is logged in yet.
func TestD64Preflight(t *testing.T) {
	h := siteHandler(t)
	const list, item = "HEAD, OPTIONS, GET, POST", "HEAD, OPTIONS, GET, DELETE, POST, PUT, PATCH"
	for path, methods := range map[string]string{
		"": "HEAD, OPTIONS, GET", "/doc": "HEAD, OPTIONS, GET", "/events": list, "/events/": list, "/tags": list,
		"/events/25": item, "/events/by-slug/x": item, "/venues/999999": item, "/nothing": "OPTIONS",
	} {
		for _, wanted := range []string{"GET", "PUT", "DELETE"} {
			w := send(h, http.MethodOptions, path, "", header{"Origin", "https://other.example"},
				header{"Access-Control-Request-Method", wanted}, header{"Access-Control-Request-Headers", "authorization"})
			for name, want := range map[string]string{
				"Access-Control-Allow-Origin": "https://other.example", "Access-Control-Allow-Methods": methods,
				"Access-Control-Max-Age": "3600", "Access-Control-Allow-Headers": generic["Access-Control-Allow-Headers"],
				"Access-Control-Allow-Credentials": "",
			} {
				if got := w.Header().Get(name); w.Code != http.StatusOK || got != want {
					t.Errorf("%s for %s: %d, %s %q, want %q", path, wanted, w.Code, name, got, want)
				}
			}
		}
	}
}

// TestNoCORS: a host whose own middleware decides about other origins gets nothing
// beside it, and no answer differs by origin.
func TestNoCORS(t *testing.T) {
	h := siteHandler(t, func(o *calendar.Options) { o.NoCORS = true })
	hosted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "https://app.example.org")
		h.ServeHTTP(w, r)
	})
	for _, c := range answers {
		for _, headers := range [][]header{nil, {{"Origin", "https://other.example"}, {"Access-Control-Request-Method", "PUT"}}} {
			w := send(hosted, c.method, c.path, "", append(headers, c.headers...)...)
			var sent []string
			for name := range w.Header() {
				if strings.HasPrefix(name, "Access-Control-") {
					sent = append(sent, name)
				}
			}
			vary := strings.Replace(varying(c.method, c.path), ", Origin", "", 1)
			if !slices.Equal(sent, []string{"Access-Control-Allow-Origin"}) || w.Header().Get("Vary") != vary ||
				w.Header().Get("Access-Control-Allow-Origin") != "https://app.example.org" || w.Code != c.status {
				t.Errorf("%s: %d, %q, Vary %q", c.name, w.Code, sent, w.Header().Get("Vary"))
			}
		}
	}
}

// TestD64ListHeaders: lists say their totals under both names, and link the next and
// the previous page with whatever the request asked for.
func TestD64ListHeaders(t *testing.T) {
	h := siteHandler(t)
	const root = `<http://site.test/wp-json/>; rel="https://api.w.org/"`
	for address, c := range map[string]struct{ total, pages, next, prev string }{
		"/events?" + everything + "&per_page=50": {total: "116", pages: "3", next: everything + "&per_page=50&page=2"},
		"/events?page=2&" + everything + "&per_page=50": {
			"116", "3", everything + "&per_page=50&page=3", everything + "&per_page=50&page=1"},
		"/events?" + everything + "&per_page=50&page=3": {total: "116", pages: "3", prev: everything + "&per_page=50&page=2"},
		"/tags?per_page=4&_fields=tags.0.id&hide_empty=0": {
			total: "10", pages: "3", next: "per_page=4&_fields=tags.0.id&hide_empty=0&page=2"},
		"/tags?per_page=20":                                 {total: "9", pages: "1"},
		"/tags?per_page=9&page=2":                           {total: "9", pages: "1", prev: "per_page=9&page=1"},
		"/tags?per_page=9&page=4":                           {total: "9", pages: "1", prev: "per_page=9&page=3"},
		"/tags?search=no-such-tag":                          {total: "0", pages: "0"},
		"/venues?per_page=7&%70age=1&_pretty":               {total: "8", pages: "2", next: "per_page=7&_pretty=&page=2"},
		"/venues?per_page=7&x=%3E%22,%C3%A9+a%zz&":          {total: "8", pages: "2", next: "per_page=7&x=%3E%22%2C%C3%A9+a%25zz&page=2"},
		"/venues?per_page=7&y[]=1&y[]=2&[]=3":               {total: "8", pages: "2", next: "per_page=7&y%5B%5D=1&y%5B%5D=2&page=2"},
		"/venues?per_page=7&page_=7&pages=1":                {total: "8", pages: "2", next: "per_page=7&page_=7&pages=1&page=2"},
		"/venues?per_page=7&z=" + strings.Repeat("z", 1500): {total: "8", pages: "2"},
	} {
		path, _, _ := strings.Cut(address, "?")
		base, want := "<http://site.test/wp-json/"+namespace+path+"/?", root
		if c.next != "" {
			want += ", " + base + c.next + `>; rel="next"`
		}
		if c.prev != "" {
			want += ", " + base + c.prev + `>; rel="prev"`
		}
		w := get(h, address)
		for name, want := range map[string]string{
			"Link": want, "X-WP-Total": c.total, "X-WP-TotalPages": c.pages, "X-TEC-Total": c.total, "X-TEC-TotalPages": c.pages,
		} {
			if got := w.Header().Values(http.CanonicalHeaderKey(name)); w.Code != http.StatusOK || !slices.Equal(got, []string{want}) {
				t.Errorf("%s: %d, %s %q, want %q", address, w.Code, name, got, want)
			}
		}
	}
	body := send(h, http.MethodGet, "/tags?hide_empty=0", `{"per_page":4}`, asJSON)
	want := root + `, <http://site.test/wp-json/` + namespace + `/tags/?per_page=4&hide_empty=0&page=2>; rel="next"`
	if got := body.Header().Get("Link"); got != want {
		t.Errorf("parameters in a body: %q, want %q", got, want)
	}
	enveloped := get(h, "/tags?per_page=4&_envelope").Header()
	if enveloped.Get("Link") != root || enveloped.Get("X-WP-Total") != "" {
		t.Errorf("an envelope: %v", enveloped)
	}
}
