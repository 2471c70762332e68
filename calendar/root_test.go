package calendar_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestRootIndex checks that the root describes the site and how to log in, and lists the routes of the namespace as the
// namespace's own index does.
func TestRootIndex(t *testing.T) {
	h := siteHandler(t, func(o *calendar.Options) { o.ServeRoot = true })
	w := get(h, contract.Site+"/wp-json/")
	members := []string{"name", "description", "url", "home", "gmt_offset", "timezone_string", "namespaces", "authentication", "routes",
		"_links"}
	if got := keys(t, w.Body.String()); w.Code != http.StatusOK || !slices.Equal(got, members) {
		t.Fatalf("%d, members %v, want %v", w.Code, got, members)
	}
	var root struct{ Routes map[string]json.RawMessage }
	parse(t, w.Body.String(), &root)
	own := string(root.Routes["/"])
	if !strings.HasPrefix(own, `{"namespace":"","methods":["GET"],"endpoints":[{"methods":["GET"],"args":{"context":{"default":"view",`) ||
		!strings.HasSuffix(own, `"_links":{"self":[{"href":"http:\/\/site.test\/wp-json\/"}]}}`) {
		t.Errorf("the root's own route: %s", own)
	}
	var index struct{ Routes map[string]json.RawMessage }
	parse(t, get(h, "").Body.String(), &index)
	if len(root.Routes) != len(index.Routes)+1 {
		t.Errorf("%d routes, the namespace has %d", len(root.Routes), len(index.Routes))
	}
	for path, route := range index.Routes {
		if string(root.Routes[path]) != string(route) {
			t.Errorf("%s: %s, want %s", path, root.Routes[path], route)
		}
	}
	for name, want := range generic {
		golden.Equal(t, name, w.Header().Get(name), want)
	}
	selected := `{"name":"A calendar","namespaces":["tribe\/events\/v1"],` +
		`"_links":{"help":[{"href":"http:\/\/site.test\/wp-json\/tribe\/events\/v1\/doc"}]}}`
	golden.Equal(t, "_fields", get(h, contract.Site+"/wp-json/?_fields=name,namespaces").Body.String(), selected)
	french := get(h, contract.Site+"/fr/wp-json/").Body.String()
	if !strings.Contains(french, `"\/tribe\/events\/v1\/tags":`) || !strings.Contains(french, `\/fr\/wp-json\/tribe\/events\/v1\/tags"`) {
		t.Errorf("the root of another language: %.600s", french)
	}
}

// TestRootAbout checks that the root describes the site by its stored options, unless options of the calendar replace
// them.
func TestRootAbout(t *testing.T) {
	const login = `{"application-passwords":{"endpoints":{"authorization":"http:\/\/site.test\/wp-admin\/authorize-application.php"}}}`
	summer, recorded := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC), testdb.SiteA(t)
	for name, c := range map[string]struct {
		options map[string]string // options of the site by name, as stored
		change  func(*calendar.Options)
		want    string
	}{
		"winter": {want: `"A calendar","","http:\/\/site.test","http:\/\/site.test",1,"Europe\/Brussels",` + login},
		"summer": {change: func(o *calendar.Options) { o.Now = func() time.Time { return summer } },
			want: `"A calendar","","http:\/\/site.test","http:\/\/site.test",2,"Europe\/Brussels",` + login},
		"stored": {options: map[string]string{"blogname": "Bread &amp; wine", "blogdescription": "Été",
			"timezone_string": "Asia/Kathmandu"},
			want: `"Bread &amp; wine","\u00c9t\u00e9","http:\/\/site.test","http:\/\/site.test",5.75,"Asia\/Kathmandu",` + login},
		"offset": {options: map[string]string{"timezone_string": "", "gmt_offset": "-3.5"},
			want: `"A calendar","","http:\/\/site.test","http:\/\/site.test","-3.5","",` + login},
		"elsewhere": {change: func(o *calendar.Options) { o.Site.URL, o.Login.NoAuthorizePage = "http://127.0.0.1:8080", true },
			want: `"A calendar","","http:\/\/127.0.0.1:8080","http:\/\/127.0.0.1:8080",1,"Europe\/Brussels",` +
				`{"application-passwords":{"endpoints":[]}}`},
		"pages of its own": {change: func(o *calendar.Options) {
			o.Languages = []calendar.Language{{Tag: "en", BaseURL: contract.Site + "/wp-json", SiteURL: "https://app.example.org/"}}
		}, want: `"A calendar","","http:\/\/site.test","https:\/\/app.example.org",1,"Europe\/Brussels",` + login},
		"no passwords": {options: map[string]string{"using_application_passwords": "0"},
			want: `"A calendar","","http:\/\/site.test","http:\/\/site.test",1,"Europe\/Brussels",[]`},
		"the host's callers": {change: func(o *calendar.Options) { o.Authenticator = calendar.Anonymous },
			want: `"A calendar","","http:\/\/site.test","http:\/\/site.test",1,"Europe\/Brussels",[]`},
	} {
		db := recorded
		if len(c.options) > 0 {
			db = testdb.SiteA(t)
		}
		for name, value := range c.options {
			must.Get(db.NewUpdate().Table("wp_options").Set("option_value = ?", value).Where("option_name = ?", name).
				Exec(t.Context()))(t)
		}
		h := siteHandler(t, func(o *calendar.Options) {
			o.DB, o.ServeRoot = db, true
			if c.change != nil {
				c.change(o)
			}
		})
		w := get(h, contract.Site+"/wp-json/?_fields=name,description,url,home,gmt_offset,timezone_string,authentication")
		var about map[string]json.RawMessage
		parse(t, w.Body.String(), &about)
		var got []string
		for _, member := range []string{"name", "description", "url", "home", "gmt_offset", "timezone_string", "authentication"} {
			got = append(got, string(about[member]))
		}
		golden.Equal(t, name, strings.Join(got, ","), c.want)
	}
}

