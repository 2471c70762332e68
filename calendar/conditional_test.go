package calendar_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// TestD26Validators: single reads carry a strong validator, lists a weak one.
func TestD26Validators(t *testing.T) {
	h := siteHandler(t)
	for _, r := range routes {
		first := get(h, r.path)
		tag := first.Header().Get("ETag")
		if tag == "" || strings.HasPrefix(tag, "W/") != r.list || strings.Count(tag, `"`) != 2 || !strings.HasSuffix(tag, `"`) {
			t.Errorf("%s: ETag %q", r.path, tag)
			continue
		}
		if again := get(h, r.path).Header().Get("ETag"); again != tag {
			t.Errorf("%s: ETag %s, then %s", r.path, tag, again)
		}
		strong := strings.TrimPrefix(tag, "W/")
		for name, value := range map[string]string{
			"same": tag, "weak": "W/" + strong, "strong": strong, "in a list": `"x", ` + tag + `,W/"y"`, "any": "*",
			"in a tight list": `"x",` + strong,
		} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				w := send(h, method, r.path, "", header{"If-None-Match", value})
				if w.Code != http.StatusNotModified || w.Body.Len() != 0 || w.Header().Get("ETag") != tag ||
					w.Header().Get("Vary") != varying(method, r.path) {
					t.Errorf("%s %s, %s: %d %q %v", method, r.path, name, w.Code, w.Body, w.Header())
				}
			}
		}
		for _, value := range []string{`"other"`, "", strong[:len(strong)-2] + `"`, strings.Trim(strong, `"`), `W/"x", "y"`} {
			if w := get(h, r.path, header{"If-None-Match", value}); w.Code != http.StatusOK || w.Body.String() != first.Body.String() {
				t.Errorf("%s, If-None-Match %q: %d", r.path, value, w.Code)
			}
		}
	}
}

// TestD26NoValidator: errors, OPTIONS and unknown paths have none and are never
// unchanged.
func TestD26NoValidator(t *testing.T) {
	h := siteHandler(t)
	for _, c := range answers {
		if c.status == http.StatusOK && c.method != http.MethodOptions {
			continue
		}
		w := send(h, c.method, c.path, "", header{"If-None-Match", "*"})
		if w.Code != c.status || w.Header().Get("ETag") != "" {
			t.Errorf("%s: %d, ETag %q", c.name, w.Code, w.Header().Get("ETag"))
		}
	}
}

// TestD26AnyChange: a change by any program changes the validator, and so does
// whatever else changes the answer.
func TestD26AnyChange(t *testing.T) {
	db := testdb.SiteA(t)
	h := siteHandler(t, func(o *calendar.Options) { o.DB = db })
	seen := map[string]string{}
	see := func(name, address string) {
		t.Helper()
		tag := get(h, address).Header().Get("ETag")
		if other, twice := seen[tag]; twice || tag == "" {
			t.Errorf("%s has the validator of %q", name, other)
		}
		seen[tag] = name
	}
	see("at first", "/events/25")
	for _, statement := range []string{
		"UPDATE wp_posts SET post_title = 'Changed' WHERE ID = 25",
		"UPDATE wp_postmeta SET meta_value = '2031-01-11 11:00:00' WHERE post_id = 25 AND meta_key = '_EventStartDate'",
		"UPDATE wp_posts SET post_title = 'Changed too' WHERE post_type IN ('tribe_venue', 'tribe_organizer')",
		"UPDATE wp_terms SET name = CONCAT(name, '!')",
	} {
		exec(t, db, statement)
		see(statement, "/events/25")
	}
	see("narrowed", "/events/25?_fields=id")
	see("another root", strings.Replace("http://site.test/nl/wp-json/ns/events/25", "ns", namespace, 1))
}

// TestD26LoggedIn: answers to callers with a name are not stored; lists have no
// validator then.
func TestD26LoggedIn(t *testing.T) {
	h := siteHandler(t, func(o *calendar.Options) { o.Authenticator = byHeader{} })
	who := header{"Authorization", "reader"}
	for _, path := range []string{"/events/25", "/events", "/events/999999", "/nothing"} {
		w := get(h, path, who)
		if w.Header().Get("Cache-Control") != "no-cache, must-revalidate, max-age=0, no-store, private" ||
			w.Header().Get("Expires") != "Wed, 11 Jan 1984 05:00:00 GMT" {
			t.Errorf("%s: %v", path, w.Header())
		}
	}
	if tag := get(h, "/events", who).Header().Get("ETag"); tag != "" {
		t.Errorf("a list has the validator %s", tag)
	}
	tag := get(h, "/events/25", who).Header().Get("ETag")
	w := get(h, "/events/25", who, header{"If-None-Match", tag})
	if tag == "" || w.Code != http.StatusNotModified || w.Header().Get("Cache-Control") == "" {
		t.Errorf("validator %q: %d %v", tag, w.Code, w.Header())
	}
	w = get(h, "/events/25", header{"Authorization", "stranger"})
	wantError(t, w, http.StatusUnauthorized, "rest_not_authenticated")
	if w.Header().Get("Allow") != "" || strings.Contains(w.Body.String(), "stranger") {
		t.Errorf("wrong credentials: %v %s", w.Header(), w.Body)
	}
	if get(h, "/events/25").Header().Get("Cache-Control") != "" {
		t.Error("an answer to strangers is kept out of caches")
	}
}

// byHeader knows one caller.
type byHeader struct{}

func (byHeader) Authenticate(r *http.Request) (calendar.Principal, error) {
	switch r.Header.Get("Authorization") {
	case "":
		return calendar.Principal{}, nil
	case "reader":
		return calendar.Principal{UserID: 3, Capabilities: map[string]bool{"read": true}}, nil
	}
	return calendar.Principal{}, &calendar.AuthError{Err: errors.New("unknown: stranger")}
}

// TestNotModifiedOnTheWire: what a client gets of an unchanged answer.
func TestNotModifiedOnTheWire(t *testing.T) {
	server := httptest.NewServer(siteHandler(t))
	defer server.Close()
	ask := func(tag string) (*http.Response, string) {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, server.URL+"/wp-json/"+namespace+"/events?"+everything, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("If-None-Match", tag)
		r.Header.Set("Origin", "https://other.example")
		w, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		body, err := io.ReadAll(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		return w, string(body)
	}
	full, body := ask("")
	if full.StatusCode != http.StatusOK || int64(len(body)) != full.ContentLength {
		t.Fatalf("%d with %d bytes of %d", full.StatusCode, len(body), full.ContentLength)
	}
	w, body := ask(full.Header.Get("ETag"))
	if w.StatusCode != http.StatusNotModified || body != "" || w.Header.Get("Content-Type") != "" {
		t.Errorf("%d %q %v", w.StatusCode, body, w.Header)
	}
	for _, name := range []string{"ETag", "Vary", "Allow", "Access-Control-Allow-Origin", "X-TEC-Total", "X-TEC-TotalPages"} {
		if w.Header.Get(name) == "" || w.Header.Get(name) != full.Header.Get(name) {
			t.Errorf("%s: %q, in full %q", name, w.Header.Get(name), full.Header.Get(name))
		}
	}
}
