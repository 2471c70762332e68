package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/sqlite"
	"github.com/agendahq/agenda/internal/testdb"
	"github.com/agendahq/agenda/schema"
)

// probe asks for the readiness of a database and compares the answer.
func probe(t *testing.T, about string, db *bun.DB, status int, want string) {
	t.Helper()
	bound, err := schema.Bind(db, "wp_")
	if err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.GET("/readyz", ready(bound, false, slog.New(slog.DiscardHandler)))
	w := httptest.NewRecorder()
	router.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if w.Code != status || w.Body.String() != want || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		t.Errorf("%s: %d %s %s, want %d %s", about, w.Code, w.Header().Get("Content-Type"), w.Body, status, want)
	}
}

const (
	isReady   = `{"database":"ok","writable":true}`
	readsOnly = `{"database":"ok","writable":false}`
	isDown    = `{"database":"unavailable","writable":false}`
)

// change runs a statement on a test's database.
func change(t *testing.T, db *bun.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// TestReadyzOfAServer: a row of the site is read, and whether the site can be
// written is found out without a write.
func TestReadyzOfAServer(t *testing.T) {
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
	change(t, db, "RENAME TABLE wp_options TO wp_options_old")
	probe(t, "a renamed table", db, http.StatusServiceUnavailable, isDown)
	change(t, db, "RENAME TABLE wp_options_old TO wp_options")
	probe(t, "named as before", db, http.StatusOK, isReady)
	counter.Before(func(ctx context.Context, _ int, _ string) error {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("a probe may take for ever")
		}
		return nil
	})
	probe(t, "bounded", db, http.StatusOK, isReady)
}

// TestReadyzOfTheEmbeddedDatabase: a file that cannot grow, or that a writer
// holds, is read all the same, and nothing of the probe stays.
func TestReadyzOfTheEmbeddedDatabase(t *testing.T) {
	dir, db := embedded(t)
	db.SetMaxOpenConns(1) // so that the limit below holds for the probe's connection
	probe(t, "all is well", db, http.StatusOK, isReady)
	probe(t, "again", db, http.StatusOK, isReady)

	change(t, db, "PRAGMA max_page_count = 1") // no more than there are: the disk is full
	probe(t, "full", db, http.StatusOK, readsOnly)
	change(t, db, "PRAGMA max_page_count = 1000000")

	other, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	held := errors.New("held")
	err = other.RunInTx(t.Context(), nil, func(context.Context, bun.Tx) error {
		probe(t, "while another writes", db, http.StatusOK, isReady)
		return held
	})
	if !errors.Is(err, held) {
		t.Fatal(err)
	}
	change(t, other, "ALTER TABLE wp_options RENAME TO old_options")
	probe(t, "a renamed table", db, http.StatusServiceUnavailable, isDown)
	if missing, err := other.NewSelect().Table("sqlite_schema").Where("name = 'agenda_probe'").Exists(t.Context()); missing || err != nil {
		t.Errorf("the probe left a table: %t, %v", missing, err)
	}
}

// TestReadyzOfAReadOnlyCalendar: the switch of the calendar counts as well, and a
// start with it writes no demo content.
func TestReadyzOfAReadOnlyCalendar(t *testing.T) {
	dir := t.TempDir()
	address, end := server(t, "-data", dir, "-read-only")
	if resp, body := get(t, address+"/readyz"); resp.StatusCode != http.StatusOK || body != readsOnly {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	if _, body := get(t, address+"/wp-json/vendor/events/v1/events?start_date=2000-01-01"); !strings.Contains(body, `"events":[]`) {
		t.Errorf("a start that writes nothing made events: %.200s", body)
	}
	if code, log := end(); code != 0 {
		t.Errorf("code %d: %s", code, log)
	}
}
