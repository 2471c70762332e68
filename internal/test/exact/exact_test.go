// Package exact_test contains tests that wait for a database server. They are in a package of their own so that other
// tests can run meanwhile.
package exact_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

var rounds = flag.Int("exact.rounds", 3, "how often TestLongExactInAllForms commits in each form")

// TestExact checks that the response to a request contains everything that other programs or processes committed before
// the request, while most responses come from memory, and that a row that all writers wait for does not block readers.
func TestExact(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	contract.NewExact(t, calendar.Cache{Settle: 3 * time.Second}, func(c *testdb.Counter) *bun.DB {
		if c == nil {
			return testdb.Reopen(t, db)
		}
		return testdb.Reopen(t, db, testdb.WithCounter(c))
	}).Run(4 * time.Second)
}

// TestAtMostStale checks that with MaxStale, no response lacks what others committed more than that time ago, nor
// anything that its own process committed, while others write all the time.
func TestAtMostStale(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	contract.NewExact(t, calendar.Cache{Settle: 3 * time.Second, MaxStale: 500 * time.Millisecond}, func(c *testdb.Counter) *bun.DB {
		if c == nil {
			return testdb.Reopen(t, db)
		}
		return testdb.Reopen(t, db, testdb.WithCounter(c))
	}).RunBusy()
}

// TestLongExactInAllForms checks the same for every form in which a program can commit, while others write to another
// database of the server.
func TestLongExactInAllForms(t *testing.T) {
	t.Parallel()
	run := func(flags ...string) func(t *testing.T) {
		return func(t *testing.T) {
			t.Parallel()
			// One of the forms takes more than a second, and MariaDB sets the update time of a table to the beginning
			// of the transaction.
			contract.NewExact(t, calendar.Cache{Settle: 5 * time.Second}, testdb.NewAlone(t, flags...).Open).Forms(*rounds)
		}
	}
	t.Run("plain", run())
	if testdb.StartsMySQL() {
		t.Run("transactions", run(transactions...))
	}
}

// TestLongExactWithServer checks that, whatever happens to the server and its tables, no response is older than what
// was committed before the request. MySQL is tested with and without GTIDs, because changes are detected differently.
func TestLongExactWithServer(t *testing.T) {
	t.Parallel()
	t.Run("plain", func(t *testing.T) { exactWithServer(t) })
	if testdb.StartsMySQL() {
		t.Run("transactions", func(t *testing.T) { exactWithServer(t, transactions...) })
	}
}

// transactions contains the flags with which MySQL assigns GTIDs to transactions.
var transactions = []string{"--log-bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"}

func exactWithServer(t *testing.T, flags ...string) {
	t.Parallel()
	// With a single instance of the table cache, which all connections use, a few queries open all tables.
	flags = append(flags, "--table-definition-cache=400", "--table-open-cache=400", "--table-open-cache-instances=1")
	server := testdb.NewAlone(t, flags...)
	x := contract.NewExact(t, calendar.Cache{Settle: time.Second}, server.Open)
	exec := func(statements ...string) {
		t.Helper()
		conn := must.Get(x.Program().Conn(t.Context()))(t)
		defer conn.Close()
		for _, s := range append([]string{"SET SESSION sql_mode = ''"}, statements...) { // the tables contain zero dates
			if _, err := conn.NewRaw(s).Exec(t.Context()); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
	}
	for i := range 600 {
		exec(fmt.Sprintf("CREATE TABLE other_%d (id int PRIMARY KEY)", i))
	}
	evict := func() {
		t.Helper()
		exec("FLUSH TABLES")
		for i := range 600 {
			exec(fmt.Sprintf("SELECT * FROM other_%d", i))
		}
	}
	restart := func(end func()) func() {
		return func() {
			t.Helper()
			end()
			server.Start()
			for x.Program().Ping() != nil { // until the connections to the previous server are gone
				time.Sleep(10 * time.Millisecond)
			}
		}
	}
	for _, step := range []struct {
		name    string
		happen  func()
		unknown bool // the server has no update times of tables, as after a restart
		looks   bool // requests are sent while it happens
	}{
		{"nothing", func() {}, false, true},
		{"nothing", func() {}, true, false},
		{"stopped", restart(server.Stop), false, true},
		{"killed", restart(server.Kill), false, true},
		{"killed", restart(server.Kill), true, false},
		{"flushed", func() { exec("FLUSH TABLES") }, true, true},
		{"evicted", evict, true, true},
		{"evicted while the server is idle", func() { evict(); time.Sleep(1200 * time.Millisecond) }, true, false},
		{"altered", func() {
			exec("ALTER TABLE ?(prefix)posts ADD COLUMN other int NULL", "ALTER TABLE ?(prefix)posts DROP COLUMN other",
				"ALTER TABLE ?(prefix)postmeta FORCE", "OPTIMIZE TABLE ?(prefix)icl_translations")
		}, true, true},
		{"renamed and back", func() {
			exec("RENAME TABLE ?(prefix)postmeta TO aside", "RENAME TABLE aside TO ?(prefix)postmeta")
		}, true, true},
		{"dropped, and another one in its place", func() {
			exec("CREATE TABLE aside LIKE ?(prefix)tec_occurrences", "INSERT INTO aside SELECT * FROM ?(prefix)tec_occurrences",
				"DROP TABLE ?(prefix)tec_occurrences", "RENAME TABLE aside TO ?(prefix)tec_occurrences")
		}, true, true},
		{"dropped and made again", func() {
			exec("CREATE TABLE aside LIKE ?(prefix)tec_occurrences", "INSERT INTO aside SELECT * FROM ?(prefix)tec_occurrences",
				"DROP TABLE ?(prefix)tec_occurrences", "CREATE TABLE ?(prefix)tec_occurrences LIKE aside",
				"INSERT INTO ?(prefix)tec_occurrences SELECT * FROM aside", "DROP TABLE aside")
		}, true, false},
		{"a view for a while", func() {
			exec("RENAME TABLE ?(prefix)postmeta TO aside", "CREATE VIEW ?(prefix)postmeta AS SELECT * FROM aside")
			x.WriteAll()
			x.ReadBack()
			exec("DROP VIEW ?(prefix)postmeta", "RENAME TABLE aside TO ?(prefix)postmeta")
		}, true, true},
	} {
		if step.unknown {
			restart(server.Kill)()
			x.ReadBack()
		}
		x.Warm()
		stop := func() {}
		if step.looks {
			x.Outage(true)
			stop = x.Read(2)
		}
		x.WriteAll()
		step.happen()
		stop()
		x.ReadBack()
		x.WriteAll()
		x.ReadBack()
		if t.Failed() {
			x.Logged()
			t.Fatalf("%s, times unknown: %t, looks: %t", step.name, step.unknown, step.looks)
		}
	}
	x.Logged()
}
