package calendar_test

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

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
