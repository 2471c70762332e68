package calendar_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// sides serve one database: fast is timed, counted is asked once, as keeping
// what is sent takes time and memory too.
type sides struct {
	fast, counted http.Handler
	counter       testdb.Counter
}

// newSides mounts the calendar with totals that are kept: what they cost shows
// in BenchmarkListOf10, which counts each.
func newSides(b *testing.B, db *bun.DB, opts calendar.Options) *sides {
	b.Helper()
	s := &sides{}
	opts.Now = frozen
	opts.DB = db
	s.fast = local(contract.Handler(b, opts))
	opts.DB = testdb.Reopen(b, db, testdb.WithCounter(&s.counter))
	s.counted = local(contract.Handler(b, opts))
	return s
}

// count sets about how many statements an operation takes, when all that is
// kept for a while is there. Reading the settings is no part of it.
func (s *sides) count(operation func(http.Handler)) float64 {
	operation(s.counted)
	s.counter.Reset()
	operation(s.counted)
	sent := s.counter.Statements()
	return float64(len(slices.DeleteFunc(sent, func(q string) bool { return strings.Contains(q, "option_name IN") })))
}

// sink is an answer of which the size alone is kept.
type sink struct {
	header        http.Header
	status, bytes int
}

func (s *sink) Header() http.Header { return s.header }

func (s *sink) WriteHeader(status int) { s.status = status }

func (s *sink) Write(p []byte) (int, error) {
	if s.status == 0 {
		s.status = http.StatusOK
	}
	s.bytes += len(p)
	return len(p), nil
}

// read times one GET over and over.
func (s *sides) read(b *testing.B, path string, status int, headers ...header) {
	r := httptest.NewRequest(http.MethodGet, contract.Root+path, nil)
	for _, h := range headers {
		r.Header.Set(h.name, h.value)
	}
	size := 0
	ask := func(h http.Handler) {
		w := &sink{header: http.Header{}}
		h.ServeHTTP(w, r)
		if w.status != status {
			b.Fatalf("%s: %d, want %d", path, w.status, status)
		}
		size = w.bytes
	}
	statements := s.count(ask)
	ask(s.fast)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		ask(s.fast)
	}
	b.ReportMetric(statements, "statements/op")
}

// BenchmarkRead answers reads of every kind on the recorded site: 140 events,
// of which everybody sees 116.
func BenchmarkRead(b *testing.B) {
	s := newSides(b, testdb.SiteA(b), calendar.Options{})
	for _, c := range []struct{ name, path string }{
		{"list", wide},
		{"list50", wide + "&per_page=50"},
		{"month", "/events?start_date=2031-03-01&end_date=2031-04-01&strict_dates=1"},
		{"category", wide + "&categories=7"},
		{"venue", wide + "&venue=10"},
		{"search", wide + "&search=blues"},
		{"deep", wide + "&page=11"},
		{"single", "/events/" + eventID},
		{"slug", "/events/by-slug/" + eventSlug},
		{"venues", "/venues?has_events=1"},
		{"categories", "/categories"},
		{"tags", "/tags"},
	} {
		b.Run(c.name, func(b *testing.B) { s.read(b, c.path, http.StatusOK) })
	}
	for name, path := range map[string]string{"unchanged": "/events/" + eventID, "unchangedList": wide} {
		tag := get(s.fast, path).Header().Get("ETag")
		b.Run(name, func(b *testing.B) { s.read(b, path, http.StatusNotModified, header{"If-None-Match", tag}) })
	}
	b.Run("loggedIn", func(b *testing.B) {
		s.read(b, "/events/"+eventID, http.StatusOK, basic("editor1", editorPassword))
	})
}

// BenchmarkWrite creates an event and changes one, each with what belongs to
// it. What a write leaves behind is removed before the next one, off the clock.
func BenchmarkWrite(b *testing.B) {
	db := testdb.SiteA(b)
	s := newSides(b, db, calendar.Options{Authenticator: byID{id: 2}})
	n := 0
	number := func() int { n++; return n }
	b.Run("create", func(b *testing.B) {
		s.write(b, func(h http.Handler) (clean func()) {
			body := fmt.Sprintf(`{"title":"Event %d","start_date":"2031-05-01 10:00","end_date":"2031-05-01 17:00","description":"Text",`+
				`"venue":8,"organizer":[18],"categories":[6],"tags":[17]}`, number())
			w := send(h, http.MethodPost, "/events", body, header{"Content-Type", "application/json"})
			var made struct{ ID int64 }
			if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || w.Code != http.StatusCreated {
				b.Fatalf("%d %.300s", w.Code, w.Body)
			}
			return func() {
				if w := send(h, http.MethodDelete, fmt.Sprintf("/events/%d?force=true", made.ID), ""); w.Code != http.StatusOK {
					b.Fatalf("%d %.300s", w.Code, w.Body)
				}
			}
		})
	})
	b.Run("update", func(b *testing.B) {
		s.write(b, func(h http.Handler) (clean func()) {
			body := fmt.Sprintf(`{"title":"Title %d","description":"Text %[1]d","cost":"%[1]d"}`, number())
			if w := send(h, http.MethodPatch, "/events/"+eventID, body,
				header{"Content-Type", "application/json"}); w.Code != http.StatusOK {
				b.Fatalf("%d %.300s", w.Code, w.Body)
			}
			return func() {
				revisions := "post_parent = " + eventID + " AND post_type = 'revision'"
				if _, err := db.ExecContext(b.Context(), "DELETE FROM wp_posts WHERE "+revisions); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}

// write times one write at a time. It returns how to remove what it left.
func (s *sides) write(b *testing.B, write func(http.Handler) (clean func())) {
	var clean []func()
	statements := s.count(func(h http.Handler) { clean = append(clean, write(h)) })
	for _, f := range clean {
		f()
	}
	b.ReportAllocs()
	for b.Loop() {
		f := write(s.fast)
		b.StopTimer()
		f()
		b.StartTimer()
	}
	b.ReportMetric(statements, "statements/op")
}
