package calendar_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
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
)

// sides are two handlers of calendars on one database. fast is measured. counted is called only to count statements,
// because recording them takes time and memory.
type sides struct {
	fast, counted http.Handler
	counter       testdb.Counter
}

// newSides mounts a calendar for each side. Both cache answers and totals, unless opts says otherwise.
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

// count returns how many statements an operation sends after a first call has filled the caches. Statements that read
// the settings are not counted.
func (s *sides) count(operation func(http.Handler)) float64 {
	operation(s.counted)
	s.counter.Reset()
	operation(s.counted)
	sent := s.counter.Statements()
	return float64(len(slices.DeleteFunc(sent, func(q string) bool { return strings.Contains(q, "option_name IN") })))
}

// sink is a ResponseWriter that records the status and the size of an answer, but not its body.
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

// timeRead measures a GET request, whose answer must have the given status.
func (s *sides) timeRead(b *testing.B, path string, status int, headers ...header) {
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

// BenchmarkRead measures reads of all kinds on the recorded site, which has 140 events, 116 of which are public.
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
		b.Run(c.name, func(b *testing.B) { s.timeRead(b, c.path, http.StatusOK) })
	}
	for name, path := range map[string]string{"unchanged": "/events/" + eventID, "unchangedList": wide} {
		tag := get(s.fast, path).Header().Get("ETag")
		b.Run(name, func(b *testing.B) { s.timeRead(b, path, http.StatusNotModified, header{"If-None-Match", tag}) })
	}
	b.Run("loggedIn", func(b *testing.B) {
		s.timeRead(b, "/events/"+eventID, http.StatusOK, basic("editor1", editorPassword))
	})
}

// BenchmarkWrite measures how long it takes to create an event with a venue, an organizer and terms, and to update an
// event. What a write stored (the event, or the revision of the updated one) is removed before the next write, while
// the timer is stopped.
func BenchmarkWrite(b *testing.B) {
	db := testdb.SiteA(b)
	s := newSides(b, db, calendar.Options{Authenticator: byID{id: 2}})
	n := 0
	number := func() int { n++; return n }
	b.Run("create", func(b *testing.B) {
		s.timeWrite(b, func(h http.Handler) (clean func()) {
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
		s.timeWrite(b, func(h http.Handler) (clean func()) {
			body := fmt.Sprintf(`{"title":"Title %d","description":"Text %[1]d","cost":"%[1]d"}`, number())
			if w := send(h, http.MethodPatch, "/events/"+eventID, body,
				header{"Content-Type", "application/json"}); w.Code != http.StatusOK {
				b.Fatalf("%d %.300s", w.Code, w.Body)
			}
			return func() {
				revisions := "post_parent = " + eventID + " AND post_type = 'revision'"
				must.Get(db.ExecContext(b.Context(), "DELETE FROM wp_posts WHERE "+revisions))(b)
			}
		})
	})
}

// timeWrite measures one write at a time. write returns a function that removes what it stored, which is not measured.
func (s *sides) timeWrite(b *testing.B, write func(http.Handler) (clean func())) {
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

// BenchmarkTyped measures reads of events of the recorded site through the Go API, with and without a cache.
func BenchmarkTyped(b *testing.B) {
	db := testdb.SiteA(b)
	id, _ := strconv.ParseInt(eventID, 10, 64)
	query := url.Values{"start_date": {"1900-01-01"}, "end_date": {"2999-01-01"}}
	for _, c := range []struct {
		name  string
		bytes int64
	}{{"kept", 0}, {"unkept", -1}} {
		cal, _ := contract.Mount(b, calendar.Options{DB: db, Now: frozen, Cache: calendar.Cache{Bytes: c.bytes, Settle: 1}})
		// Answers are cached only some time after the last change of the tables.
		for c.bytes == 0 && cal.Stats().Cache.Hits == 0 {
			must.Get(cal.Event(b.Context(), id))(b)
		}
		b.Run(c.name+"/event", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must.Get(cal.Event(b.Context(), id))(b)
			}
		})
		for _, size := range []string{"10", "50"} {
			query.Set("per_page", size)
			b.Run(c.name+"/list"+size, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					must.Get(cal.Events(b.Context(), query))(b)
				}
			})
		}
	}
}

// BenchmarkOwnFields compares answers with three fields that the host declares, for which every event has a value, with
// answers of a calendar that declares none. The two calendars serve one database and answer in turns. rate/plain is the
// rate of answers with the fields divided by the rate of answers without them.
func BenchmarkOwnFields(b *testing.B) {
	db := testdb.SiteA(b)
	var fields []calendar.Field
	for i, kind := range []string{calendar.FieldText, calendar.FieldNumber, calendar.FieldDate} {
		key := fmt.Sprint("_host_", i)
		fields = append(fields, calendar.Field{Kind: "events", Name: fmt.Sprint("own", i), Key: key, Type: kind, Description: "One."})
		must.Get(db.NewRaw("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, ?, ? FROM wp_posts "+
			"WHERE post_type = 'tribe_events'", key, []string{"Black tie", "120", "2031-05-01"}[i]).Exec(b.Context()))(b)
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

// answering returns a function that requests the answer to a path. kept says whether the answer comes from the cache,
// own whether it contains the fields of the host.
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
	// Answers are cached only some time after the last commit.
	for began := time.Now(); kept && c.Stats().Cache.Hits == 0; ask() {
		if time.Since(began) > time.Minute {
			b.Fatal("nothing is kept")
		}
		time.Sleep(20 * time.Millisecond)
	}
	return ask
}

var syncEvents = flag.Int("sync.events", 200, "how many events there are in BenchmarkSync; 100,000 are asked to take 20 ms")

// BenchmarkSync measures the request for the changes since a sync token, which are ten changed events.
func BenchmarkSync(b *testing.B) {
	db := manyEvents(b, *syncEvents, 1)
	must.Succeed(b, schema.InstallJournal(b.Context(), db, "wp_"))
	c, h := contract.Mount(b, calendar.Options{DB: db})
	client := &apitest.Client{T: b, Handler: h}
	scan := func() {
		b.Helper()
		must.Get(c.ScanJournal(b.Context()))(b)
	}
	must.Succeed(b, c.DeclareJournal(b.Context()))
	scan()
	token := ""
	for next := "/events?include=110,111,112,113,114,115,116,117,118,119&per_page=50&sync=1"; token == ""; {
		a := client.Get("", next)
		token, next = a.Word("next_sync_token"), a.Word("next_rest_url")
		if token+next == "" {
			b.Fatal(a)
		}
	}
	must.Get(db.NewRaw("UPDATE wp_posts SET post_title = 'Changed' WHERE ID BETWEEN 110 AND 119").Exec(b.Context()))(b)
	scan()
	for b.Loop() {
		a := client.Get("", "/events?sync_token="+token)
		if list, _ := a.Body["events"].([]any); a.Status != http.StatusOK || len(list) != 10 {
			b.Fatal(a)
		}
	}
}
