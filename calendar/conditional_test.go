package calendar_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

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
