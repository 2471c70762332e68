package pages

import (
	"context"
	"html/template"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/internal/test/must"
)

// open returns a page of a site with the given options.
func open(t *testing.T, target string, o Options, languages ...Language) *httptest.ResponseRecorder {
	t.Helper()
	answer := httptest.NewRecorder()
	fakeSite(newFake(), languages, o).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, target, nil))
	return answer
}

type nameKey struct{}

// TestPagesOfAHost checks that the host's HTML is on each page, and that its functions receive the context of the
// request.
func TestPagesOfAHost(t *testing.T) {
	fixed := func(html template.HTML) func(context.Context) template.HTML {
		return func(context.Context) template.HTML { return html }
	}
	o := Options{
		Head: fixed(`<meta name="host" content="1">`), Footer: fixed("<footer>Of the host</footer>"),
		Stylesheet: "https://cdn.example/site.css",
		Sources:    []string{"https://cdn.example", SourceSelf},
		Header: func(ctx context.Context) template.HTML {
			name, _ := ctx.Value(nameKey{}).(string)
			return template.HTML("<header>For " + template.HTMLEscapeString(name) + "</header>")
		},
	}
	site := fakeSite(newFake(), nil, o)
	for _, target := range []string{"/", "/event/fete-au-parc/", "/about/", "/nothing/"} {
		answer := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, target, nil)
		site.ServeHTTP(answer, r.WithContext(context.WithValue(r.Context(), nameKey{}, "Ann")))
		expect(t, answer, answer.Code, `<meta name="host" content="1">`, "<header>For Ann</header>", "<footer>Of the host</footer>",
			`<link rel="stylesheet" href="https://cdn.example/site.css">`)
		lacks(t, answer, `class="brand"`, `class="bottom"`)
		policy := answer.Header().Get("Content-Security-Policy")
		for _, kind := range []string{"script", "style", "font"} {
			if !strings.Contains(policy, kind+"-src 'self' https://cdn.example;") {
				t.Errorf("%s: %ss: %q", target, kind, policy)
			}
		}
	}
	expect(t, open(t, "/", Options{Logo: "/logo.svg"}), 200,
		`<a class="brand logo" href="/"><img src="/logo.svg" alt="" height="40"> Calendar</a>`)
	expect(t, open(t, "/embed/", o), 200, `href="https://cdn.example/site.css"`)
	lacks(t, open(t, "/embed/", o), "Of the host")
}

// TestSourcesAreChecked checks that Register rejects addresses that the policy would block.
func TestSourcesAreChecked(t *testing.T) {
	for _, c := range []struct {
		o     Options
		named string // what the error contains; "" for no error
	}{
		{Options{Sources: []string{"https://cdn.example", SourceSelf}, Logo: "https://cdn.example/logo.svg"}, ""},
		{Options{Stylesheet: "/site.css", Logo: "/logo.svg"}, ""},
		{Options{Origin: "https://town.example/x", Logo: "https://town.example/logo.svg"}, ""},
		{Options{Logo: "https://cdn.example/logo.svg"}, "https://cdn.example"},
		{Options{Stylesheet: "https://cdn.example/site.css", Sources: []string{"http://cdn.example"}}, "https://cdn.example"},
		{Options{Stylesheet: "site.css"}, "Stylesheet"}, {Options{Sources: []string{"cdn.example"}}, "Sources"},
		{Options{Sources: []string{"https://cdn.example/path"}}, "Sources"},
		{Options{Sources: []string{"https://cdn.example; frame-src *"}}, "Sources"},
		{Options{Sources: []string{"'unsafe-inline'"}}, "Sources"},
	} {
		site := fakeSite(newFake(), nil, c.o).(*Site)
		err := site.Register(gin.New())
		if (err == nil) != (c.named == "") || err != nil && !strings.Contains(err.Error(), c.named) {
			t.Errorf("%+v: %v", c.o, err)
		}
		if err != nil && strings.Contains(site.policy.header("event.html", false), "cdn.example") {
			t.Errorf("the policy is %s", site.policy.header("event.html", false))
		}
	}
}

