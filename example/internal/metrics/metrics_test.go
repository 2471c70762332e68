package metrics

import (
	"database/sql"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// observed returns the metrics of a few requests.
func observed(t *testing.T) *Metrics {
	t.Helper()
	m := New("v1.2.3", "abc")
	connector := must.Get(mysql.NewConnector(mysql.NewConfig()))(t)
	pool := sql.OpenDB(connector) // opens no connection yet
	t.Cleanup(func() { _ = pool.Close() })
	for _, o := range []calendar.Observation{
		{
			Route: "/events", Method: "GET", Status: 200, Duration: 3 * time.Millisecond, Bytes: 100, Statements: 4, Cache: "miss",
			Caller: "anonymous",
		},
		{Route: "/events", Method: "GET", Status: 200, Duration: 300 * time.Microsecond, Bytes: 100, Cache: "hit", Caller: "anonymous"},
		{Route: "/events/{id}", Method: "DELETE", Status: 429, Bytes: 7, Caller: "refused"},
		{Route: "/events/{id}", Method: "DELETE", Status: 503, Bytes: 7, Caller: "refused"},
		{Method: "OTHER", Status: 404, Bytes: 9, Caller: "user"},
	} {
		m.Observe(t.Context(), o)
	}
	m.Pool(pool)
	m.Calendar(func() calendar.Stats {
		return calendar.Stats{
			InFlight: 2, ChangesWaiting: 3, TextHits: 4, TextMisses: 5, TextBytes: 6,
			Journal: calendar.JournalStats{
				Kept: true, Sequence: 20, Until: time.Unix(1800000001, 0), Comparisons: 21, Spent: 2500 * time.Millisecond,
				Own: 22, Failures: 23,
			},
			Publishing: calendar.PublishStats{Posts: 7, Rounds: 8, Failures: 9, Last: time.Unix(1800000000, 0)},
			Cache: calendar.CacheStats{
				Looks: 10, Epochs: map[string]int64{"table changed": 11, "own commit": 12},
				Written: map[string]int64{"postmeta": 13}, Unsettled: 1500 * time.Millisecond,
				Hits: 13, Misses: 14, Evictions: 15, Bytes: 16,
			},
			Replicas: []calendar.ReplicaStats{
				{Requests: 17, Position: map[string]uint64{"0": 18}},
				{Reason: "too far behind", Requests: 19, Lag: 2 * time.Second},
			},
		}
	})
	m.Calendar(func() calendar.Stats { // the calendar of another host name, on the same pool
		return calendar.Stats{
			InFlight: 100, ChangesWaiting: 100, TextHits: 100, TextMisses: 100, TextBytes: 100,
			Publishing: calendar.PublishStats{Posts: 100, Rounds: 100, Failures: 100},
			Journal:    calendar.JournalStats{Kept: true, Until: time.Unix(1800000000, 0), Comparisons: 100, Own: 100, Failures: 100},
			Cache:      calendar.CacheStats{Looks: 10, Epochs: map[string]int64{"own commit": 12}, Evictions: 100, Bytes: 100},
			Replicas:   []calendar.ReplicaStats{{Requests: 100, Lag: time.Second}, {Requests: 100}},
		}
	})
	return m
}

func TestNamesFollowPrometheus(t *testing.T) {
	problems, err := testutil.GatherAndLint(observed(t).registry)
	if err != nil || len(problems) > 0 {
		t.Error(err, problems)
	}
}

func TestFigures(t *testing.T) {
	w := httptest.NewRecorder()
	observed(t).Handler(slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text := w.Body.String()
	golden.Each(t, "figures.txt", func(line string) {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("no %s", line)
		}
	})
	if strings.Contains(text, `status="503"`) {
		t.Error("an outage counts as a refused login")
	}
	for _, begins := range []string{"go_goroutines ", "process_cpu_seconds_total "} {
		if !strings.Contains(text, "\n"+begins) {
			t.Errorf("no %s", begins)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}
