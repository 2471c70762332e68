package calendar_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestPaths checks that gin engines with the default settings and with others, and the handler without gin, serve the
// same paths and answer the same ones as unknown.
func TestPaths(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	for name, set := range map[string]func(*gin.Engine){
		"as it comes":      func(*gin.Engine) {},
		"raw paths":        func(e *gin.Engine) { e.UseRawPath, e.UnescapePathValues = true, false },
		"escaped paths":    func(e *gin.Engine) { e.UseEscapedPath = true },
		"without redirect": func(e *gin.Engine) { e.RedirectTrailingSlash = false },
		"without gin":      nil,
	} {
		t.Run(name, func(t *testing.T) {
			c := made(t, calendar.Options{DB: db, Namespace: namespace})
			h := c.Handler()
			if set != nil {
				engine := gin.New()
				set(engine)
				must.Succeed(t, c.Register(engine))
				engine.NoRoute(c.NoRoute)
				h = engine
			}
			golden.Each(t, "paths.txt", func(path string, id int64) {
				w := get(h, path)
				if strings.HasSuffix(path, "//") && w.Code == http.StatusMovedPermanently {
					w = get(h, w.Header().Get("Location")) // gin redirects paths with two slashes at their end
				}
				if id == 0 {
					wantNoRoute(t, h, path)
				} else if a := decodeAny(w); w.Code != http.StatusOK || a.ID != id {
					t.Errorf("%s: %d %.200s, want item %d", path, w.Code, w.Body, id)
				}
			})
			for _, address := range []string{
				contract.Site + "/wp-json/TRIBE/Events/V1/events/25", contract.Site + "//wp-json/" + namespace + "/events/25",
				contract.Site + "///wp-json/" + namespace + "/EVENTS/25",
			} {
				if w := get(h, address); w.Code != http.StatusOK || decodeAny(w).ID != 25 {
					t.Errorf("%s: %d %.200s", address, w.Code, w.Body)
				}
			}
		})
	}
}

// TestForeignPaths checks that the host answers paths outside the namespace, whether it uses the calendar's NoRoute or
// not.
func TestForeignPaths(t *testing.T) {
	engine := gin.New()
	c := must.Get(calendar.New(context.Background(), calendar.Options{DB: testdb.SiteA(t), Namespace: namespace, Logger: quiet()}))(t)
	must.Succeed(t, c.Register(engine))
	own := func(g *gin.Context) { g.String(http.StatusTeapot, "the host's") }
	engine.NoRoute(own)
	for _, path := range []string{"/nothing", "/EVENTS", "/events/25/x"} {
		wantStatus(t, get(engine, path), http.StatusTeapot, path)
	}
	wantNoRoute(t, engine, "/events/abc")
	wantNoRoute(t, engine, "/events/by-slug/a/b")

	engine.NoRoute(c.NoRoute, own)
	for _, address := range []string{
		"/", "/wp-json", "/wp-json/", "/wp-json/wp/v2/posts", "/wp-json/tribe/events", "/wp-json/tribe/events/v12",
		"/wp-json/tribe/events/v1x/events",
		"/WP-JSON/tribe/events/v1/events", "/fr/wp-json/tribe/events/v1/events", "/x/wp-json/tribe/events/v1",
		"/wp-json//tribe/events/v1/events",
		"/tribe/events/v1/events", "/?rest_route=/tribe/events/v1/events",
	} {
		if w := get(engine, contract.Site+address); w.Code != http.StatusTeapot || w.Body.String() != "the host's" {
			t.Errorf("with NoRoute, %s: %d %.100s", address, w.Code, w.Body)
		}
	}
	for _, address := range []string{"/wp-json/tribe%2Fevents/v1/events", "/wp-json%2Ftribe/events/v1/events",
		"/wp-json/tribe/events/v1%2Fevents/25"} {
		if w := get(engine, contract.Site+address); w.Code != http.StatusNotFound && w.Code != http.StatusTeapot {
			t.Errorf("%s: %d %.100s", address, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/nothing", "/events%2F25", "/events/abc"} {
		if w := wantNoRoute(t, engine, path); strings.Contains(w.Body.String(), "the host's") {
			t.Errorf("%s: the host answered too", path)
		}
	}

	engine = gin.New()
	c = made(t, calendar.Options{DB: testdb.SiteA(t), Namespace: namespace, PlainPermalinks: true, ServeRoot: true})
	must.Succeed(t, c.Register(engine))
	engine.NoRoute(c.NoRoute, own)
	for address, status := range map[string]int{
		"/": http.StatusTeapot, "/?rest_route=": http.StatusTeapot, "/?rest_route[]=/x": http.StatusTeapot,
		"/elsewhere?rest_route=/tribe/events/v1/events": http.StatusTeapot, "?rest_route=/tribe/events/v1/events/25": http.StatusOK,
	} {
		wantStatus(t, get(engine, contract.Site+address), status, address)
	}
}
