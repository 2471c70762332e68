package calendar_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// generic are headers that every answer of the API has.
var generic = map[string]string{
	"Content-Type":           "application/json; charset=UTF-8",
	"X-Robots-Tag":           "noindex",
	"X-Content-Type-Options": "nosniff",
	"Link":                   `<http://site.test/wp-json/>; rel="https://api.w.org/"`,
	"Access-Control-Expose-Headers": "X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, ETag, Location, Retry-After, " +
		"Allow, X-WP-Nonce, Content-Disposition, Idempotency-Replayed",
	"Access-Control-Allow-Headers": "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-Match, " +
		"If-None-Match, X-HTTP-Method-Override, Idempotency-Key",
	"Content-Language": "en",
}

// kinds of answers.
var answers = []struct {
	name, method, path string
	headers            []header
	status             int
	allow              string
}{
	{"item", "GET", "/events/25", nil, 200, offered},
	{"list", "GET", "/events", nil, 200, offered},
	{"index", "GET", "", nil, 200, offered},
	{"head", "HEAD", "/events/25", nil, 200, offered},
	{"options", "OPTIONS", "/events/25", nil, 200, offered},
	{"options of an item that is not there", "OPTIONS", "/events/999999", nil, 200, offered},
	{"options of nothing", "OPTIONS", "/nothing", nil, 200, ""},
	{"bad parameter", "GET", "/events?page=0", nil, 400, offered},
	{"bad body", "GET", "/events", []header{{"Content-Type", "application/json"}}, 200, offered},
	{"forbidden", "GET", "/events/29", nil, 403, offered},
	{"not found", "GET", "/events/999999", nil, 404, offered},
	{"page beyond the last", "GET", "/events?page=99", nil, 404, offered},
	{"head of an error", "HEAD", "/events/999999", nil, 404, offered},
	{"no route", "GET", "/nothing", nil, 404, ""},
	{"no method", "DELETE", "/doc", nil, 404, ""},
	{"no script", "GET", "/doc?_jsonp=x", nil, 400, ""},
}

// varying returns the Vary header of a path's answers: events exist in two formats.
func varying(method, path string) string {
	if strings.HasPrefix(path, "/events") && method != http.MethodOptions && !strings.Contains(path, "_format") {
		return "Authorization, Cookie, Origin, Accept"
	}
	return "Authorization, Cookie, Origin"
}

func TestGenericHeaders(t *testing.T) {
	h := siteHandler(t)
	for _, c := range answers {
		w := send(h, c.method, c.path, "", c.headers...)
		if w.Code != c.status || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s: %d, Allow %q, want %d, %q: %.100s", c.name, w.Code, w.Header().Get("Allow"), c.status, c.allow, w.Body)
		}
		list := c.name == "list" || c.name == "bad body"
		for name, want := range generic {
			if got := w.Header().Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %s %q, want %q", c.name, name, got, want)
			}
		}
		if got := w.Header().Values("Vary"); len(got) != 1 || got[0] != varying(c.method, c.path) {
			t.Errorf("%s: Vary %q", c.name, got)
		}
		for _, name := range []string{
			"Cache-Control", "Expires", "Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Credentials",
			"Access-Control-Max-Age", "WWW-Authenticate", "Location", "Last-Modified", "X-Powered-By", "Set-Cookie",
		} {
			if got, there := w.Header()[http.CanonicalHeaderKey(name)]; there {
				t.Errorf("%s: %s %q", c.name, name, got)
			}
		}
		for _, name := range []string{"X-TEC-Total", "X-TEC-TotalPages", "X-WP-Total", "X-WP-TotalPages"} {
			if got := w.Header().Values(http.CanonicalHeaderKey(name)); len(got) != 0 != list {
				t.Errorf("%s: %s %q", c.name, name, got)
			}
		}
	}
	w := get(h, "http://elsewhere.example/fr/wp-json/"+namespace+"/events/25", header{"Accept", "text/html"})
	if w.Header().Get("Link") != `<http://site.test/fr/wp-json/>; rel="https://api.w.org/"` ||
		w.Header().Get("Content-Type") != generic["Content-Type"] {
		t.Errorf("another root, host and Accept: %v", w.Header())
	}
}

// TestHostHeadersStay: what middleware of the host set is not taken away.
func TestHostHeadersStay(t *testing.T) {
	h := siteHandler(t)
	wrapped := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Accept-Encoding")
		w.Header().Set("X-Request-Id", "7")
		h.ServeHTTP(w, r)
	})
	w := get(wrapped, "/events/25")
	if got := strings.Join(w.Header().Values("Vary"), ", "); got != "Accept-Encoding, "+varying(http.MethodGet, "/events/25") ||
		w.Header().Get("X-Request-Id") != "7" {
		t.Errorf("Vary %q, headers %v", got, w.Header())
	}
}

// TestD23CORS: every origin is mirrored, only named ones get credentials.
func TestD23CORS(t *testing.T) {
	const named = "https://app.example.org"
	db := testdb.SiteA(t)
	h := siteHandler(t, func(o *calendar.Options) {
		o.DB, o.Login.CredentialOrigins = db, []string{named, "http://localhost:3000"}
	})
	for origin, want := range map[string]struct {
		mirrored    string
		credentials bool
	}{
		named:                               {named, true},
		"http://localhost:3000":             {"http://localhost:3000", true},
		"https://other.example":             {"https://other.example", false},
		"https://other.example:8443":        {"https://other.example:8443", false},
		"http://app.example.org":            {"http://app.example.org", false},
		"https://app.example.org:444":       {"https://app.example.org:444", false},
		"https://app.example.org.evil.test": {"https://app.example.org.evil.test", false},
		"https://app.example.org@evil.test": {"https://evil.test", false},
		"https://APP.example.org":           {"https://APP.example.org", false},
		"http://localhost:30001":            {"http://localhost:30001", false},
		"http://localhost":                  {"http://localhost", false},
		"null":                              {"null", false},
		"app.example.org":                   {"http://app.example.org", false},
		"javascript:alert(1)":               {"", false},
		"data:text/html,x":                  {"", false},
		"ftp://app.example.org":             {"", false},
		"https://":                          {"", false},
		"*":                                 {"http://*", false},
		"https://a b":                       {"", false},
		"https://other.example/path?x=1":    {"https://other.example", false},
	} {
		for _, c := range answers {
			w := send(h, c.method, c.path, "", append(c.headers, header{"Origin", origin})...)
			allowed, there := w.Header()["Access-Control-Allow-Origin"]
			if !there || len(allowed) != 1 || allowed[0] != want.mirrored {
				t.Errorf("%s, %s: mirrored %q, want %q", origin, c.name, allowed, want.mirrored)
			}
			credentials, there := w.Header()["Access-Control-Allow-Credentials"]
			if there != want.credentials || there && credentials[0] != "true" {
				t.Errorf("%s, %s: credentials %q", origin, c.name, credentials)
			}
			if got := w.Header().Get("Access-Control-Allow-Methods"); got != "OPTIONS, GET, POST, PUT, PATCH, DELETE" {
				t.Errorf("%s, %s: methods %q", origin, c.name, got)
			}
			if w.Code != c.status {
				t.Errorf("%s, %s: %d, want %d", origin, c.name, w.Code, c.status)
			}
		}
	}
	if w := get(siteHandler(t), "/events/25", header{"Origin", named}); w.Header().Get("Access-Control-Allow-Credentials") != "" {
		t.Error("credentials without the option")
	}
}
