package feeds_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// Feed readers find in the feeds of the pages, of all events and of each filter, the same events as the API lists.
func TestNews(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 11, 21, 5, 41, 58, 0, time.UTC) } // when the site was recorded
	c, api := contract.Mount(t, calendar.Options{DB: testdb.SiteA(t), Now: now})
	mux := http.NewServeMux()
	mux.Handle("/wp-json/", api)
	mux.Handle("/", pages.New(c, pages.Options{Title: "Town & around", Now: now}))
	server := httptest.NewServer(mux)
	defer server.Close()
	runReader(t, server, "node", "news.js", server.URL, "Town & around", "2026-11-20")
}
