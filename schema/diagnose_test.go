package schema_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func diagnose(t *testing.T, db *bun.DB, prefix string) schema.Diagnosis {
	t.Helper()
	return must.Get(schema.Diagnose(t.Context(), db, prefix, schema.DefaultNames()))(t)
}

// complaints returns the findings that are not OK as "level check subject".
func complaints(d schema.Diagnosis) (list []string) {
	for _, f := range d.Findings {
		if f.Level != schema.OK {
			list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Level, f.Check, f.Subject)))
		}
	}
	return list
}

// runAll runs statements on one connection, as a client does.
func runAll(t testing.TB, db *bun.DB, statements []string) {
	t.Helper()
	conn := must.Get(db.Conn(t.Context()))(t)
	defer conn.Close()
	for _, s := range statements {
		if _, err := conn.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// healthy returns the recorded site with all indexes.
func healthy(t testing.TB, opts ...testdb.Option) *bun.DB {
	t.Helper()
	db := testdb.SiteA(t, opts...)
	advice, err := schema.Advise(t.Context(), db, "wp_")
	if err != nil || len(advice.Missing) == 0 {
		t.Fatalf("%+v, %v", advice, err)
	}
	runAll(t, db, advice.DDL())
	return db
}

func TestDiagnoseFindsNothingOnAHealthySite(t *testing.T) {
	installed := testdb.New(t)
	install(t, installed, "blog7_")
	if list := complaints(diagnose(t, installed, "blog7_")); len(list) > 0 {
		t.Errorf("installed: %q", list)
	}
	d := diagnose(t, healthy(t), "wp_")
	if list := complaints(d); len(list) > 0 || d.Worst() != schema.OK || len(d.DDL()) > 0 || len(d.Advice.Missing) > 0 {
		t.Errorf("healthy: %q, %q", list, d.DDL())
	}
	if len(d.Findings) < 20 || len(d.Plans) != 4 || len(d.Tables) != len(tableNames) || d.Server == "" || d.Embedded {
		t.Errorf("%+v", d)
	}
	total := int64(0)
	for _, c := range d.Posts {
		total += c.Count
	}
	if total != 140+10+6 {
		t.Errorf("posts %+v", d.Posts)
	}
}

// TestDiagnoseTellsWhatIndexesGain uses the recorded site, which has none of the additional indexes.
func TestDiagnoseTellsWhatIndexesGain(t *testing.T) {
	db := testdb.SiteA(t, testdb.WithSQLMode(testdb.MySQL8))
	d := diagnose(t, db, "wp_")
	for _, f := range d.Findings {
		if f.Level != schema.OK && (f.Check != "indexes" || f.Level != schema.Note || len(f.DDL) != 1) {
			t.Errorf("%+v", f)
		}
	}
	gains := regexp.MustCompile(`(default list|month list|by venue) reads about (\d+) rows now, (\d+) with it`)
	gained := map[string]bool{}
	for _, f := range d.Findings {
		for _, m := range gains.FindAllStringSubmatch(f.Text, -1) {
			gained[m[1]] = true
		}
	}
	if len(gained) != 3 {
		t.Errorf("gains are reported for %v", gained)
	}
	for _, p := range d.Plans {
		if len(p.Steps) == 0 || p.Rows == 0 || p.Steps[0].Table == "" || p.Then > p.Rows {
			t.Errorf("%+v", p)
		}
	}
	n := one[int](t, db, "SELECT COUNT(*) FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND INDEX_NAME LIKE 'agenda%'")
	if n != 0 {
		t.Fatalf("%d indexes were made", n)
	}
	runAll(t, db, d.DDL())
	if list := complaints(diagnose(t, db, "wp_")); len(list) > 0 {
		t.Errorf("after the statements: %q", list)
	}
}

// copied returns statements that add a copy of an event with its meta values, but without rows in tec_events and
// tec_occurrences.
func copied(id int) []string {
	return []string{
		fmt.Sprintf("INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_content, post_excerpt, to_ping, pinged, "+
			"post_content_filtered, post_date) VALUES (%d, 'tribe_events', 'publish', 'x', '', '', '', '', '', '2031-01-01 00:00:00')", id),
		fmt.Sprintf("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT %d, meta_key, meta_value FROM wp_postmeta "+
			"WHERE post_id = 25 AND meta_key LIKE '\\_Event%%Date%%'", id),
	}
}

const migrated = `INSERT INTO wp_options (option_name, option_value) VALUES ('tec_ct1_migration_state', ` +
	`'a:1:{s:5:"phase";s:18:"migration-complete";}')`

// changesRows matches the table whose rows a statement changes.
var changesRows = regexp.MustCompile(`^(?:UPDATE|DELETE FROM|INSERT INTO|REPLACE INTO) (\w+)`)

func TestDiagnoseFindsEachDefect(t *testing.T) {
	t.Parallel()
	params := testdb.WithDSNParams("parseTime=true&loc=Asia%2FTokyo")
	shared := healthy(t, params) // for defects in rows, which are restored
	values := strings.NewReplacer("{copied}", strings.Join(copied(800), " | "), "{migrated}", migrated,
		"{ignored}", "/*M! IGNORED */ /*!80000 INVISIBLE */")
	golden.Each(t, "defects.txt", func(name string, ddl bool, want, statements string) {
		t.Run(name, func(t *testing.T) {
			seed := strings.Split(values.Replace(statements), " | ")
			var tables []string
			for _, statement := range seed {
				if m := changesRows.FindStringSubmatch(statement); m != nil {
					tables = append(tables, m[1])
				}
			}
			db := shared
			if len(tables) == len(seed) && !ddl {
				defer kept(t, db, slices.Compact(slices.Sorted(slices.Values(tables))))()
			} else {
				db = healthy(t, params)
			}
			runAll(t, testdb.OfOthers(t, db), seed)
			d := diagnose(t, db, "wp_")
			if got := strings.Join(complaints(d), ", "); got != want {
				t.Fatalf("found %q, want %q", got, want)
			}
			if ddl != (len(d.DDL()) > 0) {
				t.Fatalf("statements: %q", d.DDL())
			}
			if !ddl {
				return
			}
			runAll(t, testdb.Reopen(t, db, testdb.WithSQLMode(testdb.MySQL8)), d.DDL())
			if got := complaints(diagnose(t, db, "wp_")); len(got) > 0 {
				t.Errorf("after %q: %q", d.DDL(), got)
			}
		})
	})
}

// kept saves the rows of tables. restore brings them back.
func kept(t *testing.T, db *bun.DB, tables []string) (restore func()) {
	others := testdb.OfOthers(t, db)
	for _, table := range tables {
		runAll(t, others, []string{"CREATE TABLE kept_" + table + " AS SELECT * FROM " + table})
	}
	return func() {
		for _, table := range tables {
			runAll(t, others, []string{
				"DELETE FROM " + table, "INSERT INTO " + table + " SELECT * FROM kept_" + table, "DROP TABLE kept_" + table,
			})
		}
	}
}

func TestDiagnoseFindsEachOwnIndex(t *testing.T) {
	db := testdb.SiteA(t)
	advice := must.Get(schema.Advise(t.Context(), db, "wp_"))(t)
	for _, m := range advice.Missing {
		runAll(t, db, schema.Advice{Missing: []schema.MissingIndex{m}}.DDL())
		after, err := schema.Advise(t.Context(), db, "wp_")
		if err != nil || slices.ContainsFunc(after.Missing,
			func(x schema.MissingIndex) bool { return x.Name == m.Name && x.Table == m.Table }) {
			t.Errorf("after %s: %+v, %v", m.DDL, after, err)
		}
	}
	m := advice.Missing[len(advice.Missing)-1]
	run(t, db, "ALTER TABLE ? DROP KEY ?", bun.Ident(m.Table), bun.Ident(m.Name))
	if got := complaints(diagnose(t, db, "wp_")); !slices.Equal(got, []string{"note indexes " + m.Table}) {
		t.Errorf("without %s: %q", m.Name, got)
	}
}

func TestDiagnoseNamesExamples(t *testing.T) {
	db := healthy(t)
	run(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id BETWEEN 25 AND 33")
	for _, f := range diagnose(t, db, "wp_").Findings {
		if f.Check == "occurrences" && f.Level == schema.Warning {
			if !slices.Equal(f.Examples, []int64{25, 26, 27, 28, 30}) || !strings.HasSuffix(f.Text, ": 8") {
				t.Errorf("%+v", f)
			}
			return
		}
	}
	t.Error("no finding")
}

func TestDiagnoseTellsOfTheSession(t *testing.T) {
	db := healthy(t)
	for params, want := range map[string]string{
		"sql_mode=%27NO_BACKSLASH_ESCAPES%27": "problem session sql_mode",
		"charset=latin1":                      "problem session connection",
	} {
		if got := complaints(diagnose(t, testdb.Reopen(t, db, testdb.WithDSNParams(params)), "wp_")); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q", params, got)
		}
	}
	if got := complaints(diagnose(t, testdb.Reopen(t, db, testdb.WithSQLMode("TRADITIONAL,ANSI")), "wp_")); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestDiagnoseWithRenamedTypesAndPrefix(t *testing.T) {
	db := healthy(t)
	testdb.SitePrefixed(t, db, "wp_", "blog7_")
	run(t, db, "UPDATE blog7_posts SET post_type = 'concert' WHERE post_type = 'tribe_events'")
	names := schema.DefaultNames()
	names.Event = "concert"
	d := must.Get(schema.Diagnose(t.Context(), db, "blog7_", names))(t)
	// The names of two indexes contain the prefix; their columns count.
	if list := complaints(d); len(list) > 0 {
		t.Errorf("%q", list)
	}
	if list := complaints(diagnose(t, db, "blog7_")); !slices.Contains(list, "note stray") || !slices.Contains(list, "note leftovers") {
		t.Errorf("under the other name: %q", list)
	}
}

func TestDiagnoseEmptyDatabase(t *testing.T) {
	d := diagnose(t, testdb.New(t), "wp_")
	if d.Worst() != schema.Problem || len(d.Report.Missing) != 8 || len(d.Advice.Missing) > 0 || len(d.DDL()) > 0 {
		t.Errorf("%+v", d)
	}
	if _, err := schema.Diagnose(t.Context(), testdb.New(t), "wp-", schema.DefaultNames()); err == nil || !strings.Contains(err.Error(),
		"prefix") {
		t.Errorf("error %v", err)
	}
}

func TestDiagnoseOfASiteWithoutEvents(t *testing.T) {
	db := testdb.New(t)
	install(t, db, "wp_")
	if d := diagnose(t, db, "wp_"); len(d.Plans) > 0 || len(d.Posts) > 0 {
		t.Errorf("%+v", d)
	}
}

// unanswered makes statements that contain part fail.
func unanswered(t *testing.T, db *bun.DB, counter *testdb.Counter, part string, failure error) (schema.Diagnosis, error) {
	t.Helper()
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.Contains(query, part) {
			return failure
		}
		return nil
	})
	defer counter.Before(nil)
	return schema.Diagnose(t.Context(), db, "wp_", schema.DefaultNames())
}

func TestDiagnoseGoesOnWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	db, counter := testdb.Counted(t, healthy)
	for want, failure := range map[string]error{
		"there was no response within": &mysql.MySQLError{Number: 1969,
			Message: "Query execution was interrupted (max_statement_time exceeded)"},
		"no response within 10s":        context.DeadlineExceeded,
		"the account may not read this": &mysql.MySQLError{Number: 1142, Message: "SELECT command denied"},
		"the database rejects":          &mysql.MySQLError{Number: 1104, Message: "The SELECT would examine more than MAX_JOIN_SIZE rows"},
	} {
		d, err := unanswered(t, db, counter, "LEFT JOIN wp_posts AS p ON p.ID = m.post_id", failure)
		list := complaints(d)
		if err != nil || len(list) != 1 || !strings.HasSuffix(list[0], " orphans") {
			t.Errorf("%s: %v, %q", want, err, list)
		}
		if i := slices.IndexFunc(d.Findings,
			func(f schema.Finding) bool { return f.Check == "orphans" }); i < 0 || !strings.Contains(d.Findings[i].Text, want) {
			t.Errorf("%s: %+v", want, d.Findings)
		}
	}
	if _, err := unanswered(t, db, counter, "LEFT JOIN wp_posts AS p ON p.ID = m.post_id", mysql.ErrInvalidConn); !errors.Is(err,
		mysql.ErrInvalidConn) {
		t.Errorf("without a connection: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := schema.Diagnose(ctx, db, "wp_", schema.DefaultNames()); !errors.Is(err, context.Canceled) {
		t.Errorf("without a caller: %v", err)
	}
}
