package calendar_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// own are the headers that belong to an answer and move into its envelope.
var own = []string{"X-TEC-Total", "X-TEC-TotalPages", "Allow", "ETag", "Location"}

func TestEnvelope(t *testing.T) {
	h := siteHandler(t)
	total := `{"body":{"total":116},"status":200,"headers":{"X-TEC-Total":116,"X-TEC-TotalPages":12,"Allow":"GET"}}`
	for address, want := range map[string]string{
		"/events?_envelope=1&_fields=total&" + everything: total,
		"/events?_envelope=0&_fields=total&" + everything: total,
		"/events/25?_envelope&_fields=id":                 `{"body":{"id":25},"status":200,"headers":{"Allow":"GET"}}`,
		"/events/25?_envelope[]=x&_fields=id":             `{"body":{"id":25},"status":200,"headers":{"Allow":"GET"}}`,
		"/events/25?_envelope=&_fields=nothing":           `{"body":[],"status":200,"headers":{"Allow":"GET"}}`,
		"/categories/6?_envelope&_fields=slug":            `{"body":{"slug":"muziek"},"status":200,"headers":{"Allow":"GET"}}`,
		"/nothing?_envelope": `{"body":{"code":"rest_no_route",` +
			`"message":"There is no such address and method in this API.","data":{"status":404}},"status":404,"headers":[]}`,
		"/events/46?_envelope": `{"body":{"code":"event-password-protected",` +
			`"message":"This event is protected by a password.","data":{"status":403}},"status":403,"headers":{"Allow":"GET"}}`,
		"/venues/999999?_envelope": `{"body":{"code":"rest_invalid_param","message":"Invalid parameter: id",` +
			`"data":{"status":400,"params":{"id":"There is no venue with this id."},"details":[]}},"status":400,"headers":{"Allow":"GET"}}`,
	} {
		w := get(h, address)
		if w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d %s, want %s", address, w.Code, w.Body, want)
		}
		for _, name := range own {
			if v, there := w.Header()[http.CanonicalHeaderKey(name)]; there {
				t.Errorf("%s: the response itself has %s %v", address, name, v)
			}
		}
		for _, name := range []string{"Content-Type", "X-Robots-Tag", "Link", "Vary", "Content-Language"} {
			if w.Header().Get(name) == "" {
				t.Errorf("%s: %s is missing", address, name)
			}
		}
		head := send(h, http.MethodHead, address, "")
		if head.Code != http.StatusOK || head.Body.Len() != 0 || !slices.Equal(lines(head.Header()), lines(w.Header())) {
			t.Errorf("HEAD %s: %d %s %v", address, head.Code, head.Body, head.Header())
		}
	}
	options := send(h, http.MethodOptions, "/doc?_envelope", "")
	if options.Code != http.StatusOK || !strings.HasPrefix(options.Body.String(), `{"body":{"namespace":`) ||
		!strings.HasSuffix(options.Body.String(), `"status":200,"headers":{"Allow":"GET"}}`) {
		t.Errorf("OPTIONS: %d %s", options.Code, options.Body)
	}
	if w := send(h, http.MethodGet, "/events/25", `{"_envelope":1}`, asJSON); strings.HasPrefix(w.Body.String(), `{"body":`) {
		t.Errorf("_envelope in a body counts: %.200s", w.Body)
	}
	if w := get(h, "/events/25?_envelope", header{"If-None-Match", "*"}); w.Code != http.StatusOK {
		t.Errorf("D26 an envelope takes part in conditional requests: %d", w.Code)
	}
}

