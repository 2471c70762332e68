package calendar_test

import (
	"net/http"
	"strings"
	"testing"
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
		"If-None-Match, X-HTTP-Method-Override, X-Requested-With, Cache-Control, Pragma, Idempotency-Key",
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
