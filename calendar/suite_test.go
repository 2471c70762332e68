package calendar_test

import (
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// TestSuite runs what holds on every engine on MariaDB.
func TestSuite(t *testing.T) {
	t.Parallel()
	contract.Run(t, contract.Engine{
		Recorded: testdb.SiteA(t), Share: contract.OneThird,
		Blank:   func(t testing.TB) *bun.DB { return testdb.New(t) },
		Lasting: func(t testing.TB) *bun.DB { return testdb.New(t) },
		Counted: func(t testing.TB) (*bun.DB, *testdb.Counter) { return testdb.Counted(t, testdb.New) },
		Copy: func(t testing.TB, prefix string) *bun.DB {
			db := testdb.SiteA(t)
			if prefix != "wp_" {
				testdb.SitePrefixed(t, db, "wp_", prefix)
			}
			return db
		},
	})
}
