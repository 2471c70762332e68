package main

import (
	"net/http"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// BenchmarkSQLite reads the recorded site from an embedded database in memory. Totals are cached.
func BenchmarkSQLite(b *testing.B) {
	h := contract.Handler(b, calendar.Options{DB: copied(b, testdb.SiteA(b), "wp_")})
	for _, c := range []struct{ name, path string }{
		{"list", "/events?start_date=2018-01-01&end_date=2036-01-01"}, {"single", "/events/25"},
	} {
		b.Run(c.name, func(b *testing.B) {
			ask := func() int {
				w := apitest.Send(b.Context(), h, http.MethodGet, c.path, "")
				if w.Code != http.StatusOK {
					b.Fatalf("%s: %d %.300s", c.path, w.Code, w.Body)
				}
				return w.Body.Len()
			}
			b.SetBytes(int64(ask()))
			b.ReportAllocs()
			for b.Loop() {
				ask()
			}
		})
	}
}
