package calendar_test

import (
	"net/url"
	"strconv"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// BenchmarkTyped reads events of the recorded site as Go values, from memory and anew.
func BenchmarkTyped(b *testing.B) {
	db := testdb.SiteA(b)
	id, _ := strconv.ParseInt(eventID, 10, 64)
	query := url.Values{"start_date": {"1900-01-01"}, "end_date": {"2999-01-01"}}
	for _, c := range []struct {
		name  string
		bytes int64
	}{{"kept", 0}, {"unkept", -1}} {
		cal, _ := contract.Mount(b, calendar.Options{DB: db, Now: frozen, Cache: calendar.Cache{Bytes: c.bytes, Settle: 1}})
		for c.bytes == 0 && cal.Stats().Cache.Hits == 0 { // until the tables have settled
			if _, err := cal.Event(b.Context(), id); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(c.name+"/event", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := cal.Event(b.Context(), id); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, size := range []string{"10", "50"} {
			query.Set("per_page", size)
			b.Run(c.name+"/list"+size, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := cal.Events(b.Context(), query); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
