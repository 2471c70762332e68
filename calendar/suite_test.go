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
				if _, err := db.Exec("ALTER TABLE wp_tec_occurrences " + change); err != nil {
					t.Fatal(err)
				}
			}
			contract.RecordedWritesOfDates(t, db)
		})
	}
}

// TestRecordedBeside: sites where other programs are active answer and store as recorded, but for what is decided otherwise.
func TestRecordedBeside(t *testing.T) {
	t.Parallel()
	for _, c := range contract.Beside {
		t.Run(c.Corpus, func(t *testing.T) {
			t.Parallel()
			c.Replay(t, testdb.SiteBeside(t, c.Site, c.Variant))
		})
	}
}
