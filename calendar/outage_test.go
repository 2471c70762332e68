package calendar_test

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// line dials connections to a database server, and can simulate that the server is unreachable.
type line struct {
	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

func (l *line) dial(ctx context.Context, network, address string) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return nil, &net.OpError{Op: "dial", Net: network, Err: errors.New("connect: connection refused")}
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if err == nil {
		l.conns = append(l.conns, conn)
	}
	return conn, err
}

// down closes every connection and rejects new ones until up is called.
func (l *line) down() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = true
	for _, c := range l.conns {
		_ = c.Close()
	}
	l.conns = nil
}

func (l *line) up() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = false
}

// over opens another pool on the database of db, whose connections are dialled by l.
func (l *line) over(t *testing.T, db *bun.DB, counter *testdb.Counter) *bun.DB {
	t.Helper()
	cfg := must.Get(mysql.ParseDSN(testdb.DSNOf(t, db)))(t)
	cfg.DialFunc, cfg.Logger = l.dial, &mysql.NopLogger{}
	connector := must.Get(mysql.NewConnector(cfg))(t)
	pool := sql.OpenDB(counter.Wrap(connector))
	t.Cleanup(func() { _ = pool.Close() })
	return bun.NewDB(pool, mysqldialect.New())
}

// TestDatabaseDown checks that requests are answered with 503 while the database server is unreachable, without details
// of the connection in answers or secrets in the log, and as before when the server is back.
func TestDatabaseDown(t *testing.T) {
	var way line
	var counter testdb.Counter
	log := &record{}
	h := contract.Handler(t, calendar.Options{DB: way.over(t, testdb.SiteA(t), &counter), Logger: log.logger(), Now: frozen})
	paths := []string{"/events/25", "/events", "/venues/8", "/categories", "/tags/17"}
	works := func(when string) {
		t.Helper()
		for _, path := range paths {
			wantStatus(t, get(h, path), http.StatusOK, when, path)
		}
	}
	works("at first")
	for range 2 {
		way.down()
		for _, path := range paths {
			w := get(h, path+"?password="+secret, credentials...)
			wantError(t, w, http.StatusServiceUnavailable, "rest_unavailable")
			if strings.Contains(w.Body.String(), "refused") || strings.Contains(w.Body.String(), "sock") || w.Header().Get("ETag") != "" {
				t.Errorf("%s: %s %v", path, w.Body, w.Header())
			}
		}
		logged := log.takeRecords()
		if len(logged) != len(paths) || strings.Contains(strings.Join(logged, "\n"), secret) {
			t.Errorf("logged %s", logged)
		}
		way.up()
		works("after an outage")
	}
	// The server becomes unreachable during a request, at its first or second statement.
	for n := 1; n <= 2; n++ {
		counter.Reset()
		counter.Before(func(_ context.Context, i int, _ string) error {
			if i == n {
				way.down()
			}
			return nil
		})
		wantError(t, get(h, "/events/25"), http.StatusServiceUnavailable, "rest_unavailable")
		counter.Reset()
		way.up()
		works("after it went within a request")
	}
	log.takeRecords()
}
