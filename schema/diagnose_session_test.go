package schema_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func TestDiagnoseWritesNothing(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	runAll(t, db, []string{
		"DELETE FROM wp_tec_occurrences WHERE post_id < 30", "ALTER TABLE wp_terms ENGINE=MyISAM",
		"UPDATE wp_term_taxonomy SET count = 9", "INSERT INTO wp_postmeta (post_id, meta_key) VALUES (99999, 'x')",
	})
	before := checksum(t, db, "wp_")
	counter.Reset()
	d := diagnose(t, db, "wp_")
	if d.Worst() != schema.Problem {
		t.Errorf("found %q", complaints(d))
	}
	for _, s := range counter.Statements() {
		if word, _, _ := strings.Cut(s, " "); !slices.Contains([]string{"SELECT", "EXPLAIN", "SET"},
			word) || word == "SET" && !strings.HasPrefix(s, "SET SESSION max_") {
			t.Errorf("sent %s", s)
		}
	}
	if tx := counter.Transactions(); tx.Committed != 0 || tx.Begun < 20 || tx.RolledBack != tx.Begun {
		t.Errorf("%+v", tx)
	}
	if after := checksum(t, db, "wp_"); !slices.Equal(before, after) {
		t.Error("a table changed")
	}
}

func TestDiagnoseInASessionThatMayOnlyRead(t *testing.T) {
	db := testdb.SiteA(t)
	want := complaints(diagnose(t, db, "wp_"))
	db.SetMaxOpenConns(1)
	run(t, db, "SET SESSION TRANSACTION READ ONLY")
	if _, err := db.NewRaw("DELETE FROM wp_posts").Exec(t.Context()); err == nil {
		t.Fatal("the session can write: this test shows nothing")
	}
	if got := complaints(diagnose(t, db, "wp_")); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestReadOnlyRefusesToWrite(t *testing.T) {
	db := testdb.SiteA(t)
	err := schema.ReadOnly(t.Context(), db, schema.TimeLimit, func(ctx context.Context, conn bun.IDB) error {
		_, err := conn.NewRaw("DELETE FROM wp_posts").Exec(ctx)
		return err
	})
	var answer *mysql.MySQLError
	if !errors.As(err, &answer) || answer.Number != 1792 {
		t.Errorf("error %v", err)
	}
}

func TestReadOnlyEndsAtItsLimitAndRestoresTheConnection(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	db.SetMaxOpenConns(1)
	setting := "max_statement_time"
	if testdb.IsMySQL(t, db) {
		setting = "max_execution_time"
	}
	for _, before := range []float64{0, 7000} { // more than the limit, in seconds on MariaDB and milliseconds on MySQL
		// Under load, a server may answer so late that the connection is closed. Then there is nothing to restore.
		for try, same := 0, false; !same; try++ {
			if try == 10 {
				t.Fatal("each connection was lost")
			}
			run(t, db, "SET SESSION "+setting+" = ?", before)
			id := one[int64](t, db, "SELECT CONNECTION_ID()")
			err := schema.ReadOnly(t.Context(), db, time.Second, func(ctx context.Context, conn bun.IDB) error {
				var n int64
				return conn.NewRaw("SELECT COUNT(*) FROM wp_postmeta a JOIN wp_postmeta b JOIN wp_postmeta c JOIN wp_postmeta d "+
					"WHERE CONCAT(a.meta_value, b.meta_value) = c.meta_value").Scan(ctx, &n)
			})
			if err == nil {
				t.Error("a statement without end has ended")
			}
			n := one[float64](t, db, "SELECT @@SESSION."+setting+" + 0e0")
			if same = one[int64](t, db, "SELECT CONNECTION_ID()") == id; same && n != before {
				t.Errorf("%s %g became %g", setting, before, n)
			}
		}
	}
}

func TestAdviseSeesWhatIsThere(t *testing.T) {
	db := testdb.SiteA(t)
	advice, err := schema.Advise(t.Context(), db, "wp_")
	must.Succeed(t, err)
	for _, m := range advice.Missing {
		if !m.Own || m.Unique || m.Primary || m.Why == "" || !strings.HasSuffix(m.DDL,
			", ALGORITHM=INPLACE, LOCK=NONE") || !strings.HasPrefix(m.Table, "wp_") {
			t.Errorf("%+v", m)
		}
	}
	fresh := testdb.New(t)
	install(t, fresh, "wp_")
	want := one[int](t, fresh, "SELECT COUNT(DISTINCT TABLE_NAME, INDEX_NAME) FROM information_schema.STATISTICS "+
		"WHERE TABLE_SCHEMA = DATABASE() AND INDEX_NAME LIKE 'agenda%'")
	if len(advice.Missing) != want || want == 0 {
		t.Errorf("%d are missing, Install makes %d", len(advice.Missing), want)
	}
	if advice, err = schema.Advise(t.Context(), fresh, "wp_"); err != nil || len(advice.Missing) > 0 {
		t.Errorf("after Install: %+v, %v", advice, err)
	}
	if advice, err = schema.Advise(t.Context(), testdb.New(t), "wp_"); err != nil || len(advice.Missing) > 0 {
		t.Errorf("without tables: %+v, %v", advice, err)
	}
	if _, err = schema.Advise(t.Context(), db, "wp`"); err == nil {
		t.Error("a wrong prefix is accepted")
	}
}

// TestAdviseChoosesAFreeName checks that an index with the declared name and other columns is kept, so that the new one
// gets another name.
func TestAdviseChoosesAFreeName(t *testing.T) {
	db := testdb.SiteA(t)
	advice, err := schema.Advise(t.Context(), db, "wp_")
	if err != nil || len(advice.Missing) == 0 {
		t.Fatalf("%+v, %v", advice, err)
	}
	ofMeta := slices.IndexFunc(advice.Missing, func(m schema.MissingIndex) bool { return m.Table == "wp_postmeta" })
	taken := advice.Missing[ofMeta]
	run(t, db, "ALTER TABLE ? ADD KEY ? (?)", bun.Ident(taken.Table), bun.Ident(taken.Name), bun.Ident("post_id"))
	if advice, err = schema.Advise(t.Context(), db, "wp_"); err != nil || advice.Missing[ofMeta].Name != taken.Name+"_2" {
		t.Fatalf("%+v, %v", advice, err)
	}
	runAll(t, db, advice.DDL())
	if advice, err = schema.Advise(t.Context(), db, "wp_"); err != nil || len(advice.Missing) > 0 {
		t.Errorf("%+v, %v", advice, err)
	}
}

func TestAdviseLeavesViewsOut(t *testing.T) {
	db := healthy(t)
	runAll(t, db, []string{"RENAME TABLE wp_users TO accounts, wp_usermeta TO accountmeta",
		"CREATE VIEW wp_users AS SELECT * FROM accounts", "CREATE VIEW wp_usermeta AS SELECT * FROM accountmeta"})
	if list := complaints(diagnose(t, db, "wp_")); len(list) > 0 {
		t.Errorf("%q", list)
	}
}
