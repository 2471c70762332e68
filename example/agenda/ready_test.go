package main

import (
	"context"
	"database/sql/driver"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/cli"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// probe requests the readiness of a database and compares the response.
func probe(t *testing.T, about string, db *bun.DB, status int, want string) {
	t.Helper()
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.GET("/readyz", readyHandler(bound, false, true, slog.New(slog.DiscardHandler)))
	w := httptest.NewRecorder()
	router.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if w.Code != status || w.Body.String() != want || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		t.Errorf("%s: %d %s %s, want %d %s", about, w.Code, w.Header().Get("Content-Type"), w.Body, status, want)
	}
}

// answerTables contains the tables without which the calendar cannot respond.
var answerTables = []string{"wp_options", "wp_posts", "wp_postmeta", "wp_terms", "wp_term_taxonomy", "wp_term_relationships",
	"wp_tec_occurrences"}

const (
	isReady   = `{"database":"ok","writable":true}`
	readsOnly = `{"database":"ok","writable":false}`
	isDown    = `{"database":"unavailable","writable":false}`
)

// change executes a statement on the database of a test.
func change(t *testing.T, db *bun.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// TestReadyzOfAServer checks that the probe reads a row of the site, and does not write to find out whether writing is
// possible.
func TestReadyzOfAServer(t *testing.T) {
	t.Parallel()
	db, counter := testdb.Counted(t, testdb.SiteA)
	probe(t, "all is well", db, http.StatusOK, isReady)
	for about, number := range map[string]uint16{"no quorum": 1047, "a crashed table": 1194, "no right to read": 1142} {
		counter.Reset()
		counter.FailAt(1, &mysql.MySQLError{Number: number, Message: "the words of the server"})
		probe(t, about, db, http.StatusServiceUnavailable, isDown)
	}
	for about, number := range map[string]uint16{"read-only": 1290, "InnoDB read-only": 1836, "no right to write": 1142} {
		counter.Reset()
		counter.FailAt(2, &mysql.MySQLError{Number: number, Message: "the words of the server"})
		probe(t, about, db, http.StatusOK, readsOnly)
	}
	counter.Reset()
	for _, table := range answerTables {
		change(t, db, "RENAME TABLE "+table+" TO other_table")
		probe(t, table+" renamed", db, http.StatusServiceUnavailable, isDown)
		change(t, db, "RENAME TABLE other_table TO "+table)
		probe(t, table+" named as before", db, http.StatusOK, isReady)
	}
	counter.Reset()
	probe(t, "counted", db, http.StatusOK, isReady)
	if n := len(counter.Statements()); n != 2 {
		t.Errorf("%d statements, want one that reads and one that writes nothing", n)
	}
	counter.Before(func(ctx context.Context, _ int, _ string) error {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("a probe has no time limit")
		}
		return nil
	})
	probe(t, "bounded", db, http.StatusOK, isReady)
}

// TestReadyzOfTheEmbeddedDatabase checks that a file that cannot grow, or that is locked by a writer, can still be
// read, and that the probe leaves no changes.
func TestReadyzOfTheEmbeddedDatabase(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
	db.SetMaxOpenConns(1) // so that the probe uses the connection with the limit below
	probe(t, "all is well", db, http.StatusOK, isReady)
	probe(t, "again", db, http.StatusOK, isReady)

	change(t, db, "PRAGMA max_page_count = 1") // not more than exist already, as on a full disk
	probe(t, "full", db, http.StatusOK, readsOnly)
	change(t, db, "PRAGMA max_page_count = 1000000")

	other, err := embedded.Open(t.Context(), filepath.Join(dir, cli.FileName))
	must.Succeed(t, err)
	defer other.Close()
	held := errors.New("held")
	err = other.RunInTx(t.Context(), nil, func(context.Context, bun.Tx) error {
		probe(t, "while another writes", db, http.StatusOK, isReady)
		return held
	})
	if !errors.Is(err, held) {
		t.Fatal(err)
	}
	for _, table := range answerTables {
		change(t, other, "ALTER TABLE "+table+" RENAME TO other_table")
		probe(t, table+" renamed", db, http.StatusServiceUnavailable, isDown)
		change(t, other, "ALTER TABLE other_table RENAME TO "+table)
		probe(t, table+" named as before", db, http.StatusOK, isReady)
	}
	change(t, other, "DELETE FROM wp_posts")
	probe(t, "no posts", db, http.StatusOK, isReady)
	if missing, err := other.NewSelect().Table("sqlite_schema").Where("name = 'agenda_probe'").Exists(t.Context()); missing || err != nil {
		t.Errorf("the probe left a table: %t, %v", missing, err)
	}
}

// TestReadyzKeepsTheConnection checks that the probe leaves its connection unchanged and open. It may be the last one
// of an idle database: closing it would make SQLite remove the log.
func TestReadyzKeepsTheConnection(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
	db.SetMaxOpenConns(1)
	change(t, db, "PRAGMA busy_timeout = 4321")
	change(t, db, "CREATE TEMPORARY TABLE mark (n INTEGER)") // the table is dropped when its connection is closed
	probe(t, "all is well", db, http.StatusOK, isReady)
	change(t, db, "PRAGMA max_page_count = 1")
	probe(t, "full", db, http.StatusOK, readsOnly)
	if n := rowsOf(t, db, "mark"); n != 0 {
		t.Error("the probe closed its connection")
	}
	var wait int
	if err := db.QueryRowContext(t.Context(), "PRAGMA busy_timeout").Scan(&wait); err != nil || wait != 4321 {
		t.Errorf("the connection waits %d ms, %v", wait, err)
	}
	// One connection is kept even if the pool closes others.
	conn := must.Get(db.DB.Conn(t.Context()))(t)
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = conn.Close()
	if open := db.Stats().OpenConnections; open != 0 {
		t.Fatalf("%d connections in the pool", open)
	}
	for _, ending := range []string{"-wal", "-shm"} {
		must.Get(os.Stat(filepath.Join(dir, cli.FileName+ending)))(t)
	}
}

// TestReadyzOfAReadOnlyCalendar checks that a calendar with the flag -read-only reports that it is not writable, and
// that it creates no demo content.
func TestReadyzOfAReadOnlyCalendar(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	address, end := server(t, "-data", dir, "-read-only")
	if resp, body := get(t, address+"/readyz"); resp.StatusCode != http.StatusOK || body != readsOnly {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	if _, body := get(t, address+"/wp-json/vendor/events/v1/events?start_date=2000-01-01"); !strings.Contains(body, `"events":[]`) {
		t.Errorf("a start that writes nothing made events: %.200s", body)
	}
	ended(t, end)
}