// TestServeRoot checks that with ServeRoot every path below the roots is answered in the form of the API, and that
// without it the host answers these paths, except those of the namespace.
func TestServeRoot(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	db := testdb.SiteA(t)
	opts := calendar.Options{DB: db, Now: frozen, Namespace: namespace, Languages: []calendar.Language{
		{Tag: "en", BaseURL: contract.Site + "/wp-json"}, {Tag: "fr", BaseURL: contract.Site + "/wp-json/fr"},
	}}
	host := func(opts calendar.Options) (gins, plain http.Handler) {
		engine := gin.New()
		c := mounted(t, engine, opts)
		engine.NoRoute(c.NoRoute)
		return engine, c.Handler()
	}
	without, plainWithout := host(opts)
	opts.ServeRoot = true
	with, plain := host(opts)
	golden.Each(t, "roots.txt", func(method, path string, status int, has string) {
		for name, h := range map[string]http.Handler{"gin": with, "net/http": plain} {
			w := send(h, method, contract.Site+path, "")
			if w.Code != status || !strings.Contains(w.Body.String(), has) || w.Header().Get("X-Robots-Tag") != "noindex" {
				t.Errorf("%s: %s %s: %d %.200s, want %d %s", name, method, path, w.Code, w.Body, status, has)
			}
		}
		for name, h := range map[string]http.Handler{"gin": without, "net/http": plainWithout} {
			w := send(h, method, contract.Site+path, "")
			if below := strings.Contains(path+"/", namespace+"/"); w.Header().Get("X-Robots-Tag") == "noindex" != below {
				t.Errorf("%s, not asked: %s %s: %d %.200s", name, method, path, w.Code, w.Body)
			}
		}
		for name, h := range map[string]http.Handler{"gin": with, "net/http": plain} {
			for _, path := range []string{"/", "/wp-jsonp/", "/WP-JSON/", "/wp/v2"} {
				if w := get(h, contract.Site+path); w.Code != http.StatusNotFound || w.Header().Get("X-Robots-Tag") != "" {
					t.Errorf("%s: %s is no path of the calendar's: %d %.200s", name, path, w.Code, w.Body)
				}
			}
		}
	})
	engine := gin.New()
	engine.GET("/wp-json/", func(*gin.Context) {})
	if err := made(t, opts).Register(engine); err == nil || !strings.Contains(err.Error(), "/wp-json/") {
		t.Errorf("a root that the host has taken: %v", err)
	}
	for path, prefix := range map[string]string{"": "", "/api": "/api"} {
		engine := gin.New()
		c := mounted(t, engine.Group(path), calendar.Options{DB: db, ServeRoot: true, Languages: []calendar.Language{
			{Tag: "en", BaseURL: "https://example.org", Mount: "/"},
		}})
		engine.NoRoute(c.NoRoute)
		for at, code := range map[string]int{prefix + "/": 200, prefix + "/x": 404} {
			if w := get(engine, contract.Site+at); w.Code != code || w.Header().Get("X-Robots-Tag") != "noindex" {
				t.Errorf("a group of its own, %s: %d %.200s", at, w.Code, w.Body)
			}
		}
	}
}
