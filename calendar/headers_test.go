package calendar_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// generic contains the headers of all answers of the API.
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

// varying returns the expected Vary header of a path. Events have a second format (iCalendar), so their answers also
// vary by Accept.
func varying(method, path string) string {
	if strings.HasPrefix(path, "/events") && method != http.MethodOptions && !strings.Contains(path, "_format") {
		return "Authorization, Cookie, Origin, Accept"
	}
	return "Authorization, Cookie, Origin"
}

// TestHostHeadersStay checks that headers which the host's middleware has set are kept.
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

// TestNoCORS checks that with NoCORS, for hosts whose own middleware decides about origins, no header about origins
// is added and no answer depends on the origin.
func TestNoCORS(t *testing.T) {
	h := siteHandler(t, func(o *calendar.Options) { o.NoCORS = true })
	hosted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "https://app.example.org")
		h.ServeHTTP(w, r)
	})
	golden.Each(t, "answers.txt", func(name, method, path string, status int) {
		for _, headers := range [][]header{
			nil, {{"Origin", "https://other.example"}, {"Access-Control-Request-Method", "PUT"}}, {{"Content-Type", "application/json"}},
		} {
			w := send(hosted, method, path, "", headers...)
			var sent []string
			for name := range w.Header() {
				if strings.HasPrefix(name, "Access-Control-") {
					sent = append(sent, name)
				}
			}
			vary := strings.Replace(varying(method, path), ", Origin", "", 1)
			if !slices.Equal(sent, []string{"Access-Control-Allow-Origin"}) || w.Header().Get("Vary") != vary ||
				w.Header().Get("Access-Control-Allow-Origin") != "https://app.example.org" || w.Code != status {
				t.Errorf("%s: %d, %q, Vary %q", name, w.Code, sent, w.Header().Get("Vary"))
			}
		}
	})
}

// tagOf returns the ETag of an answer to an anonymous caller, and checks that a request with it is answered with 304.
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

// TestUnchangedAnswersAreNotRendered checks that an answer is not rendered again for a client that has it already: at
// most half as many texts are needed.
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

// TestAnswersOnTheWire checks that the body has the length that the header announces, also if the parameter _method
// overrides the method of the request, and that an unchanged answer has neither a body nor a type.
func TestAnswersOnTheWire(t *testing.T) {
	h := siteHandler(t)
	known := tagOf(t, h, "/events/25")
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	for _, c := range []struct {
		method, query, known string
		empty                bool
	}{
		{"GET", "", "", false}, {"HEAD", "", "", true}, {"GET", "?_method=HEAD", "", true}, {"POST", "?_method=HEAD", "", true},
		{"HEAD", "?_method=GET", "", true}, {"GET", "", known, true},
		{"GET", "?_method=OPTIONS", "", false}, {"GET", "?_method=HEAD&_envelope", "", true}, {"GET", "?_method=BOGUS", "", false},
	} {
		req := must.Get(http.NewRequestWithContext(t.Context(), c.method, server.URL+"/wp-json/tribe/events/v1/events/25"+c.query, nil))(t)
		req.Header.Set("If-None-Match", c.known)
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatalf("%s %s: %v", c.method, c.query, err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || (len(body) == 0) != c.empty || c.method != http.MethodHead && int(resp.ContentLength) != len(body) {
			t.Errorf("%s %s: %d, %d bytes of %d, %v", c.method, c.query, resp.StatusCode, len(body), resp.ContentLength, err)
		}
		if unchanged := resp.StatusCode == http.StatusNotModified; unchanged != (c.known != "") ||
			unchanged && resp.Header.Get("Content-Type") != "" {
			t.Errorf("%s %s with %q: %d %v", c.method, c.query, c.known, resp.StatusCode, resp.Header)
		}
	}
}

var asJSON = header{"Content-Type", "application/json"}

// TestBodyTooLarge checks that a body over one mebibyte is not read to its end.
func TestBodyTooLarge(t *testing.T) {
	h := siteHandler(t)
	const limit = 1 << 20
	endless := &counting{r: endlessBlanks{}}
	r := httptest.NewRequest(http.MethodGet, contract.Root+"/events/25", endless)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	wantError(t, w, http.StatusRequestEntityTooLarge, "rest_body_too_large")
	if endless.n > limit+64<<10 {
		t.Errorf("%d bytes of an endless body were read", endless.n)
	}
}

type endlessBlanks struct{}

func (endlessBlanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

type counting struct {
	r io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// TestUnreadableBody checks that a body which exceeds a limit of the host, or which ends early, is an error of the
// client.
func TestUnreadableBody(t *testing.T) {
	h := siteHandler(t)
	limited := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 10)
		h.ServeHTTP(w, r)
	})
	wantError(t, send(limited, http.MethodGet, "/events/25", `{"per_page":1}`, asJSON), http.StatusRequestEntityTooLarge,
		"rest_body_too_large")
	r := httptest.NewRequest(http.MethodGet, contract.Root+"/events/25", io.MultiReader(strings.NewReader(`{"a":`), broken{}))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	wantError(t, w, http.StatusBadRequest, "rest_invalid_body")
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
