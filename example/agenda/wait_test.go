package main

import (
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestStartWaitsForTheDatabase checks that a start retries until the database is available, and otherwise ends with one
// line and a specific exit code.
func TestStartWaitsForTheDatabase(t *testing.T) {
	t.Parallel()
	alone := testdb.NewAlone(t)
	must.Succeed(t, schema.Install(t.Context(), alone.Open(nil), "wp_"))
	alone.Stop()
	code, _, text := ran(t, "serve", "--addr", "127.0.0.1:0", "--dsn", alone.DSN(), "--wait", "10ms")
	if lines := strings.Split(text, "\n"); code != 3 || !strings.Contains(text, "waiting for the database") || len(lines) != 3 ||
		!strings.HasPrefix(lines[1], "agenda: after 10ms: no database answers at ") {
		t.Errorf("%d %s", code, text)
	}
	var out output
	program(t, &out, "serve", "--addr", "127.0.0.1:0", "--dsn", alone.DSN(), "--wait", "60s")
	until(t, &out, "waiting for the database")
	alone.Start()
	address := until(t, &out, `API (http://[^/ ]+)`)
	if resp, _ := get(t, address+"/readyz"); resp.StatusCode != 200 {
		t.Errorf("ready: %d", resp.StatusCode)
	}
}
