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
	e := onMariaDB()
	e.Recorded = testdb.SiteA(t)
	contract.Run(t, e)
}

// onMariaDB is the engine without the recorded site.
func onMariaDB() contract.Engine {
	return contract.Engine{
		Share:   contract.OneThird,
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
	}
}

// TestLongSuiteOnANetwork runs it where each site is one of a network of WordPress, whose users are in the tables of the first one.
func TestLongSuiteOnANetwork(t *testing.T) {
	e := onMariaDB()
	copied := e.Copy
	e.Copy = func(t testing.TB, prefix string) *bun.DB {
		db := copied(t, prefix)
		if prefix == contract.NetworkPrefix {
			contract.NewNetwork(t, db)
		}
		return db
	}
	e.Network, e.Recorded = true, e.Copy(t, contract.NetworkPrefix)
	contract.Run(t, e)
}
