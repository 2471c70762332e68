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
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// TestSuite runs the contract tests on the embedded database, with a copy of the recorded site.
func TestSuite(t *testing.T) {
	t.Parallel()
	recorded := recordedSite(t)
	answers := observe(t, recorded)
	t.Run("recorded reads", func(t *testing.T) { contract.RecordedReads(t, recorded) })
	t.Run("recorded writes", func(t *testing.T) { contract.RecordedWrites(t, copied(t, recorded, "wp_")) })
	several := copied(t, testdb.SiteDates(t), "wp_")
	// Some of these wait until a deadline passes, and each uses one processor, so they run at the same time as the suite.
	suite := make(chan struct{})
	var beside sync.WaitGroup
	beside.Go(func() {
		t.Run("recorded reads of dates", func(t *testing.T) { contract.RecordedReadsOfDates(t, several) })
		t.Run("recorded reads of each date", func(t *testing.T) { contract.RecordedReadsOfEachDate(t, several) })
		t.Run("recorded writes of dates", func(t *testing.T) { contract.RecordedWritesOfDates(t, several) })
		t.Run("answers are documented", func(t *testing.T) {
			answers.sweep(t, recorded)
			<-suite // its answers count, too
			answers.report(t)
			answers.unseen.missed(t)
		})
	})
	contract.Run(t, engine(recorded))
	close(suite)
	beside.Wait()
}

// TestLongTheModelFindsMistakes checks that the suite's model of writes finds broken writes.
func TestLongTheModelFindsMistakes(t *testing.T) { contract.BrokenWrites(t, engine(nil)) }

// TestLongSuiteLeft runs the contract tests that TestSuite leaves to the other engine, and checks their responses
// against the document, too.
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

// installed names the snapshot of an empty site's tables. Creating them takes longer than most tests.
const installed = "installed"

func newTables(t testing.TB) func() *bun.DB {
	return func() *bun.DB {
		db := blank(t)
		must.Succeed(t, schema.InstallCopy(t.Context(), db, schema.DefaultPrefix))
		return db
	}
}

// recordedSite returns the recorded site, with the rights on resources that its roles lack.
func recordedSite(t testing.TB) *bun.DB {
	t.Helper()
	return again(t, "recorded", func() *bun.DB {
		db := copiedRows(t, testdb.SiteA(t), "wp_")
		contract.GrantNewKinds(t, db, "wp_")
		return db
	})
}

// blank opens an empty embedded database, which is closed when the test ends.
func blank(t testing.TB) *bun.DB {
	t.Helper()
	db := must.Get(embedded.Open(context.Background(), embedded.Memory))(t)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// counted opens an embedded database with a site's tables, and returns it with the counter of its statements.
func counted(t testing.TB) (*bun.DB, *testdb.Counter) {
	t.Helper()
	counter := &testdb.Counter{}
	return countedFile(t, fileOf(t, snapshotOf(t, installed, newTables(t))), counter), counter
}

// fileOf writes a snapshot to a new file that is removed when the test ends, and returns its path.
func fileOf(t testing.TB, snapshot []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), cli.FileName)
	must.Succeed(t, os.WriteFile(path, snapshot, 0o600))
	return path
}

// countedFile opens the embedded database in a file. It counts the statements unless the counter is nil.
func countedFile(t testing.TB, path string, counter *testdb.Counter) *bun.DB {
	t.Helper()
	file := must.Get(embedded.Open(context.Background(), path))(t)
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

// connector connects with a driver that is not registered under a name.
type connector struct {
	driver driver.Driver
	dsn    string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }

func (c connector) Driver() driver.Driver { return c.driver }

// copied copies a site with the prefix wp_ into a blank database. Nobody may write to the site meanwhile.
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
	must.Succeed(t, transfer.Copy(t.Context(), from, db, "wp_", prefix, nil))
	return db
}

// snapshots contains the results of snapshotOf by name.
var snapshots = struct {
	sync.Mutex
	of map[any][]byte
}{of: map[any][]byte{}}

// snapshotOf returns the content of the database that prepare creates. It calls prepare once per name.
func snapshotOf(t testing.TB, name any, prepare func() *bun.DB) []byte {
	t.Helper()
	snapshots.Lock()
	defer snapshots.Unlock()
	if snapshots.of[name] == nil {
		snapshot := must.Get(embedded.Snapshot(t.Context(), prepare()))(t)
		snapshots.of[name] = snapshot
	}
	return snapshots.of[name]
}

// again opens a database with the content of snapshotOf in memory, which takes a fraction of the time of creating it.
func again(t testing.TB, name any, prepare func() *bun.DB) *bun.DB {
	t.Helper()
	db := must.Get(embedded.OpenSnapshot(context.Background(), snapshotOf(t, name, prepare)))(t)
	t.Cleanup(func() { _ = db.Close() })
	return db
}
