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

func TestEventPage(t *testing.T) {
	page := visit(t, newFake(), "/event/fete-au-parc/")
	expect(t, page, 200, `<title>La fête au parc &amp; ailleurs · Calendar</title>`,
		`<h1>La f&#234;te <em>au parc</em> &#038; ailleurs</h1>`, `Tuesday 1 December 2026</time>, 19:30 – 01:00`,
		`<dt>Where</dt>
<dd><a href="/venue/molenpark/">Molenpark – Parc</a>, Beekdreef 1, 1075 Elzenburg, Belgium</dd>`,
		`<dt>Price</dt><dd><bdi>&lt;5&gt; €5 – €15</bdi></dd>`,
		`<p>Venez <strong>tous</strong> &amp; chantez.</p>`, `Europe/Brussels (CET)`,
		`<a href="/venue/molenpark/">Molenpark – Parc</a><address>Beekdreef 1<br>`,
		`<dt>Organizers</dt>`, `<a href="/organizer/beekdal/">`,
		`mailto:gids@beekdal.example`,
		`&lt;5&gt; €5 – €15`, `<a href="https://fete.example/?a=1&amp;b=2" dir="ltr">https://fete.example/?a=1&amp;b=2</a>`,
		`<a href="/tag/food/">Food &amp; drink</a>`,
		`<img class="poster" src="/wp-content/uploads/demo/garden-1024x683.jpg" alt="" width="1024" height="683">`,
		`type="application/json" href="/wp-json/vendor/events/v1/events/28"`,
		`<a href="/fr/event/fete-au-parc/" lang="fr"`)
	lacks(t, page, "javascript:", "<script>")
	if got := unmarked("<p>One<br>two</p><p>three<BR/>four</p>"); got != "One two three four" {
		t.Errorf("lines become %q", got)
	}
	expect(t, visit(t, newFake(), "/fr/event/fete-au-parc/"), 200, "mardi 1er décembre 2026</time>, 19h30 – 01h00", "Organisateurs",
		`href="/fr/lieu/molenpark/"`,
		`href="/fr/wp-json/vendor/events/v1/events/28"`)
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

func TestMissingPages(t *testing.T) {
	for target, text := range map[string]string{
		"/event/nowhere/": "This page does not exist", "/nl/event/nergens/": "Deze pagina bestaat niet",
		"/fr/event/nulle-part": "Cette page n’existe pas",
		"/event/prive/":        "does not exist", "/venue/nowhere/": "does not exist", "/nl/organisator/niemand/": "bestaat niet",
		"/fr/events/categorie/rien/": "existe pas", "/tag/none/": "does not exist", "/nothing": "does not exist",
		"/a//b/":         "does not exist",
		"/nl/event/a/b/": "bestaat niet", "/events/rock/": "does not exist", "/nlx/": "does not exist", "//evil.example": "does not exist",
	} {
		page := visit(t, newFake(), target)
		if page.Code == http.StatusMovedPermanently {
			page = visit(t, newFake(), page.Header().Get("Location"))
		}
		if page.Code != 404 || !strings.Contains(page.Body.String(), text) {
			t.Errorf("%s: %d, lacks %q", target, page.Code, text)
		}
	}
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

func TestRedirects(t *testing.T) {
	for target, want := range map[string]string{
		"/nl":                              "/nl/",
		"/event/fete-au-parc":              "/event/fete-au-parc/",
		"/fr/lieu/molenpark?month=2026-12": "/fr/lieu/molenpark/?month=2026-12",
		"/fr/venue/molenpark":              "/fr/lieu/molenpark/",
		"/veranstaltungsort/molenpark":     "/venue/molenpark/",
		"/nl/veranstalter/beekdal":         "/nl/organisator/beekdal/",
		"/%E4%BC%9A%E5%A0%B4/molenpark":    "/venue/molenpark/",
		"/events/kategorie/rock":           "/events/category/rock/",
		"/organizator/beekdal":             "/organizer/beekdal/",
		"/events/tag/2026-11-22/":          "/?day=2026-11-22",
		"/events/%E6%9C%88/2026-12/":       "/?month=2026-12",
		"/events/":                         "/",
		"/nl/events":                       "/nl/",
		"/?tribe_events=fete-au-parc":      "/event/fete-au-parc/",
		"/fr/?tribe_venue=a/b":             "/fr/lieu/a%2Fb/",
		"/events/list/":                    "/?view=list",
		"/fr/events/liste":                 "/fr/?view=list",
		"/events/month/":                   "/",
		"/nl/events/maand/2026-12/?q=a":    "/nl/?month=2026-12&q=a",
		"/events/2026-11/":                 "/?month=2026-11",
		"/nl/events/2026-11-22":            "/nl/?day=2026-11-22",
		"/events/day/2026-11-22/":          "/?day=2026-11-22",
	} {
		page := visit(t, newFake(), target)
		if page.Code != http.StatusMovedPermanently || page.Header().Get("Location") != want {
			t.Errorf("%s: %d to %s, want %s", target, page.Code, page.Header().Get("Location"), want)
		}
	}
}

// TestTodayMoves checks that the redirect for "today" is temporary, since its target changes.
func TestTodayMoves(t *testing.T) {
	page := visit(t, newFake(), "/nl/events/vandaag/?venue=molenpark")
	if to := page.Header().Get("Location"); page.Code != http.StatusFound || to != "/nl/?day=2026-11-21&venue=molenpark" {
		t.Errorf("%d to %s", page.Code, to)
	}
}

func TestUnknownArchives(t *testing.T) {
	for _, path := range []string{
		"2026-13", "2026-1", "2026-02-30", "month/2026-11-22", "day/2026-11", "list/2026-11", "today/2026-11-22", "list/page/2",
		"week", "x/y",
		"2026-11/list", "category",
	} {
		expect(t, visit(t, newFake(), "/nl/events/"+path+"/"), 404, `<a href="/nl/">Terug naar de agenda`)
	}
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
	for _, c := range []struct{ method, path string }{
		{http.MethodPost, "/"}, {http.MethodDelete, "/event/fete-au-parc/"}, {http.MethodPut, "/venue/molenpark/"},
	} {
		page := send(t, newFake(), httptest.NewRequest(c.method, c.path, nil))
		if page.Code != http.StatusMethodNotAllowed || page.Header().Get("Allow") == "" {
			t.Errorf("%s %s: %d", c.method, c.path, page.Code)
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
