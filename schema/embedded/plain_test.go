package embedded

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestPlainSQLite checks that package schema returns an error with what to do for a database that another package
// opened, and that this package does not change SQLite for the rest of the process.
func TestPlainSQLite(t *testing.T) {
	ours := memory(t)
	pool := must.Get(sql.Open("sqlite", ":memory:"))(t)
	plain := bun.NewDB(pool, sqlitedialect.New())
	defer plain.Close()
	const like = "SELECT 'É' LIKE 'e'"
	if here, there := number(t, ours, like), number(t, plain, like); here != 1 || there != 0 {
		t.Errorf("%s: %d, elsewhere %d", like, here, there)
	}
	_, checked := schema.Check(ctx, plain, "wp_")
	for _, err := range []error{checked, schema.Install(ctx, plain, "wp_")} {
		if err == nil || !strings.Contains(err.Error(), "agenda/schema/embedded") {
			t.Errorf("%v: this names no package", err)
		}
	}
	if n := number(t, plain, "SELECT count(*) FROM sqlite_schema"); n != 0 {
		t.Errorf("%d tables were made", n)
	}
}
