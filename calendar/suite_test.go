package calendar_test

import (
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestSuite runs, on MariaDB, the tests that apply to every database engine.
func TestSuite(t *testing.T) {
	t.Parallel()
	e := onMariaDB()
	e.Recorded = testdb.SiteA(t)
	contract.Run(t, e)
}

// onMariaDB returns the engine without its recorded site.
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

// TestLongSuiteOnANetwork runs the tests of TestSuite with sites of a WordPress network, whose users are in the tables
// of its first site.
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

func TestRecordedReads(t *testing.T) {
	t.Parallel()
	contract.RecordedReads(t, testdb.SiteA(t))
}

func TestRecordedWrites(t *testing.T) {
	t.Parallel()
	contract.RecordedWrites(t, testdb.SiteA(t))
}

func TestRecordedReadsOfDates(t *testing.T) {
	t.Parallel()
	contract.RecordedReadsOfDates(t, testdb.SiteDates(t))
}

func TestRecordedReadsOfEachDate(t *testing.T) {
	t.Parallel()
	contract.RecordedReadsOfEachDate(t, testdb.SiteDates(t))
}

func TestRecordedWritesOfEachDate(t *testing.T) {
	t.Parallel()
	contract.RecordedWritesOfEachDate(t, testdb.SiteDates(t))
}

func TestRecordedWritesOfDates(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{"unique hash": "", "any hash": "DROP INDEX hash, ADD INDEX hash (hash)"} {
		t.Run(name, func(t *testing.T) {
			db := testdb.SiteDates(t, testdb.WithSQLMode(""))
			if change != "" {
				must.Get(db.Exec("ALTER TABLE wp_tec_occurrences " + change))(t)
			}
			contract.RecordedWritesOfDates(t, db)
		})
	}
}

// TestRecordedBeside checks that sites on which other plugins are active answer requests and store writes as recorded,
// except where a decision says otherwise.
func TestRecordedBeside(t *testing.T) {
	t.Parallel()
	for _, c := range contract.Beside {
		t.Run(c.Corpus, func(t *testing.T) {
			t.Parallel()
			c.Replay(t, testdb.SiteBeside(t, c.Site, c.Variant))
		})
	}
}
