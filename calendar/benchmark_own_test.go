package calendar_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// BenchmarkOwnFields compares answers with three fields of the host's own, which each event has, with those of a calendar that
// declares none, by turns on one site. rate/plain is how many answers there are in a time for one without.
func BenchmarkOwnFields(b *testing.B) {
	db := testdb.SiteA(b)
	var fields []calendar.Field
	for i, kind := range []string{calendar.FieldText, calendar.FieldNumber, calendar.FieldDate} {
		key := fmt.Sprint("_host_", i)
		fields = append(fields, calendar.Field{Kind: "events", Name: fmt.Sprint("own", i), Key: key, Type: kind, Description: "One."})
		if _, err := db.NewRaw("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, ?, ? FROM wp_posts "+
			"WHERE post_type = 'tribe_events'", key, []string{"Black tie", "120", "2031-05-01"}[i]).Exec(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, path string
		kept       bool
	}{{"unkept list", wide, false}, {"unkept single", "/events/" + eventID, false}, {"kept list", wide, true}} {
		b.Run(strings.ReplaceAll(c.name, " ", "_"), func(b *testing.B) {
			var sides [2]func()
			for i, declared := range [][]calendar.Field{nil, fields} {
				sides[i] = answering(b, calendar.Options{DB: db, Fields: declared}, c.path, c.kept, i == 1)
			}
			var took [2]time.Duration
			for turn := 0; b.Loop(); turn++ {
				for i := range sides {
					side := (i + turn) % 2
					began := time.Now()
					for range 20 {
						sides[side]()
					}
					took[side] += time.Since(began)
				}
			}
			b.ReportMetric(float64(took[0])/float64(took[1]), "rate/plain")
		})
	}
}

// answering returns what asks a calendar for an answer, from memory if it is to be kept; own reports whether it shows the fields.
func answering(b *testing.B, o calendar.Options, path string, kept, own bool) func() {
	b.Helper()
	o.Now = frozen
	if !kept {
		o.Cache.Bytes = calendar.None
	}
	c, h := contract.Mount(b, o)
	h = local(h)
	r := httptest.NewRequest(http.MethodGet, contract.Root+path, nil)
	if body := get(h, path).Body.String(); strings.Contains(body, `"own2":"2031-05-01"`) != own {
		b.Fatalf("own fields: %.300s", body)
	}
	ask := func() {
		w := &sink{header: http.Header{}}
		if h.ServeHTTP(w, r); w.status != http.StatusOK {
			b.Fatal(path, w.status)
		}
	}
	for began := time.Now(); kept && c.Stats().Cache.Hits == 0; ask() { // what was just committed is not kept at once
		if time.Since(began) > time.Minute {
			b.Fatal("nothing is kept")
		}
		time.Sleep(20 * time.Millisecond)
	}
	return ask
}