// TestMethodOverride: the query, else a header, says which method is meant; it
// counts in a POST, and in a GET or HEAD if it reads (D53).
func TestMethodOverride(t *testing.T) {
	h := siteHandler(t)
	entry := send(h, http.MethodOptions, "/doc", "").Body.String()
	document := get(h, "/doc").Body.String()
	by := func(method string) []header { return []header{{"X-HTTP-Method-Override", method}} }
	for name, c := range map[string]struct {
		method, query string
		headers       []header
		status        int
		body          string
	}{
		"query":                    {"POST", "_method=GET", nil, 200, document},
		"query, lower case":        {"POST", "_method=get", nil, 200, document},
		"DELETE stays (D53)":       {"DELETE", "_method=get", nil, 404, "rest_no_route"},
		"unknown verb stays (D53)": {"PROPFIND", "_method=GET", nil, 404, "rest_no_route"},
		"header":                   {"POST", "", by("GET"), 200, document},
		"header, lower case":       {"POST", "", by("get"), 200, document},
		"PUT stays (D53)":          {"PUT", "", by("get"), 404, "rest_no_route"},
		"query beats header":       {"POST", "_method=GET", by("DELETE"), 200, document},
		"empty query, header":      {"POST", "_method=", by("GET"), 200, document},
		"to HEAD":                  {"GET", "_method=HEAD", nil, 200, ""},
		"to head by header":        {"GET", "", by("head"), 200, ""},
		"HEAD to GET has no body":  {"HEAD", "_method=GET", nil, 200, ""},
		"to OPTIONS":               {"GET", "_method=OPTIONS", nil, 200, entry},
		"OPTIONS stays (D53)":      {"OPTIONS", "_method=GET", nil, 200, entry},
		"to a method not there":    {"POST", "_method=DELETE", nil, 404, "rest_no_route"},
		"link that writes (D53)":   {"GET", "_method=DELETE", nil, 405, "rest_override_needs_post"},
		"to no method":             {"GET", "_method=BOGUS", nil, 404, "rest_no_route"},
		"to no method by header":   {"GET", "", by("BOGUS"), 404, "rest_no_route"},
		"to no method, with blank": {"GET", "_method=GET%20", nil, 404, "rest_no_route"},
	} {
		w := send(h, c.method, "/doc?"+c.query, "", c.headers...)
		if w.Code != c.status {
			t.Errorf("%s: %d %.200s, want %d", name, w.Code, w.Body, c.status)
		} else if c.status >= 400 {
			wantError(t, w, c.status, c.body)
		} else if w.Body.String() != c.body {
			t.Errorf("%s: %.200s, want %.200s", name, w.Body, c.body)
		}
		_, kept := w.Header()["Cache-Control"]
		// Caches do not know that the answer to a GET is not that of its address.
		if want := c.headers != nil && (c.status >= 400 || c.method == http.MethodGet && c.query == ""); kept != want {
			t.Errorf("%s: kept out of caches: %v, want %v", name, kept, want)
		}
	}
	for _, contentType := range []string{"application/json", "application/x-www-form-urlencoded"} {
		body := map[string]string{"application/json": `{"_method":"GET"}`}[contentType]
		if body == "" {
			body = "_method=GET"
		}
		wantError(t, send(h, http.MethodPost, "/doc", body, header{"Content-Type", contentType}), http.StatusNotFound, "rest_no_route")
	}
	for _, query := range []string{"_method=GET", "_method=POST"} {
		if w := get(h, "/events/25?"+query,
			header{"X-HTTP-Method-Override", "GET"}); (w.Code == http.StatusOK) != (query == "_method=GET") {
			t.Errorf("%s with a header: %d", query, w.Code)
		}
	}
}

// TestD53LinksDoNotWrite: a GET or HEAD that names a method that writes is
// refused, whoever sends it, and changes nothing.
func TestD53LinksDoNotWrite(t *testing.T) {
	h := siteHandler(t, func(o *calendar.Options) { o.Authenticator = administrator() })
	whole := get(h, "/events/25").Body.String()
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "delete", "Put"} {
		for _, w := range []*httptest.ResponseRecorder{
			get(h, "/events/25?title=New&_method="+method), get(h, "/events/25?title=New", header{"X-HTTP-Method-Override", method}),
			get(h, "/categories?name=New&_method="+method), get(h, "/venues/by-slug/"+venueSlug+"?venue=New&_method="+method),
		} {
			wantError(t, w, http.StatusMethodNotAllowed, "rest_override_needs_post")
			if w.Header().Get("Allow") == "" {
				t.Errorf("%s: the answer does not say what is allowed", method)
			}
		}
		if w := send(h, http.MethodHead, "/events/25?title=New&_method="+method,
			""); w.Code != http.StatusMethodNotAllowed || w.Body.Len() > 0 {
			t.Errorf("HEAD that names %s: %d %s", method, w.Code, w.Body)
		}
		wantError(t, get(h, "/nothing?_method="+method), http.StatusNotFound, "rest_no_route")
	}
	for _, method := range []string{"PUT", "PATCH"} { // which name what they do themselves
		if w := send(h, method, "/events/25?_method=DELETE", "{}", asJSON); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", method, w.Code, w.Body)
		}
	}
	if now := get(h, "/events/25").Body.String(); now != whole {
		t.Errorf("a read changed the event: %s", now)
	}
	if w := send(h, http.MethodPost, "/events/25?_method=DELETE", ""); w.Code != http.StatusOK {
		t.Errorf("POST: %d %s", w.Code, w.Body)
	}
}

// TestD24JSONP: there are no scripts, whatever the callback's name.
func TestD24JSONP(t *testing.T) {
	h := siteHandler(t)
	for _, query := range []string{"_jsonp=cb", "_jsonp=a.b_1", "_jsonp=1", "_jsonp=0", "_jsonp=alert(1)//", "_jsonp=%3Cscript%3E",
		"_jsonp[]=cb", "_jsonp=cb&_envelope", "_jsonp=cb&_pretty&_fields=id"} {
		for _, path := range []string{"/events/25", "/events", "/nothing"} {
			w := get(h, path+"?"+query)
			wantError(t, w, http.StatusBadRequest, "rest_callback_disabled")
			if w.Header().Get("Allow") != "" || w.Header().Get("Content-Type") != "application/json; charset=UTF-8" ||
				w.Header().Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: %v", query, w.Header())
			}
		}
	}
	for _, query := range []string{"_jsonp", "_jsonp="} {
		if w := get(h, "/events/25?"+query); w.Code != http.StatusOK {
			t.Errorf("an empty name: %d", w.Code)
		}
	}
}
