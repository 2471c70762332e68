package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/example/internal/cli"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestTimeoutsFollowThatOfARequest checks that neither the server, the connection to the database nor the end of the
// program interrupts a request that is within its time limit.
func TestTimeoutsFollowThatOfARequest(t *testing.T) {
	for _, request := range []time.Duration{time.Second, 30 * time.Second, 2 * time.Minute, time.Hour} {
		h := newServer(http.NotFoundHandler(), request, slog.New(slog.DiscardHandler))
		for name, got := range map[string]time.Duration{
			"end of the program": shutdownTimeout(request), "WriteTimeout": h.WriteTimeout,
		} {
			if got < request+request/2 {
				t.Errorf("-request-timeout %s: %s is %s", request, name, got)
			}
		}
		if h.ReadTimeout <= request || silence(request) <= request {
			t.Errorf("-request-timeout %s: a body may take %s, the database %s", request, h.ReadTimeout, silence(request))
		}
	}
}

// TestTheDriverWritesToTheLog checks that a message of the MySQL driver is written to the program's log, without the
// password.
func TestTheDriverWritesToTheLog(t *testing.T) {
	t.Parallel()
	site := testdb.SiteA(t)
	s := settings{
		Database: cli.Database{DSN: testdb.DSNOf(t, site), Prefix: "wp_"}, logFormat: "json", logLevel: "info", dbConnections: 1,
		requestTimeout: time.Second,
	}
	var out output
	log := must.Get(s.logger(&out))(t)
	db := must.Get(s.open(t.Context(), version{}, log))(t)
	defer db.Close()
	var id int64
	must.Succeed(t, db.NewSelect().ColumnExpr("CONNECTION_ID()").Scan(t.Context(), &id))
	change(t, site, fmt.Sprintf("KILL %d", id))
	deadline := time.Now().Add(3 * time.Minute)
	for time.Now().Before(deadline) && !strings.Contains(out.String(), "database driver") {
		time.Sleep(time.Millisecond)
		_, _ = db.ExecContext(t.Context(), "DO 1")
	}
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, `{"time":`) || strings.Contains(line, s.DSN) {
			t.Errorf("%s", line)
		}
	}
	if !strings.Contains(out.String(), `"msg":"database driver"`) {
		t.Errorf("the driver logged nothing: %s", &out)
	}
}
