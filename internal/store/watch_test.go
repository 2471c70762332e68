package store

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/change"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestVersionsOfSimilarNames checks that tables whose names equal those of the site only in the server's collation are
// ignored.
func TestVersionsOfSimilarNames(t *testing.T) {
	_, db := recorded(t)
	execute(t, db, "CREATE TABLE `wp_p\u00f6sts` (id int)")
	execute(t, db, "CREATE TABLE `WP_POSTS` (id int)")
	s := newStore(t, db, watching)
	t.Cleanup(s.Close)
	clock := s.Tracker
	if clock == nil {
		t.Fatal(s.Unwatched)
	}
	state := clock.Poll(t.Context())
	if got := state.Options(); got == nil || (*got)["home"] == "" || clock.Stats().Epochs["look failed"] > 0 {
		t.Errorf("%v, %+v", got, clock.Stats())
	}
	execute(t, db, "INSERT INTO `WP_POSTS` VALUES (1)")
	posts := TablePosts.Set()
	if after := clock.Poll(t.Context()); after.Epoch(posts) != state.Epoch(posts) {
		t.Error("a change of another table counts")
	}
}

// TestVersionsOfUnreadMeta checks that the meta table of terms, on which no answer depends without custom fields,
// invalidates nothing: often it was not written since the server was started, so that its time is unknown, and then any
// table that the server opens would count as a change of it.
func TestVersionsOfUnreadMeta(t *testing.T) {
	_, db := recorded(t)
	execute(t, db, "CREATE TABLE wp_unwritten LIKE wp_termmeta")
	execute(t, db, "RENAME TABLE wp_termmeta TO wp_written, wp_unwritten TO wp_termmeta")
	for _, read := range []bool{false, true} {
		s := newStore(t, db, watching, func(c *Config) { c.TermMeta = read })
		t.Cleanup(s.Close)
		for i := range 3 {
			if s.Tracker.Poll(t.Context()) == nil {
				t.Fatal(s.Unwatched)
			}
			time.Sleep(40 * time.Millisecond) // a poll that is sooner is assumed to find the time of a table that was written
			execute(t, db, fmt.Sprintf("CREATE TABLE other_%v_%d (id int)", read, i))
			execute(t, db, fmt.Sprintf("INSERT INTO other_%v_%d VALUES (1)", read, i))
		}
		s.Tracker.Poll(t.Context())
		if moved := s.Tracker.Stats().Moved[TableTermMeta.String()]; moved > 0 != read {
			t.Errorf("read %v: counted as changed %d times", read, moved)
		}
	}
}

// TestReadsLeaveAReadOnlyServer checks that a process that only reads closes its connections to a server that became
// read-only, which polls notice.
func TestReadsLeaveAReadOnlyServer(t *testing.T) {
	db, err := schema.Bind(testdb.NewAlone(t).Open(nil), "wp_") // other tests need a server that accepts writes
	must.Succeed(t, err)
	must.Succeed(t, schema.Install(t.Context(), db, "wp_"))
	s := newStore(t, db, watching)
	connection := func() int64 {
		return must.Get(Number(t.Context(), s.DB.Select().ColumnExpr("CONNECTION_ID()")))(t)
	}
	t.Cleanup(s.Close)
	clock := s.Tracker
	if clock == nil {
		t.Fatal(s.Unwatched)
	}
	clock.Poll(t.Context())
	before := connection()
	if now := connection(); now != before {
		t.Fatal("the pool has more than one idle connection")
	}
	execute(t, db, "SET GLOBAL read_only = 1")
	for connection() == before {
		clock.Poll(t.Context())
	}
}

