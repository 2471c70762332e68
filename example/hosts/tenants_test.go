package hosts_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// One program serves the calendars of twenty towns, each with separate tables in one database, and selects the calendar
// of a request by its host name.
func TestTwentyCalendars(t *testing.T) {
	s := calendartest.New(t)
	const towns = 20
	memory := calendar.NewMemory(64 << 20) // shared by all calendars, for answers under construction
	handlers := map[string]http.Handler{}
	for i := range towns {
		must.Succeed(t, schema.Install(t.Context(), s.DB, fmt.Sprintf("town%d_", i)))
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	bytes, goroutines := heap(), runtime.NumGoroutine()
	for i := range towns {
		host := fmt.Sprintf("town%d.example", i)
		c := must.Get(calendar.New(t.Context(), calendar.Options{
			DB: s.DB, Authenticator: calendar.Anonymous, Logger: s.Options.Logger, Now: s.Options.Now,
			Languages: []calendar.Language{{Tag: "en", BaseURL: "https://" + host + "/wp-json"}},
			Site:      calendar.Site{Prefix: fmt.Sprintf("town%d_", i), URL: "https://" + host},
			Limits:    calendar.Limits{Answers: memory}, Cache: calendar.Cache{Bytes: 4 << 20},
		}))(t)
		t.Cleanup(func() { _ = c.Close(context.Background()) })
		handlers[host] = c.Handler()
		ctx := calendar.WithPrincipal(t.Context(), calendar.Principal{Login: "setup", Capabilities: map[string]bool{
			"edit_tribe_events": true, "publish_tribe_events": true, "edit_tribe_venues": true, "publish_tribe_venues": true,
		}})
		must.Get(c.Kinds().Venues.Create(ctx, calendar.Values{"venue": "Hall of " + host}))(t)
	}
	all := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := handlers[r.Host]; h != nil {
			h.ServeHTTP(w, r)
			return
		}
		http.NotFound(w, r)
	})
	for i := range towns {
		host := fmt.Sprintf("town%d.example", i)
		w := httptest.NewRecorder()
		all.ServeHTTP(w, httptest.NewRequest("GET", "https://"+host+"/wp-json/vendor/events/v1/venues?_fields=venues.0.venue,total", nil))
		if got := w.Body.String(); got != `{"venues":[{"venue":"Hall of `+host+`"}],"total":1}` {
			t.Errorf("%s: %d %s", host, w.Code, got)
		}
	}
	w := httptest.NewRecorder()
	if all.ServeHTTP(w, httptest.NewRequest("GET", "https://other.example/", nil)); w.Code != 404 {
		t.Errorf("an unknown host: %d", w.Code)
	}
	each := (runtime.NumGoroutine() - goroutines + towns - 1) / towns
	t.Logf("for each of %d calendars: %d KiB of heap, up to %d goroutines", towns, (heap()-bytes)/towns/1024, each)
	if each > 2 {
		t.Errorf("%d goroutines for each calendar", each)
	}
}
