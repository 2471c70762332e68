package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// BenchmarkBatch creates events in batches of 50, each with a venue of its own, on a site of our own. A batch of 500 takes ten
// times as long.
func BenchmarkBatch(b *testing.B) {
	for name, open := range map[string]func() *bun.DB{
		"MariaDB": func() *bun.DB { return testdb.New(b) },
		"SQLite": func() *bun.DB {
			db, err := embedded.Open(b.Context(), filepath.Join(b.TempDir(), "site.sqlite"))
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = db.Close() })
			return db
		},
	} {
		b.Run(name, func(b *testing.B) {
			db := open()
			if err := schema.Install(b.Context(), db, "wp_"); err != nil {
				b.Fatal(err)
			}
			h := contract.Handler(b, calendar.Options{DB: db, Authenticator: anEditor{}})
			n := 0
			for b.Loop() {
				var requests []map[string]any
				for range 50 {
					n++
					requests = append(requests, map[string]any{"method": "POST", "path": "/events", "body": map[string]any{
						"title": fmt.Sprintf("Concert %d", n), "description": "With a choir.",
						"start_date": fmt.Sprintf("2031-%02d-%02d 20:00:00", 1+n%12, 1+n%28),
						"end_date":   fmt.Sprintf("2031-%02d-%02d 22:00:00", 1+n%12, 1+n%28),
						"venue":      map[string]any{"venue": fmt.Sprintf("Hall %d", n), "address": "Main street 1", "city": "Delft"},
					}})
				}
				body, err := json.Marshal(map[string]any{"requests": requests})
				if err != nil {
					b.Fatal(err)
				}
				w := apitest.Send(b.Context(), h, http.MethodPost, "/batch", string(body), "Content-Type", "application/json")
				if w.Code != http.StatusMultiStatus {
					b.Fatalf("%d %.300s", w.Code, w.Body)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(n), "ms/event")
		})
	}
}

// anEditor is an Authenticator by which everybody may write events and venues.
type anEditor struct{}

func (anEditor) Authenticate(*http.Request) (calendar.Principal, error) {
	p := calendar.Principal{UserID: 2, Login: "editor", Capabilities: map[string]bool{"read": true}}
	for _, right := range []string{"edit_", "publish_"} {
		p.Capabilities[right+"tribe_events"], p.Capabilities[right+"tribe_venues"] = true, true
	}
	return p, nil
}
