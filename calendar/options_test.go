package calendar_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/gin-gonic/gin"
)

func TestDefaultOptions(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	db, counter := testdb.Counted(t, testdb.SiteA)
	router := gin.New()
	must.Succeed(t, calendar.Register(router, calendar.Options{DB: db}))
	root := "http://site.test/wp-json/vendor/events/v1"
	var left []time.Duration
	counter.Before(func(ctx context.Context, _ int, _ string) error {
		if d, ok := ctx.Deadline(); ok {
			left = append(left, time.Until(d))
		}
		return nil
	})
	w := get(router, root+"/events?"+everything)
	if w.Code != http.StatusOK || len(decode(t, w).Events) != 10 {
		t.Errorf("a page of the default size: %d %.200s", w.Code, w.Body)
	}
	if len(left) == 0 || slices.Max(left) > 30*time.Second || slices.Max(left) < 10*time.Second {
		t.Errorf("time left to the statements of a request: %v, want up to 30s", left)
	}
	if !strings.Contains(w.Body.String(), `"rest_url":"http:\/\/site.test\/wp-json\/vendor\/events\/v1\/events\/25"`) {
		t.Errorf("addresses are not under the site's own root: %.900s", w.Body)
	}
	if n := len(decode(t, get(router, root+"/events?per_page=100&"+everything)).Events); n != 50 {
		t.Errorf("the largest page has %d events, want 50", n)
	}
	if w := get(router, root+"/events/25?i18n_language=en"); w.Code != http.StatusOK || w.Header().Get("Content-Language") != "en" {
		t.Errorf("in the only language: %d", w.Code)
	}
	wantError(t, get(router, root+"/events/25?i18n_language=nl"), http.StatusBadRequest, "rest_invalid_param")
	w = get(router, root+"/")
	if !strings.Contains(w.Body.String(), `{"namespace":"vendor\/events\/v1","routes":`) {
		t.Errorf("index: %.200s", w.Body)
	}
}

