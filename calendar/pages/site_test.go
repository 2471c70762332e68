package pages

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/wp"
)

func TestUnmarked(t *testing.T) {
	if got := unmarked("<p>One<br>two</p><p>three<BR/>four</p>"); got != "One two three four" {
		t.Errorf("lines become %q", got)
	}
}

func TestProtectedEvent(t *testing.T) {
	expect(t, visit(t, newFake(), "/nl/event/besloten/"), 200, "Dit evenement is beveiligd", `type="password"`,
		`method="post" action="/nl/event/besloten/"`)
	post := func(password string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/nl/event/besloten/", strings.NewReader(url.Values{"password": {password}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return send(t, newFake(), r)
	}
	wrong := post("fout")
	expect(t, wrong, 200, "Dat wachtwoord klopt niet.", `type="password"`)
	lacks(t, wrong, "chantez")
	right := post("geheim")
	expect(t, right, 200, "chantez")
	lacks(t, right, "geheim")
	if right.Header().Get("Cache-Control") != "private, no-store" {
		t.Error("an opened page may be stored")
	}
	expect(t, post(strings.Repeat("x", passwordLimit)), 200, `type="password"`)
}

func TestFailuresAreToldInTheLanguage(t *testing.T) {
	for status, words := range map[int]string{
		500: "L’agenda est momentanément indisponible", 503: "L’agenda est momentanément indisponible",
		413: "Il y a trop de contenu à afficher",
	} {
		for _, part := range []string{"/events", "/categories"} {
			api := newFake()
			api.failing = map[string]answer{"v1" + part: {status, "internal_server_error"}}
			log := slog.New(slog.DiscardHandler)
			answer := httptest.NewRecorder()
			fakeSite(api, []Language{{Tag: "fr", Mount: "/wp-json"}}, Options{Logger: log}).ServeHTTP(answer,
				httptest.NewRequest(http.MethodGet, "/", nil))
			expect(t, answer, status, words)
		}
	}
	broken := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "no JSON") })
	var log strings.Builder
	answer := httptest.NewRecorder()
	fakeSite(broken, nil, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}).ServeHTTP(answer,
		httptest.NewRequest(http.MethodGet, "/", nil))
	expect(t, answer, 500, "is not available at the moment")
	if !strings.Contains(log.String(), "reading the answer to /wp-json/vendor/events/v1/") {
		t.Errorf("log: %s", log.String())
	}
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second)) // set by a host
	defer cancel()
	expect(t, send(t, broken, httptest.NewRequest(http.MethodGet, "/", nil).WithContext(late)), 503, "is not available at the moment")
}

// TestAddressesOfEveryLocale checks that the addresses of a site in any locale lead to a page.
func TestAddressesOfEveryLocale(t *testing.T) {
	for _, l := range wp.Locales() {
		for path, want := range map[string]route{
			"/" + l.Organizer + "/x/": {kind: oneOrganizer, slug: "x"}, "/" + l.Venue + "/x/": {kind: oneVenue, slug: "x"},
			"/events/" + l.Category + "/x/": {kind: oneCategory, slug: "x", path: "x"},
		} {
			if got, ok := parse(path); (!ok || got != want) && l.Venue != l.Organizer {
				t.Errorf("%s: %+v, want %+v", path, got, want)
			}
		}
	}
}

func TestMethods(t *testing.T) {
	for _, c := range []struct{ method, path, allowed string }{
		{http.MethodPost, "/", "GET, HEAD"}, {http.MethodDelete, "/event/fete-au-parc/", "GET, HEAD, POST"},
		{http.MethodPut, "/venue/molenpark/", "GET, HEAD"}, {http.MethodPost, "/robots.txt", "GET, HEAD"},
		{http.MethodPost, "/sitemap.xml", "GET, HEAD"},
	} {
		page := send(t, newFake(), httptest.NewRequest(c.method, c.path, nil))
		if page.Code != http.StatusMethodNotAllowed || page.Header().Get("Allow") != c.allowed {
			t.Errorf("%s %s: %d, Allow: %s", c.method, c.path, page.Code, page.Header().Get("Allow"))
		}
	}
	if page := send(t, newFake(), httptest.NewRequest(http.MethodHead, "/", nil)); page.Code != 200 {
		t.Errorf("HEAD: %d", page.Code)
	}
}

// TestPagesHaveValidators checks that a page is not sent again to a visitor who has it.
func TestPagesHaveValidators(t *testing.T) {
	for _, target := range []string{"/", "/event/fete-au-parc/", "/embed/", "/assets/agenda.css", "/about/"} {
		first := visit(t, newFake(), target)
		tag := first.Header().Get("ETag")
		if first.Code != 200 || tag == "" || !strings.HasPrefix(target, "/assets/") && first.Header().Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %d %v", target, first.Code, first.Header())
		}
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("If-None-Match", tag)
		if again := send(t, newFake(), r); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s again: %d", target, again.Code)
		}
	}
	if missing := visit(t, newFake(), "/nothing/"); missing.Header().Get("ETag") != "" {
		t.Error("what is not found has a validator")
	}
}

func TestHeaders(t *testing.T) {
	for _, target := range []string{"/", "/nl/event/fete-au-parc/", "/fr/rien", "/event/besloten/"} {
		h := visit(t, newFake(), target).Header()
		csp := h.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") ||
			strings.Contains(strings.Replace(csp, "script-src 'self';", "", 1), "script-src") {
			t.Errorf("%s: policy %q", target, csp)
		}
		if h.Get("Content-Type") != "text/html; charset=utf-8" || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Content-Language") == "" {
			t.Errorf("%s: %v", target, h)
		}
	}
}

func TestStyleSheet(t *testing.T) {
	sheet := visit(t, newFake(), stylePath)
	expect(t, sheet, 200, "prefers-color-scheme: dark")
	if !strings.HasPrefix(sheet.Header().Get("Content-Type"), "text/css") {
		t.Error(sheet.Header())
	}
	lacks(t, sheet, "@import", "url(", "http")
}

func TestOtherNamespaceAndLanguages(t *testing.T) {
	var asked []string
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		_, _ = io.WriteString(w, strings.Replace(emptyList, "{", `{"categories":[],"tags":[],"venues":[],`, 1))
	})
	answer := httptest.NewRecorder()
	langs := []Language{{Tag: "de-AT", Prefix: "/de", Mount: "/de/api"}}
	newSite(fakeClient(api, langs, "town/cal/v2"), Options{Languages: langs, Title: "Stadt <1>"}).
		ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/de/", nil))
	expect(t, answer, 200, `<html lang="en">`, ">Filters<", "Stadt &lt;1&gt;")
	for _, path := range asked {
		if !strings.HasPrefix(path, "/de/api/town/cal/v2/") {
			t.Errorf("requested %s", path)
		}
	}
}

// TestKeptBodies checks that a page in memory takes no more than the size that is counted, although its buffer was larger.
func TestKeptBodies(t *testing.T) {
	const size = 100 << 10
	kept := &recorder{header: http.Header{}}
	deliver(kept, httptest.NewRequest(http.MethodGet, "/", nil), make([]byte, size, 2*size))
	if len(kept.body) != size || cap(kept.body) > size+size/4 {
		t.Errorf("%d bytes take %d", len(kept.body), cap(kept.body))
	}
}
