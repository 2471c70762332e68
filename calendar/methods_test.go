package calendar_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// route is a route of the API with an example of its paths.
type route struct {
	template string // template of the router, below the namespace
	pattern  string // pattern in the index, below the namespace
	path     string
	list     bool
}

var routes = []route{
	{"", "", "", false},
	{"/doc", "/doc", "/doc", false},
	{"/events", "/events", "/events", true},
	{"/events/:id", `/events/(?P<id>\d+)`, "/events/" + eventID, false},
	{"/events/by-slug/*slug", `/events/by-slug/(?P<slug>[^/]+)`, "/events/by-slug/" + eventSlug, false},
	{"/venues", "/venues", "/venues", true},
	{"/venues/:id", `/venues/(?P<id>\d+)`, "/venues/" + venueID, false},
	{"/venues/by-slug/*slug", `/venues/by-slug/(?P<slug>[^/]+)`, "/venues/by-slug/" + venueSlug, false},
	{"/organizers", "/organizers", "/organizers", true},
	{"/organizers/:id", `/organizers/(?P<id>\d+)`, "/organizers/" + organizerID, false},
	{"/organizers/by-slug/*slug", `/organizers/by-slug/(?P<slug>[^/]+)`, "/organizers/by-slug/" + organizerSlug, false},
	{"/categories", "/categories", "/categories", true},
	{"/categories/:id", `/categories/(?P<id>\d+)`, "/categories/" + categoryID, false},
	{"/tags", "/tags", "/tags", true},
	{"/tags/:id", `/tags/(?P<id>\d+)`, "/tags/" + tagID, false},
}

// offered is the value of Allow for anonymous callers.
const offered = "GET"

// written returns the methods of a route that change something.
func (r route) written() []string {
	switch {
	case r.path == "" || r.path == "/doc":
		return nil
	case r.list:
		return []string{http.MethodPost}
	}
	return []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
}

// TestEveryRouteAndMethod checks that every path exists with and without a slash at its end, and that a method which it
// does not have is answered with 404, like an unknown route.
func TestEveryRouteAndMethod(t *testing.T) {
	c, h := contract.Mount(t, calendar.Options{DB: testdb.SiteA(t), Now: frozen})
	t.Run("gin", func(t *testing.T) { everyRouteAndMethod(t, h) })
	t.Run("net-http", func(t *testing.T) { everyRouteAndMethod(t, c.Handler()) })
}

func everyRouteAndMethod(t *testing.T, h http.Handler) {
	index := map[string]json.RawMessage{}
	parse(t, get(h, "").Body.String(), &struct{ Routes *map[string]json.RawMessage }{&index})
	maps.DeleteFunc(index, func(path string, _ json.RawMessage) bool {
		return contract.NewRoute(strings.TrimPrefix(path, "/"+namespace))
	})
	if len(index) != len(routes) {
		t.Errorf("the index has %d routes, want %d", len(index), len(routes))
	}
	for _, r := range routes {
		for _, slash := range []string{"", "/"} {
			t.Run(r.path+slash, func(t *testing.T) {
				w := get(h, r.path+slash)
				if w.Code != http.StatusOK || w.Header().Get("Allow") != offered {
					t.Fatalf("GET: %d, Allow %q: %.200s", w.Code, w.Header().Get("Allow"), w.Body)
				}
				if total := w.Header().Get("X-TEC-Total") != "" && w.Header().Get("X-TEC-TotalPages") != ""; total != r.list {
					t.Errorf("totals in the headers: %v", total)
				}
				head := send(h, http.MethodHead, r.path+slash, "")
				if head.Body.Len() != 0 {
					t.Errorf("HEAD has a body: %.100s", head.Body)
				}
				if head.Code != http.StatusOK || !slices.Equal(lines(head.Header()), lines(w.Header())) {
					t.Errorf("HEAD: %d\n%v, GET has\n%v", head.Code, lines(head.Header()), lines(w.Header()))
				}
				options := send(h, http.MethodOptions, r.path+slash, "")
				if options.Code != http.StatusOK || options.Header().Get("Allow") != offered {
					t.Errorf("OPTIONS: %d, Allow %q", options.Code, options.Header().Get("Allow"))
				}
				if entry := string(index["/"+namespace+r.pattern]); options.Body.String() != entry {
					t.Errorf("OPTIONS: %.300s, the index has %.300s", options.Body, entry)
				}
				for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "LOCK"} {
					w := send(h, method, r.path+slash, "")
					if slices.Contains(r.written(), method) {
						wantRefused(t, w)
						continue
					}
					wantError(t, w, http.StatusNotFound, "rest_no_route")
					if w.Header().Get("Allow") != "" {
						t.Errorf("%s: Allow %q", method, w.Header().Get("Allow"))
					}
				}
			})
		}
	}
}