func TestInvalidOptions(t *testing.T) {
	db := testdb.SiteA(t)
	en := calendar.Language{Tag: "en", BaseURL: "https://example.org/wp-json"}
	for name, c := range map[string]struct {
		change func(*calendar.Options)
		naming []string
	}{
		"no database": {func(o *calendar.Options) { o.DB = nil }, []string{"DB is not set"}},
		"same replica": {func(o *calendar.Options) { o.Replicas = []*bun.DB{o.DB} },
			[]string{"Replicas[0]: use a database other than DB"}},
		"no replica":      {func(o *calendar.Options) { o.Replicas = []*bun.DB{nil} }, []string{"Replicas[0]"}},
		"quoted prefix":   {func(o *calendar.Options) { o.Site.Prefix = "wp`_" }, []string{"Prefix", "wp`_"}},
		"long prefix":     {func(o *calendar.Options) { o.Site.Prefix = strings.Repeat("a", 33) }, []string{"Prefix"}},
		"namespace blank": {func(o *calendar.Options) { o.Namespace = "vendor events" }, []string{"Namespace", "vendor events"}},
		"namespace gap":   {func(o *calendar.Options) { o.Namespace = "vendor//v1" }, []string{"Namespace", "vendor//v1"}},
		"namespace colon": {func(o *calendar.Options) { o.Namespace = "vendor/:v" }, []string{"Namespace"}},
		"language param":  {func(o *calendar.Options) { o.LanguageParam = "lang[]" }, []string{"LanguageParam", "lang[]"}},
		"page size":       {func(o *calendar.Options) { o.Limits.PageSize = -1 }, []string{"PageSize -1"}},
		"largest page":    {func(o *calendar.Options) { o.Limits.MaxPageSize = -5 }, []string{"MaxPageSize -5"}},
		"size above cap": {func(o *calendar.Options) { o.Limits.PageSize, o.Limits.MaxPageSize = 20, 10 },
			[]string{"PageSize 20", "MaxPageSize 10"}},
		"size above 50":   {func(o *calendar.Options) { o.Limits.PageSize = 60 }, []string{"PageSize 60", "MaxPageSize 50"}},
		"timeout":         {func(o *calendar.Options) { o.Limits.RequestTimeout = -time.Second }, []string{"RequestTimeout -1s"}},
		"radius":          {func(o *calendar.Options) { o.Site.GeoRadius = -2.5 }, []string{"GeoRadius -2.5"}},
		"tag":             {func(o *calendar.Options) { o.Languages[0].Tag = "not a tag" }, []string{`language "not a tag"`}},
		"no tag":          {func(o *calendar.Options) { o.Languages[0].Tag = "" }, []string{`language ""`}},
		"tag twice":       {func(o *calendar.Options) { o.Languages = append(o.Languages, en) }, []string{`language "en" occurs twice`}},
		"no base":         {func(o *calendar.Options) { o.Languages[0].BaseURL = "" }, []string{`language "en"`, "BaseURL"}},
		"relative base":   {func(o *calendar.Options) { o.Languages[0].BaseURL = "/wp-json" }, []string{"BaseURL", "/wp-json"}},
		"base of a file":  {func(o *calendar.Options) { o.Languages[0].BaseURL = "ftp://example.org" }, []string{"BaseURL", "ftp:"}},
		"base with query": {func(o *calendar.Options) { o.Languages[0].BaseURL = "https://example.org/?a=1" }, []string{"BaseURL"}},
		"relative site":   {func(o *calendar.Options) { o.Languages[0].SiteURL = "example.org" }, []string{"SiteURL", "example.org"}},
		"origin": {func(o *calendar.Options) { o.Login.CredentialOrigins = []string{"app.example.org"} },
			[]string{"CredentialOrigins", "app.example.org"}},
		"origin null": {func(o *calendar.Options) { o.Login.CredentialOrigins = []string{"null"} }, []string{"CredentialOrigins", "null"}},
		"any origin":  {func(o *calendar.Options) { o.Login.CredentialOrigins = []string{"*"} }, []string{"CredentialOrigins", "*"}},
		"origin with path": {func(o *calendar.Options) { o.Login.CredentialOrigins = []string{"https://app.example.org/x"} },
			[]string{"CredentialOrigins", "/x"}},
		"origins without CORS": {func(o *calendar.Options) {
			o.NoCORS, o.Login.CredentialOrigins = true, []string{"https://app.example.org"}
		},
			[]string{"CredentialOrigins", "NoCORS"}},
		"several": {func(o *calendar.Options) { o.Site.Prefix, o.Limits.PageSize, o.Languages[0].BaseURL = "-", -1, "x" },
			[]string{"Prefix", "PageSize -1", "BaseURL"}},
	} {
		t.Run(name, func(t *testing.T) {
			opts := calendar.Options{DB: db, Languages: []calendar.Language{en}}
			c.change(&opts)
			_, err := calendar.New(t.Context(), opts)
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.HasPrefix(err.Error(), "calendar: options: ") {
				t.Errorf("not said to be an option's: %v", err)
			}
			if lines := strings.Count(err.Error(), "\n") + 1; name != "several" && lines != 1 {
				t.Errorf("%d errors for one mistake: %v", lines, err)
			}
			for _, part := range c.naming {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not named in: %v", part, err)
				}
			}
			router := gin.New()
			if err := calendar.Register(router, opts); err == nil || len(router.Routes()) != 0 {
				t.Errorf("Register: %v, %d routes", err, len(router.Routes()))
			}
		})
	}
}

func TestRegisterWithoutRouter(t *testing.T) {
	c := made(t, calendar.Options{DB: testdb.SiteA(t)})
	if err := c.Register(nil); err == nil || !strings.Contains(err.Error(), "router") {
		t.Errorf("no router: %v", err)
	}
}
