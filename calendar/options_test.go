package calendar_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
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
	golden.Each(t, "options.txt", func(name string, changed json.RawMessage, naming []string) {
		t.Run(name, func(t *testing.T) {
			opts := calendar.Options{DB: db, Languages: []calendar.Language{{Tag: "en", BaseURL: "https://example.org/wp-json"}}}
			must.Succeed(t, json.Unmarshal(changed, &opts))
			if name == "same replica" {
				opts.Replicas = []*bun.DB{db}
			}
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
			for _, part := range naming {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not named in: %v", part, err)
				}
			}
			router := gin.New()
			if err := calendar.Register(router, opts); err == nil || len(router.Routes()) != 0 {
				t.Errorf("Register: %v, %d routes", err, len(router.Routes()))
			}
		})
	})
}

func TestRegisterWithoutRouter(t *testing.T) {
	c := made(t, calendar.Options{DB: testdb.SiteA(t)})
	if err := c.Register(nil); err == nil || !strings.Contains(err.Error(), "router") {
		t.Errorf("no router: %v", err)
	}
}