// TestRobotsOfTheHost checks that pages can be mounted below a path and in a group, and leave robots.txt to a host that
// has one.
func TestRobotsOfTheHost(t *testing.T) {
	site := func() *Site {
		return fakeSite(newFake(), []Language{{Tag: "en", Prefix: "/agenda", Mount: "/wp-json"}},
			Options{Origin: "https://town.example"}).(*Site)
	}
	engine := gin.New()
	engine.GET("/robots.txt", func(g *gin.Context) { g.String(http.StatusOK, "the host's") })
	grouped := gin.New()
	for _, err := range []error{site().Register(engine), site().Register(grouped.Group("/agenda"))} {
		must.Succeed(t, err)
	}
	for path, want := range map[string]string{"/robots.txt": "the host's", "/agenda/assets/icon.svg": "<svg"} {
		answer := httptest.NewRecorder()
		engine.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		expect(t, answer, 200, want)
	}
	answer := httptest.NewRecorder()
	grouped.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/agenda/", nil))
	expect(t, answer, 200, `<link rel="canonical" href="https://town.example/agenda/">`)
	answer = httptest.NewRecorder()
	grouped.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/robots.txt", nil))
	expect(t, answer, 404)
}

// TestProgramsFindTheAPI checks that programs with the address of a page find the API: in WordPress's way, and also in
// that of The Events Calendar if the namespace is the plugin's.
func TestProgramsFindTheAPI(t *testing.T) {
	languages := []Language{{Tag: "en", Mount: "/wp-json", Root: "https://town.example/wp-json/"}}
	page := open(t, "/", Options{}, languages...)
	expect(t, page, 200, `<link rel="https://api.w.org/" href="https://town.example/wp-json/">`,
		`<link rel="alternate" type="application/json" href="https://town.example/wp-json/vendor/events/v1/">`)
	lacks(t, page, "tec-api")
	if h := page.Header(); h.Get("Link") != `<https://town.example/wp-json/>; rel="https://api.w.org/"` || h.Get("X-TEC-API-ROOT") != "" {
		t.Errorf("%v", h)
	}
	answer := httptest.NewRecorder()
	newSite(fakeClient(newFake(), languages, eventsNamespace), Options{Languages: languages, Origin: "https://town.example"}).
		ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/nothing/", nil))
	expect(t, answer, 404, `<meta name="tec-api-version" content="v1">`, `<meta name="tec-api-origin" content="https://town.example">`)
	for name, want := range map[string]string{
		"X-TEC-API-VERSION": "v1", "X-TEC-API-ROOT": "https://town.example/wp-json/tribe/events/v1/",
		"X-TEC-API-ORIGIN": "https://town.example",
	} {
		if got := answer.Header().Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	lacks(t, open(t, "/", Options{}), "api.w.org")
}

// TestScriptsOfEditors checks that on the pages of visitors who signed in, the sources of the host permit no scripts
// but everything else.
func TestScriptsOfEditors(t *testing.T) {
	p := policy{sources: []string{"https://cdn.example", SourceSelf}, ancestors: "*"}
	all := p.header(eventTemplate, false)
	want := strings.Replace(all, "script-src 'self' https://cdn.example;", "script-src 'self';", 1)
	if got := p.ofEditor(eventTemplate); got != want || got == all {
		t.Errorf("%s", got)
	}
}

// TestLanguagesOnHosts checks that two languages with the same prefix are an error at startup that names both.
func TestLanguagesOnHosts(t *testing.T) {
	langs := []Language{{Tag: "en", Mount: "/wp-json"}, {Tag: "nl", Prefix: "/", Mount: "/nl/wp-json"}}
	err := fakeSite(newFake(), langs, Options{}).(*Site).Register(gin.New())
	if err == nil || !strings.Contains(err.Error(), "en and nl have the same prefix") {
		t.Errorf("%v", err)
	}
	langs[1].Prefix = "/nl"
	must.Succeed(t, fakeSite(newFake(), langs, Options{}).(*Site).Register(gin.New()))
}
