package pages

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// TestFramedPages checks that the pages below /embed/, which other sites frame, have no header and footer, are the same
// for all visitors, and are the only ones that may be framed.
func TestFramedPages(t *testing.T) {
	api := newLongFake()
	page := visit(t, api, "/nl/embed/?view=list&category=rock&limit=5&page=2")
	expect(t, page, 200, `<base target="_blank">`, `<meta name="googlebot" content="noindex, indexifembedded">`,
		`<h1>Wat er te doen is</h1>`,
		`href="/nl/embed/?category=rock&amp;limit=5&amp;page=3&amp;view=list" target="_self"`,
		`<a href="/nl/?category=rock&amp;view=list">De hele agenda</a>`, `<h3><a href="/nl/event/fete-au-parc/">`)
	lacks(t, page, "<header", "<footer", "<form", "<nav class=\"views\"", "<script")
	if got, want := api.questions(t, 1)[0], "categories=3&ends_after=2026-11-20&page=2&per_page=5"; got != want {
		t.Errorf("requested %s, want %s", got, want)
	}
	month := visit(t, newFake(), "/embed/?category=rock")
	expect(t, month, 200, `<time datetime="2026-11">November 2026</time></h1>`,
		`href="/embed/?category=rock&amp;month=2026-12" target="_self"`,
		`<a class="date" href="/?category=rock&amp;day=2026-11-21" rel="nofollow" aria-current="date">`)
	for target, framed := range map[string]bool{
		"/embed/": true, "/nl/embed/?view=list": true, "/embed/?view=week": true,
		"/embed/new/": false, "/": false, "/event/fete-au-parc/": false,
	} {
		anonymous := visit(t, newFake(), target)
		if got := strings.HasSuffix(anonymous.Header().Get("Content-Security-Policy"), "frame-ancestors *"); got != framed {
			t.Errorf("%s may be framed: %t", target, got)
		}
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Cookie", "wordpress_logged_in_x=admin")
		known := send(t, newFake(), r)
		if known.Body.String() != anonymous.Body.String() || len(known.Header().Values("Set-Cookie")) > 0 {
			t.Errorf("%s depends on cookies", target)
		}
	}
	for _, query := range []string{
		"limit=0", "limit=51", "limit=x", "limit=5&limit=6", "day=2026-11-21", "page=2", "category=nowhere", "month=1999-01",
	} {
		expect(t, visit(t, newFake(), "/embed/?"+query), 404, `<base target="_blank">`, "This page does not exist")
	}
}

// TestFrameAncestors checks that only the sites in Options.FrameAncestors may frame these pages. An invalid origin is
// an error at startup, and no site may frame them then.
func TestFrameAncestors(t *testing.T) {
	for _, c := range []struct {
		origins []string
		policy  string
		valid   bool
	}{
		{nil, "*", true}, {[]string{FrameNone}, "'none'", true},
		{[]string{"https://town.example", "http://127.0.0.1:8080"}, "'self' https://town.example http://127.0.0.1:8080", true},
		{[]string{"town.example"}, "'none'", false}, {[]string{"https://town.example/"}, "'none'", false},
		{[]string{"https://town.example; script-src *"}, "'none'", false}, {[]string{"https://*"}, "'none'", false},
		{[]string{FrameNone, "https://town.example"}, "'none'", false}, {[]string{"https://me@town.example"}, "'none'", false},
	} {
		site := fakeSite(newFake(), nil, Options{FrameAncestors: c.origins}).(*Site)
		if err := site.Register(gin.New()); (err == nil) != c.valid {
			t.Errorf("%q: %v", c.origins, err)
		}
		for path, want := range map[string]string{"/embed/": c.policy, "/": "'none'"} {
			answer := httptest.NewRecorder()
			site.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
			if _, got, _ := strings.Cut(answer.Header().Get("Content-Security-Policy"), "frame-ancestors "); got != want {
				t.Errorf("%q: %s may be framed by %s, want %s", c.origins, path, got, want)
			}
		}
	}
	none := Options{FrameAncestors: []string{FrameNone}}
	lacks(t, open(t, "/embed/new/", none), `name="way"`)
	expect(t, open(t, "/embed/new/?way=frame", none), 404)
}

// TestBuilder checks that the builder shows a preview and the HTML of what a visitor chose, and that input is escaped.
func TestBuilder(t *testing.T) {
	api := newFake()
	typed := url.QueryEscape(`"><script>alert(1)</script>`)
	page := visit(t, api, "/nl/embed/new/?view=month&category=rock&limit=&way=script&q="+typed)
	expect(t, page, 200, `<option value="rock" selected>`, `name="view" value="month" checked`,
		`<script async src="/assets/embed-1.js"></script>`+"\n"+
			`<agenda-events src="/nl/" category="rock" q="&#34;&gt;&lt;script&gt;alert(1)`+
			`&lt;/script&gt;" view="month"><a href="/nl/?category=rock&amp;q=`,
		`&lt;script async src=&#34;http://demo.example/assets/embed-1.js&#34;&gt;`,
		`&lt;agenda-events src=&#34;http://demo.example/nl/&#34; category=&#34;rock&#34;`)
	lacks(t, page, "<script>alert")
	framed := visit(t, api, "/embed/new/?way=frame&limit=10&free=1")
	expect(t, framed, 200, `name="view" value="list" checked`, `<option value="10" selected>`,
		`<iframe src="/embed/?free=1&amp;limit=10&amp;view=list" title="Calendar"`,
		`&lt;iframe src=&#34;http://demo.example/embed/?free=1&amp;amp;limit=10&amp;amp;view=list&#34;`)
	for _, query := range []string{"way=x", "way=frame&way=script", "view=week", "limit=99", "category=nowhere", "page=2",
		"month=2026-12"} {
		expect(t, visit(t, newFake(), "/embed/new/?"+query), 404)
	}
	expect(t, visit(t, newFake(), "/over/"), 200, `href="/embed/new/"`)
}

// TestScript checks that the script for other sites is small, and that every page may load it, including cross-origin
// isolated ones.
func TestScript(t *testing.T) {
	answer := visit(t, newFake(), "/assets/embed-1.js")
	expect(t, answer, 200, "customElements.define('agenda-events'")
	lacks(t, answer, "innerHTML", "insertAdjacentHTML", "eval(")
	for name, want := range map[string]string{
		"Content-Type": "text/javascript; charset=utf-8", "Access-Control-Allow-Origin": "*",
		"Cross-Origin-Resource-Policy": "cross-origin",
		"Cache-Control":                "public, max-age=3600",
	} {
		if got := answer.Header().Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	_, _ = w.Write(answer.Body.Bytes())
	_ = w.Close()
	if small.Len() > 10_000 {
		t.Errorf("%d bytes", small.Len())
	}
}
