package pages

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// TestFramedPages checks that the pages below /embed/, which other sites frame, are the same for all visitors, and are
// the only ones that may be framed.
func TestFramedPages(t *testing.T) {
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
