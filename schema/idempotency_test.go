package schema_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func hasIdempotency(t *testing.T, db *bun.DB) (bool, []string) {
	t.Helper()
	has, missing, err := schema.HasIdempotency(t.Context(), db, "wp_")
	must.Succeed(t, err)
	return has, missing
}

// TestInstallIdempotency checks that the function adds its table once and changes nothing else.
func TestInstallIdempotency(t *testing.T) {
	db := testdb.SiteA(t, testdb.WithSQLMode(testdb.MySQL8))
	before, n := checksum(t, db, "wp_"), "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"
	tables := one[int](t, db, n)
	if has, missing := hasIdempotency(t, db); has || missing != nil {
		t.Errorf("before: %t %v", has, missing)
	}
	mentioned := func() bool {
		d := must.Get(schema.Diagnose(t.Context(), db, "wp_", schema.DefaultNames()))(t)
		return slices.ContainsFunc(d.Findings, func(f schema.Finding) bool {
			return f.Subject == "wp_agenda_idempotency" && f.Level == schema.OK && strings.Contains(f.Text, "rejected")
		})
	}
	if !mentioned() {
		t.Error("the diagnosis does not mention that the table is not there")
	}
	if err := schema.InstallIdempotency(t.Context(), db, "other_"); err == nil || !strings.Contains(err.Error(), "other_options") {
		t.Errorf("without a site: %v", err)
	}
	for range 2 {
		must.Succeed(t, schema.InstallIdempotency(t.Context(), db, "wp_"))
		if has, missing := hasIdempotency(t, db); !has || missing != nil {
			t.Errorf("afterwards: %t %v", has, missing)
		}
	}
	if mentioned() {
		t.Error("the diagnosis mentions a table that is there")
	}
	if after := checksum(t, db, "wp_"); !slices.Equal(before, after) || one[int](t, db, n) != tables+1 {
		t.Errorf("before %q\nafter %q", before, after)
	}
}

// TestIdempotencyRights checks that an account without write privileges does not have the table.
func TestIdempotencyRights(t *testing.T) {
	admin, reader := testdb.Granted(t, "GRANT SELECT ON {db}.* TO {user}")
	if has, missing := hasIdempotency(t, reader); has || missing != nil {
		t.Errorf("without the table: %t %v", has, missing)
	}
	must.Succeed(t, schema.InstallIdempotency(t.Context(), admin, "wp_"))
	has, missing := hasIdempotency(t, reader)
	if has || !slices.Equal(missing, []string{"INSERT on wp_agenda_idempotency", "UPDATE on wp_agenda_idempotency",
		"DELETE on wp_agenda_idempotency"}) {
		t.Errorf("with the right to read: %t %v", has, missing)
	}
}
