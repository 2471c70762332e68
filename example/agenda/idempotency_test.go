package main

import (
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestIdempotency checks that the command adds the table of stored responses to a site's database, and nothing else.
func TestIdempotency(t *testing.T) {
	t.Parallel()
	site := testdb.SiteA(t)
	has := func() bool {
		t.Helper()
		has, _, err := schema.HasIdempotency(t.Context(), site, "wp_")
		must.Succeed(t, err)
		return has
	}
	dsn := "--dsn=" + testdb.DSNOf(t, site)
	if code, _, errOut := ran(t, "idempotency", dsn, "--prefix", "other_"); code != 2 || !strings.Contains(errOut, "other_") || has() {
		t.Errorf("another prefix: %d %s", code, errOut)
	}
	for range 2 {
		if code, out, errOut := ran(t, "idempotency", dsn); code != 0 || errOut != "" || !strings.Contains(out, "was added") || !has() {
			t.Errorf("%d %s%s", code, out, errOut)
		}
	}
}