// wantRefused checks that the answer rejects a write of an anonymous caller, either with 401 or because parameters are
// missing.
func wantRefused(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if body := w.Body.String(); w.Header().Get("Allow") != offered ||
		!(w.Code == http.StatusUnauthorized && strings.Contains(body, `"rest_forbidden"`) ||
			w.Code == http.StatusBadRequest && strings.Contains(body, `"rest_missing_callback_param"`)) {
		t.Errorf("%d, Allow %q: %.200s", w.Code, w.Header().Get("Allow"), body)
	}
}

// TestPathTemplates checks that a host can label its metrics with the path templates of gin, and that the router has
// exactly the methods of each route.
func TestPathTemplates(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	seen := map[string]bool{}
	engine.Use(func(g *gin.Context) { seen[g.FullPath()] = true })
	mounted(t, engine, calendar.Options{DB: testdb.SiteA(t), Namespace: namespace})
	want := map[string]bool{}
	for _, r := range routes {
		for _, path := range []string{r.path, r.path + "/", strings.Replace(r.path, eventID, "26", 1)} {
			template := "/wp-json/" + namespace + r.template
			if strings.HasSuffix(path, "/") && !strings.Contains(template, "*") {
				template += "/"
			}
			want[template] = true
			wantStatus(t, get(engine, path), http.StatusOK, path)
			if !seen[template] {
				t.Errorf("%s was not seen as %s", path, template)
			}
		}
	}
	if len(seen) != len(want) {
		t.Errorf("%d templates, want %d: %v", len(seen), len(want), seen)
	}
	methods := map[string][]string{}
	for _, r := range engine.Routes() {
		methods[r.Path] = append(methods[r.Path], r.Method)
	}
	for _, r := range routes {
		has := slices.Sorted(slices.Values(append(r.written(), http.MethodGet, http.MethodHead, http.MethodOptions)))
		for _, slash := range []string{"", "/"} {
			template := "/wp-json/" + namespace + r.template + slash
			if got := slices.Sorted(slices.Values(methods[template])); want[template] && !slices.Equal(got, has) {
				t.Errorf("%s is mounted for %v, it has %v", template, got, has)
			}
			delete(methods, template)
		}
	}
	maps.DeleteFunc(methods, func(path string, _ []string) bool {
		path = strings.TrimSuffix(strings.TrimPrefix(path, "/wp-json/"+namespace), "/")
		// The recorded index lacks these routes.
		return contract.NewRoute(path) || path == "/events/ics" || path == "/events/:id/ics"
	})
	if len(methods) > 0 {
		t.Errorf("mounted, and no routes of the API: %v", methods)
	}
}

// TestOtherMethods checks that gin answers requests whose method a path does not have, and that the calendar does if
// the host uses its NoRoute for them.
func TestOtherMethods(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	c := made(t, calendar.Options{DB: testdb.SiteA(t), Namespace: namespace})
	bare, full := gin.New(), gin.New()
	full.HandleMethodNotAllowed = true
	full.NoMethod(c.NoRoute)
	full.NoRoute(c.NoRoute)
	for _, engine := range []*gin.Engine{bare, full} {
		must.Succeed(t, c.Register(engine))
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"} {
		if w := send(bare, method, "/doc", ""); w.Code != http.StatusNotFound || w.Body.String() != "404 page not found" {
			t.Errorf("%s without NoRoute: %d %.200s", method, w.Code, w.Body)
		}
		w := send(full, method, "/doc", "")
		if wantError(t, w, http.StatusNotFound, "rest_no_route"); w.Header().Get("Allow") != "" {
			t.Errorf("%s with NoMethod: Allow %q", method, w.Header().Get("Allow"))
		}
	}
	overridden := header{"X-HTTP-Method-Override", "GET"}
	if w := send(full, http.MethodPost, "/doc", "", overridden); w.Code != http.StatusOK || w.Header().Get("Allow") != offered {
		t.Errorf("POST that means GET: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}
