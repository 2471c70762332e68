package calendar_test

import (
	"context"
	"maps"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestMountPaths(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	db := testdb.SiteA(t)
	golden.Each(t, "mounts.txt", func(name, group, base, mount, at string) {
		t.Run(name, func(t *testing.T) {
			engine := gin.New()
			var router gin.IRouter = engine
			if group != "" {
				sub := engine.Group(group)
				sub.Use(func(g *gin.Context) { g.Header("X-Group", "seen") })
				router = sub
			}
			opts := calendar.Options{DB: db, Languages: []calendar.Language{{Tag: "en", BaseURL: base, Mount: mount}}}
			engine.NoRoute(mounted(t, router, opts).NoRoute)
			ns := "http://example.org" + at + "/vendor/events/v1"
			for path, want := range map[string]string{
				"": "", "/": "", "/events/25": "", "/events/25/": "", "/events/by-slug/" + eventSlug: "",
				"/EVENTS/25": "", "/nothing/here": "rest_no_route", "/events%2F25": "rest_no_route",
			} {
				w := get(engine, ns+path)
				if a := decodeAny(w); a.Code != want || (want == "") != (w.Code == http.StatusOK) {
					t.Errorf("%s: %d %.200s", ns+path, w.Code, w.Body)
				}
			}
			w := get(engine, ns+"/events/25")
			address := strings.ReplaceAll(strings.TrimRight(base, "/"), "/", `\/`)
			if !strings.Contains(w.Body.String(), `"rest_url":"`+address+`\/vendor\/events\/v1\/events\/25"`) {
				t.Errorf("rest_url is not under %s: %.900s", base, w.Body)
			}
			if seen := w.Header().Get("X-Group") != ""; seen != (group != "") {
				t.Errorf("by the middleware of the group: %v", seen)
			}
		})
	})
}

func TestLanguagesWithOneMount(t *testing.T) {
	db := testdb.SiteA(t)
	for name, languages := range map[string][]calendar.Language{
		"by address": {{Tag: "en", BaseURL: "https://example.org/wp-json"}, {Tag: "nl", BaseURL: "https://example.net/wp-json/"}},
		"by mount": {{Tag: "en", BaseURL: "https://example.org/wp-json"},
			{Tag: "nl", BaseURL: "https://example.org/nl", Mount: "wp-json"}},
	} {
		_, err := calendar.New(t.Context(), calendar.Options{DB: db, Languages: languages})
		if err == nil || err.Error() != `calendar: options: languages "en" and "nl" are both mounted at "/wp-json"` {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Only one of the addresses begins with the path of the group, below which both languages have the same path.
	router := gin.New()
	err := made(t, calendar.Options{DB: db, Languages: []calendar.Language{
		{Tag: "en", BaseURL: "https://example.org/api/wp-json"}, {Tag: "nl", BaseURL: "https://example.org/wp-json"},
	}}).Register(router.Group("/api"))
	if err == nil || err.Error() != `calendar: languages "en" and "nl" are both mounted at "/api/wp-json"` || len(router.Routes()) != 0 {
		t.Errorf("in a group: %v, %d routes were mounted", err, len(router.Routes()))
	}
}

func TestCollidingRoutes(t *testing.T) {
	db := testdb.SiteA(t)
	host := func(*gin.Context) {}
	for name, path := range map[string]string{
		"catch-all above": "/wp-json/*rest", "same route": "/wp-json/vendor/events/v1/events",
		"other variable": "/wp-json/vendor/events/v1/events/:event",
	} {
		router := gin.New()
		router.GET(path, host)
		err := made(t, calendar.Options{DB: db}).Register(router)
		if err == nil || !strings.HasPrefix(err.Error(), "calendar: ") || !strings.Contains(err.Error(), "/wp-json/") {
			t.Errorf("%s: %v", name, err)
		}
	}
	router := gin.New()
	mounted(t, router, calendar.Options{DB: db})
	if err := made(t, calendar.Options{DB: db}).Register(router); err == nil {
		t.Error("mounted twice on the same paths")
	}
}

func TestTwoSitesInOneEngine(t *testing.T) {
	db := testdb.SiteA(t)
	others := testdb.OfOthers(t, db)
	for _, table := range []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "termmeta", "users", "usermeta",
		"options", "tec_events", "tec_occurrences"} {
		exec(t, others, "CREATE TABLE blog7_"+table+" LIKE wp_"+table)
		exec(t, others, "INSERT INTO blog7_"+table+" SELECT * FROM wp_"+table)
	}
	exec(t, db, "UPDATE blog7_posts SET post_title = 'The other site' WHERE ID = 25")
	exec(t, db, "UPDATE blog7_options SET option_value = 'http://other.test' WHERE option_name = 'home'")
	engine := gin.New()
	mounted(t, engine, calendar.Options{DB: db})
	other := mounted(t, engine, calendar.Options{DB: db, Site: calendar.Site{Prefix: "blog7_"},
		Languages: []calendar.Language{{Tag: "en", BaseURL: "http://other.test/blog7/wp-json"}}})
	one, two := get(engine, "http://site.test/wp-json/vendor/events/v1/events/25"),
		get(engine, "http://other.test/blog7/wp-json/vendor/events/v1/events/25")
	if !strings.Contains(one.Body.String(), `"title":"Blues`) || !strings.Contains(one.Body.String(), `http:\/\/site.test\/event\/`) {
		t.Errorf("first site: %.900s", one.Body)
	}
	if !strings.Contains(two.Body.String(), `"title":"The other site"`) ||
		!strings.Contains(two.Body.String(), `http:\/\/other.test\/event\/`) {
		t.Errorf("second site: %.900s", two.Body)
	}
	if s := other.Stats(); s.Requests != 1 || s.InFlight != 0 || s.Failures != 0 {
		t.Errorf("the second site counts %+v", s)
	}
}

// TestEngineUntouched checks that mounting adds routes to an engine and changes nothing else of it.
func TestEngineUntouched(t *testing.T) {
	c := made(t, calendar.Options{DB: testdb.SiteA(t)})
	engine := gin.New()
	before := settingsOf(engine)
	must.Succeed(t, c.Register(engine))
	after := settingsOf(engine)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if !reflect.DeepEqual(before[name], after[name]) {
			t.Errorf("%s: %v became %v", name, before[name], after[name])
		}
	}
	if len(engine.Handlers) != 0 || len(engine.Routes()) == 0 {
		t.Errorf("%d middlewares, %d routes", len(engine.Handlers), len(engine.Routes()))
	}
}

// settingsOf returns the exported settings of an engine, and the numbers of its fallback handlers and trusted proxies.
func settingsOf(engine *gin.Engine) map[string]any {
	settings := map[string]any{}
	v := reflect.ValueOf(engine).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch {
		case name == "RouterGroup":
		case v.Type().Field(i).IsExported() && v.Field(i).Kind() != reflect.Func:
			settings[name] = v.Field(i).Interface()
		case slices.Contains([]string{"noRoute", "allNoRoute", "noMethod", "allNoMethod", "trustedProxies", "trustedCIDRs"}, name):
			settings[name] = v.Field(i).Len()
		}
	}
	return settings
}

func TestStartsNothing(t *testing.T) {
	db := testdb.SiteA(t)
	db.SetMaxIdleConns(1)
	must.Succeed(t, db.PingContext(t.Context()))
	mounted(t, gin.New(), calendar.Options{DB: db})
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		_, creator, _ := strings.Cut(stack, "created by ")
		if strings.HasPrefix(creator, "github.com/agendahq/agenda/") && !strings.Contains(creator, "/internal/test/db") {
			t.Errorf("a goroutine was started:\n%s", stack)
		}
	}
}

func TestNewHonoursItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := calendar.New(ctx, calendar.Options{DB: testdb.SiteA(t)}); err == nil {
		t.Error("looked at the database after the context had ended")
	}
}
