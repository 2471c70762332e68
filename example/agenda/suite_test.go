package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/transfer"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// TestSuite runs the contract tests on the embedded database, with the recorded
// site copied into it.
func TestSuite(t *testing.T) {
	recorded := recordedSite(t)
	answers := observe(t, recorded)
	t.Run("recorded reads", func(t *testing.T) { contract.RecordedReads(t, recorded) })
	t.Run("recorded writes", func(t *testing.T) { contract.RecordedWrites(t, copied(t, recorded, "wp_")) })
	several := copied(t, testdb.SiteDates(t), "wp_")
	t.Run("recorded reads of dates", func(t *testing.T) { contract.RecordedReadsOfDates(t, several) })
	t.Run("recorded reads of each date", func(t *testing.T) { contract.RecordedReadsOfEachDate(t, several) })
	t.Run("recorded writes of dates", func(t *testing.T) { contract.RecordedWritesOfDates(t, several) })
	contract.Run(t, engine(recorded))
	t.Run("answers are documented", func(t *testing.T) {
		answers.sweep(t, recorded)
		answers.report(t)
		answers.unseen.missed(t)
	})
}

// TestLongTheModelFindsMistakes tests the model of writes of the suite.
func TestLongTheModelFindsMistakes(t *testing.T) { contract.BrokenWrites(t, engine(nil)) }

// TestLongSuiteLeft runs those of the contract tests that TestSuite leaves to the other engine. Their answers are documented too.
func TestLongSuiteLeft(t *testing.T) {
	recorded := recordedSite(t)
	answers := observe(t, recorded)
	contract.RunLeft(t, engine(recorded))
	answers.report(t)
}

// engine opens embedded databases.
func engine(recorded *bun.DB) contract.Engine {
	return contract.Engine{
		Recorded: recorded,
		Blank:    func(t testing.TB) *bun.DB { return again(t, installed, newTables(t)) },
		Lasting: func(t testing.TB) *bun.DB {
			return countedFile(t, fileOf(t, snapshotOf(t, installed, newTables(t))), nil)
		},
		Counted:   counted,
		Copy:      func(t testing.TB, prefix string) *bun.DB { return copied(t, recorded, prefix) },
		Share:     contract.TheRest,
		Installed: true,
	}
}

// installed names the snapshot of a site's tables, which takes longer to make than most tests.
const installed = "installed"

func newTables(t testing.TB) func() *bun.DB {
	return func() *bun.DB {
		db := blank(t)
		if err := schema.InstallCopy(t.Context(), db, schema.DefaultPrefix); err != nil {
			t.Fatal(err)
		}
		return db
	}
}

// recordedSite returns the recorded site. Its roles have the rights on kinds that it lacks.
func recordedSite(t testing.TB) *bun.DB {
	t.Helper()
	return again(t, "recorded", func() *bun.DB {
		db := copiedRows(t, testdb.SiteA(t), "wp_")
		contract.GrantNewKinds(t, db, "wp_")
		return db
	})
}

// blank opens an empty embedded database that ends with the test.
func blank(t testing.TB) *bun.DB {
	t.Helper()
	db, err := embedded.Open(context.Background(), embedded.Memory)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// counted opens an embedded database with a site's tables whose statements are counted.
func counted(t testing.TB) (*bun.DB, *testdb.Counter) {
	t.Helper()
	counter := &testdb.Counter{}
	return countedFile(t, fileOf(t, snapshotOf(t, installed, newTables(t))), counter), counter
}

// fileOf returns the path of a new file with a snapshot, which ends with the test.
func fileOf(t testing.TB, snapshot []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), cli.FileName)
	if err := os.WriteFile(path, snapshot, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// countedFile opens the embedded database in a file, with its statements counted unless the counter is nil.
func countedFile(t testing.TB, path string, counter *testdb.Counter) *bun.DB {
	t.Helper()
	file, err := embedded.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if counter == nil {
		t.Cleanup(func() { _ = file.Close() })
		return file
	}
	_ = file.Close()
	const pragmas = "?_pragma=busy_timeout(10000)&_pragma=synchronous(OFF)&_txlock=immediate"
	pool := sql.OpenDB(counter.Wrap(connector{file.Driver(), "file:" + path + pragmas}))
	t.Cleanup(func() { _ = pool.Close() })
	return bun.NewDB(pool, sqlitedialect.New())
}

// connector connects by a driver that has no name.
type connector struct {
	driver driver.Driver
	dsn    string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }

func (c connector) Driver() driver.Driver { return c.driver }

// copied copies a site with the prefix wp_, which nobody writes to, into a blank database.
func copied(t testing.TB, from *bun.DB, prefix string) *bun.DB {
	t.Helper()
	type origin struct {
		db     *bun.DB
		prefix string
	}
	return again(t, origin{from, prefix}, func() *bun.DB { return copiedRows(t, from, prefix) })
}

func copiedRows(t testing.TB, from *bun.DB, prefix string) *bun.DB {
	t.Helper()
	db := blank(t)
	if err := transfer.Copy(t.Context(), from, db, "wp_", prefix, nil); err != nil {
		t.Fatal(err)
	}
	return db
}

// snapshots are those of snapshotOf, by name.
var snapshots = struct {
	sync.Mutex
	of map[any][]byte
}{of: map[any][]byte{}}

// snapshotOf returns the database that prepare made the first time that it was asked for by this name.
func snapshotOf(t testing.TB, name any, prepare func() *bun.DB) []byte {
	t.Helper()
	snapshots.Lock()
	defer snapshots.Unlock()
	if snapshots.of[name] == nil {
		snapshot, err := embedded.Snapshot(t.Context(), prepare())
		if err != nil {
			t.Fatal(err)
		}
		snapshots.of[name] = snapshot
	}
	return snapshots.of[name]
}

// again opens the database of snapshotOf in memory, which takes a fraction of making it.
func again(t testing.TB, name any, prepare func() *bun.DB) *bun.DB {
	t.Helper()
	db, err := embedded.OpenSnapshot(context.Background(), snapshotOf(t, name, prepare))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
