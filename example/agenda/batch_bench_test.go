package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// BenchmarkBatch creates events in batches of 50, each event with its own venue, on a site that Agenda created. A batch
// of 500 takes ten times as long.
func BenchmarkBatch(b *testing.B) {
	onNewSites(b, func(b *testing.B, h http.Handler) {
		n := 0
		for b.Loop() {
			batch(b, h, n, 50, false)
			n += 50
		}
		b.ReportMetric(b.Elapsed().Seconds()*1000/float64(n), "ms/event")
	})
}

// BenchmarkWriterBesideBatch measures how long another writer waits at most while events are created in batches of 64:
// with a transaction per event, and with one transaction for all.
func BenchmarkWriterBesideBatch(b *testing.B) {
	onNewSites(b, func(b *testing.B, h http.Handler) {
		w := apitest.Send(b.Context(), h, http.MethodPost, "/venues", `{"venue":"Club"}`, "Content-Type", "application/json")
		club, n := w.Header().Get("Location"), 0
		var longest [2]time.Duration
		for b.Loop() {
			for i := range longest {
				done := make(chan struct{})
				go func() {
					defer close(done)
					batch(b, h, n, 64, i == 1)
				}()
				for waiting := true; waiting; {
					began := time.Now()
					for code := 0; code != http.StatusOK; {
						w := apitest.Send(b.Context(), h, http.MethodPatch, club, fmt.Sprintf(`{"city":"Delft %d"}`, began.UnixNano()),
							"Content-Type", "application/json")
						if code = w.Code; code != http.StatusOK && code != http.StatusServiceUnavailable {
							b.Fatalf("%d %.300s", w.Code, w.Body)
						}
					}
					longest[i] = max(longest[i], time.Since(began))
					select {
					case <-done:
						waiting = false
					default:
					}
				}
				n += 64
			}
		}
		b.ReportMetric(float64(longest[0].Microseconds())/1e3, "longest-ms")
		b.ReportMetric(float64(longest[1].Microseconds())/1e3, "atomic-longest-ms")
	})
}

// onNewSites runs a benchmark on an empty site of each engine.
func onNewSites(b *testing.B, measure func(*testing.B, http.Handler)) {
	for name, open := range map[string]func() *bun.DB{
		"MariaDB": func() *bun.DB { return testdb.New(b) },
		"SQLite": func() *bun.DB {
			db := must.Get(embedded.Open(b.Context(), filepath.Join(b.TempDir(), "site.sqlite")))(b)
			b.Cleanup(func() { _ = db.Close() })
			return db
		},
	} {
		b.Run(name, func(b *testing.B) {
			db := open()
			must.Succeed(b, schema.Install(b.Context(), db, "wp_"))
			measure(b, contract.Handler(b, calendar.Options{DB: db, Authenticator: anEditor{}}))
		})
	}
}

// batch creates events with the numbers after from, in one request.
func batch(b *testing.B, h http.Handler, from, events int, atomic bool) {
	var requests []map[string]any
	for n := from + 1; n <= from+events; n++ {
		requests = append(requests, map[string]any{"method": "POST", "path": "/events", "body": map[string]any{
			"title": fmt.Sprintf("Concert %d", n), "description": "With a choir.",
			"start_date": fmt.Sprintf("2031-%02d-%02d 20:00:00", 1+n%12, 1+n%28),
			"end_date":   fmt.Sprintf("2031-%02d-%02d 22:00:00", 1+n%12, 1+n%28),
			"venue":      map[string]any{"venue": fmt.Sprintf("Hall %d", n), "address": "Main street 1", "city": "Delft"},
		}})
	}
	body, err := json.Marshal(map[string]any{"requests": requests, "atomic": atomic})
	if err != nil {
		b.Error(err)
		return
	}
	w := apitest.Send(b.Context(), h, http.MethodPost, "/batch", string(body), "Content-Type", "application/json")
	if w.Code != http.StatusMultiStatus || strings.Contains(w.Body.String(), `"status":4`) {
		b.Errorf("%d %.300s", w.Code, w.Body)
	}
}

// anEditor is an Authenticator that makes each caller a user who may write events and venues.
type anEditor struct{}

func (anEditor) Authenticate(*http.Request) (calendar.Principal, error) {
	p := calendar.Principal{UserID: 2, Login: "editor", Capabilities: map[string]bool{"read": true}}
	for _, right := range []string{"edit_", "edit_published_", "publish_"} {
		p.Capabilities[right+"tribe_events"], p.Capabilities[right+"tribe_venues"] = true, true
	}
	return p, nil
}
