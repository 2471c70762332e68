// Package contract holds the tests that hold on every engine: the root module runs
// them on MariaDB, the example on its embedded database.
package contract

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/replay"
)

// Site is the address of the recorded site, Root the one of its API.
const (
	Site = "http://site.test"
	Root = Site + "/wp-json/tribe/events/v1"
)

// Handler mounts a calendar on an engine of its own, with the recorded site's
// addresses unless the options name others, and without kept totals unless they
// say how long.
func Handler(t testing.TB, opts calendar.Options) http.Handler {
	t.Helper()
	_, h := Mount(t, opts)
	return h
}

// Observe, if set, sees what the handlers of Mount are asked and what they
// answer: it returns the handler that takes the place of h, which serves a
// namespace.
var Observe func(namespace string, h http.Handler) http.Handler

// Mount is Handler with the calendar itself.
func Mount(t testing.TB, opts calendar.Options) (*calendar.Calendar, http.Handler) {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	if opts.Namespace == "" {
		opts.Namespace = "tribe/events/v1"
	}
	if opts.Languages == nil {
		opts.Languages = []calendar.Language{
			{Tag: "en", BaseURL: Site + "/wp-json"}, {Tag: "nl", BaseURL: Site + "/nl/wp-json"}, {Tag: "fr", BaseURL: Site + "/fr/wp-json"},
		}
	}
	if opts.Cache.TotalTTL == 0 {
		opts.Cache.TotalTTL = calendar.None // tests write behind the calendar's back
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	}
	c, err := calendar.New(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	router := gin.New()
	if err := c.Register(router); err != nil {
		t.Fatal(err)
	}
	router.NoRoute(c.NoRoute)
	if Observe != nil {
		return c, Observe(opts.Namespace, router)
	}
	return c, router
}

// Get sends a GET for a path below the namespace of the recorded site.
func Get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, Root+path, nil))
	return w
}

// RecordedReads replays the recorded reads, of all callers, on a database
// with the recorded site: every compared answer matches.
func RecordedReads(t *testing.T, db *bun.DB) {
	result, err := replay.Replay(context.Background(), replay.Options{
		Handler: Handler(t, calendar.Options{DB: db}), Root: Root, Corpus: "reads_a",
	})
	if err != nil {
		t.Fatal(err)
	}
	const compared = 942
	if result.Matched != compared || result.Compared != compared {
		t.Errorf("%d of %d matched, want %d of %d\n%s", result.Matched, result.Compared, compared, compared, result.Report(20))
	}
}