// TestSetsThroughVitess checks that behind vtgate the set of the keyspace's primary shows what was committed, until the
// keyspace has several shards or the answers come from a server that accepts no writes.
func TestSetsThroughVitess(t *testing.T) {
	if !testdb.StartsMySQL() {
		return // Vitess does not support MariaDB
	}
	server := testdb.NewAlone(t, "--log-bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON")
	gate, others, shards := new(testdb.Counter), server.Open(nil), new(atomic.Pointer[string])
	one := "SELECT CONCAT(DATABASE(), '/0') AS Shards"
	two := "SELECT CONCAT(DATABASE(), '/-80') AS Shards UNION SELECT CONCAT(DATABASE(), '/80-')"
	shards.Store(&one)
	gate.Rewrite(func(query string) string {
		switch {
		case strings.HasSuffix(query, "SHOW VITESS_SHARDS"):
			return *shards.Load()
		case strings.HasSuffix(query, "SHOW VITESS_TABLETS"):
			return "SELECT DATABASE() AS Keyspace, '0' AS Shard, 'PRIMARY' AS TabletType, 'SERVING' AS State"
		}
		return query
	})
	db := must.Get(schema.Bind(server.Open(gate), "wp_"))(t)
	must.Succeed(t, schema.Install(t.Context(), db, "wp_"))
	s := newStore(t, db, watching)
	t.Cleanup(s.Close)
	terms := TableTerms.Set()
	before := s.Tracker.Poll(t.Context())
	if again := s.Tracker.Poll(t.Context()); s.Tracker.Stats().Method != change.MethodSet || again.Epoch(terms) != before.Epoch(terms) {
		t.Fatalf("nothing was committed: %+v", s.Tracker.Stats())
	}
	for range 2 { // within one second, too
		execute(t, others, "INSERT INTO wp_terms (name, slug) VALUES ('Name', 'slug')")
		after := s.Tracker.Poll(t.Context())
		if after.Epoch(terms) == before.Epoch(terms) {
			t.Error("a commit does not show")
		}
		before = after
	}
	execute(t, others, "SET GLOBAL super_read_only = ON")
	if s.Tracker.Poll(t.Context()); !strings.Contains(s.Tracker.Stats().Unknown, "read-only") {
		t.Errorf("read from a server that takes no writes: %+v", s.Tracker.Stats())
	}
	execute(t, others, "SET GLOBAL read_only = OFF")
	if s.Tracker.Poll(t.Context()); s.Tracker.Stats().Unknown != "" {
		t.Errorf("the primary: %+v", s.Tracker.Stats())
	}
	for shards.Store(&two); s.Tracker.Stats().Unknown == ""; {
		s.Tracker.Poll(t.Context())
	}
}

// TestSetsOfTransactions checks that the set of transactions of a MySQL server shows what was committed, however long
// it is, until there are commits that the server does not log.
func TestSetsOfTransactions(t *testing.T) {
	if !testdb.StartsMySQL() {
		return // MariaDB's transaction identifiers do not show when rows are visible
	}
	server := testdb.NewAlone(t, "--log-bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON")
	db := must.Get(schema.Bind(server.Open(nil), "wp_"))(t)
	must.Succeed(t, schema.Install(t.Context(), db, "wp_"))
	s := newStore(t, db, watching)
	t.Cleanup(s.Close)
	if s.Tracker == nil {
		t.Fatal(s.Unwatched)
	}
	terms := TableTerms.Set()
	look := func() uint64 {
		state := s.Tracker.Poll(t.Context())
		if !state.Settled(terms) && s.Tracker.Stats().Method == change.MethodSet {
			t.Error("something has to settle")
		}
		return state.Epoch(terms)
	}
	commit := func() { execute(t, db, "INSERT INTO wp_terms (name, slug) VALUES ('Name', 'slug')") }
	for _, long := range []bool{false, true} {
		if long {
			var sources []string
			for i := range 40 {
				sources = append(sources, fmt.Sprintf("8f6b2a54-5f0c-4d5e-9a51-2c7d10f3a0%02d:1-7", i))
			}
			execute(t, db, "SET GLOBAL gtid_purged = '+"+strings.Join(sources, ",")+"'")
		}
		before := look()
		if again := look(); again != before {
			t.Errorf("long: %t: nothing was committed, and epoch %d becomes %d", long, before, again)
		}
		if commit(); look() == before {
			t.Errorf("long: %t: a commit does not show", long)
		}
	}
	conn := must.Get(db.Conn(t.Context()))(t)
	defer conn.Close()
	unlogged := func(statement string) {
		must.Get(conn.ExecContext(t.Context(), statement))(t)
	}
	for unlogged("SET SESSION sql_log_bin = 0"); s.Tracker.Stats().Method == change.MethodSet; look() {
		unlogged("UPDATE wp_terms SET term_group = term_group + 1")
	}
	if stats := s.Tracker.Stats(); stats.Method != change.MethodCommit || stats.Unknown != "" {
		t.Errorf("%+v", stats)
	}
}
