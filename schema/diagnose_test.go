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
	"github.com/agendahq/agenda/schema"
)

func diagnose(t *testing.T, db *bun.DB, prefix string) schema.Diagnosis {
	t.Helper()
	d, err := schema.Diagnose(t.Context(), db, prefix, schema.DefaultNames())
	if err != nil {
		t.Fatal(err)
	}
	return d
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
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
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

// ignored hides an index from the optimizer, on MariaDB and on MySQL.
const ignored = "/*M! IGNORED */ /*!80000 INVISIBLE */"

var defects = map[string]struct {
	seed []string
	want []string
	ddl  bool // the statements of the finding fix it
}{
	"index of the site": {[]string{"ALTER TABLE wp_postmeta DROP KEY post_id, DROP KEY agenda_post"},
		[]string{"warning indexes wp_postmeta", "note indexes wp_postmeta"}, true},
	"too short an index": {[]string{"ALTER TABLE wp_terms DROP KEY slug, ADD KEY slug (slug(10))"}, []string{"warning indexes wp_terms"},
		true},
	"index not unique": {[]string{"ALTER TABLE wp_options DROP KEY option_name, ADD KEY option_name (option_name)"},
		[]string{"warning indexes wp_options"}, true},
	"ignored index": {[]string{"ALTER TABLE wp_posts ALTER INDEX post_name " + ignored}, []string{"warning indexes wp_posts"}, true},
	"MyISAM":        {[]string{"ALTER TABLE wp_postmeta ENGINE=MyISAM"}, []string{"problem engine wp_postmeta"}, true},
	"latin1": {[]string{"ALTER TABLE wp_term_taxonomy CONVERT TO CHARACTER SET latin1"},
		[]string{"warning charset wp_term_taxonomy"}, true},
	"utf8": {[]string{"ALTER TABLE wp_tec_events CONVERT TO CHARACTER SET utf8mb3"}, []string{"note charset wp_tec_events"},
		true},
	"case": {[]string{"ALTER TABLE wp_posts MODIFY post_title text COLLATE utf8mb4_bin NOT NULL"},
		[]string{"warning collation wp_posts"}, false},
	"two collations": {[]string{"ALTER TABLE wp_terms CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"},
		[]string{"note collation"}, false},
	"no primary key": {[]string{"ALTER TABLE wp_postmeta MODIFY meta_id bigint(20) unsigned NOT NULL, DROP PRIMARY KEY"},
		[]string{"problem keys wp_postmeta", "problem keys wp_postmeta"}, true},
	"no numbers":     {[]string{"ALTER TABLE wp_users MODIFY ID bigint(20) unsigned NOT NULL"}, []string{"problem keys wp_users"}, true},
	"missing table":  {[]string{"DROP TABLE wp_usermeta"}, []string{"problem tables wp_usermeta"}, false},
	"no occurrences": {[]string{"DROP TABLE wp_tec_occurrences"}, []string{"warning tables wp_tec_occurrences"}, false},
	"no tec_events":  {[]string{"DROP TABLE wp_tec_events"}, []string{"note tables wp_tec_events"}, false},
	"no termmeta":    {[]string{"DROP TABLE wp_termmeta"}, []string{"note tables wp_termmeta"}, false},

	"no occurrence": {[]string{"DELETE FROM wp_tec_occurrences WHERE post_id = 25"}, []string{"warning occurrences"}, false},
	"draft without": {[]string{"DELETE FROM wp_tec_occurrences WHERE post_id = 173"}, []string{"note occurrences"}, false},
	"no row":        {[]string{"DELETE FROM wp_tec_events WHERE post_id = 25"}, []string{"note tec_events"}, false},
	"in no table":   {copied(800), []string{"warning occurrences", "note tec_events"}, false},
	"no end": {[]string{"DELETE FROM wp_postmeta WHERE post_id = 25 AND meta_key = '_EventEndDate'"},
		[]string{"warning dateless"}, false},
	"other start": {[]string{"UPDATE wp_tec_occurrences SET start_date = '2031-12-16 10:00:00' WHERE post_id = 25"},
		[]string{"warning dates"}, false},
	"other end in UTC": {[]string{"UPDATE wp_postmeta SET meta_value = '2031-12-16 10:00:00' WHERE post_id = 25 " +
		"AND meta_key = '_EventEndDateUTC'"}, []string{"warning dates"}, false},
	"an event repeats": {[]string{"INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, " +
		"end_date_utc, hash) SELECT event_id, post_id, '2032-01-01', '2032-01-01', '2032-01-02', '2032-01-02', 'again' " +
		"FROM wp_tec_occurrences WHERE post_id = 25"}, nil, false},
	"event gone": {[]string{"INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, " +
		"end_date_utc, hash) VALUES (9, 99999, '2032-01-01', '2032-01-01', '2032-01-02', '2032-01-02', 'x')"},
		[]string{"note stray"}, false},
	"orphaned meta": {[]string{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (99999, '_EventCost', '5')"},
		[]string{"note orphans"}, false},
	"orphaned term meta": {[]string{"INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (99999, 'colour', 'red')"},
		[]string{"note orphans"}, false},
	"two starts": {[]string{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) " +
		"VALUES (25, '_EventStartDate', '2031-12-16 10:00:00')"}, []string{"warning duplicates"}, false},
	"the same twice": {[]string{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT post_id, meta_key, meta_value " +
		"FROM wp_postmeta WHERE post_id = 25 AND meta_key = '_EventEndDate'"}, []string{"note duplicates"}, false},
	"venue gone": {[]string{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventVenueID', '99999')"},
		[]string{"note links"}, false},
	"organizer is none": {[]string{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventOrganizerID', '7')"},
		[]string{"note links"}, false},
	"no venue": {[]string{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventVenueID', '0'), " +
		"(25, '_EventVenueID', ''), (25, '_EventOrganizerID', NULL)"}, nil, false},
	"leftover": {[]string{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (1, '_EventStartDate', '2031-12-16 10:00:00')"},
		[]string{"note leftovers"}, false},
	"wrong count": {[]string{"UPDATE wp_term_taxonomy SET count = count + 1 WHERE taxonomy = 'tribe_events_cat' LIMIT 1"},
		[]string{"warning counts"}, false},
	"count of another": {[]string{"INSERT INTO wp_terms (term_id, name) VALUES (900, 'menu')",
		"INSERT INTO wp_term_taxonomy (term_id, taxonomy, description, count) VALUES (900, 'nav_menu', '', 7)"}, nil, false},
	"no term": {[]string{"INSERT INTO wp_term_taxonomy (term_id, taxonomy, description) VALUES (99999, 'post_tag', '')"},
		[]string{"warning terms"}, false},
	"no roles": {[]string{"DELETE FROM wp_options WHERE option_name = 'wp_user_roles'"},
		[]string{"problem options wp_user_roles"}, false},
	"no address": {[]string{"DELETE FROM wp_options WHERE option_name = 'home'"}, []string{"problem options home"}, false},
	"unknown locale": {[]string{"REPLACE INTO wp_options (option_name, option_value) VALUES ('WPLANG', 'pt_PT_ao90')"},
		[]string{"note locale WPLANG"}, false},
	"known locale": {[]string{"REPLACE INTO wp_options (option_name, option_value) VALUES ('WPLANG', 'de_DE_formal')"}, nil, false},
	"autoload": {[]string{"INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('big', REPEAT('x', 900000), 'yes')"},
		[]string{"note autoload"}, false},
	"no autoload": {[]string{"INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('big', REPEAT('x', 900000), 'no')"}, nil,
		false},
	"a site of an earlier init": {[]string{"DELETE FROM wp_options WHERE option_name IN ('db_version', 'active_plugins')"},
		[]string{"note wordpress db_version", "note dates agenda_site"}, true},
	"a mark beside the plugin": {[]string{"INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')",
		`REPLACE INTO wp_options (option_name, option_value) VALUES ('active_plugins', ` +
			`'a:1:{i:0;s:34:"the-events-calendar/an-old-file.ph";}')`, migrated},
		[]string{"note dates agenda_site"}, false},
	"an unfinished migration": {[]string{"REPLACE INTO wp_options (option_name, option_value) VALUES ('active_plugins', 'a:0:{}')",
		"DELETE FROM wp_tec_occurrences WHERE post_id > 20"}, []string{"note migration"}, false},
	"plugins that close REST": {[]string{"REPLACE INTO wp_options (option_name, option_value) VALUES ('active_plugins', " +
		`'a:2:{i:0;s:19:"members/members.php";i:1;s:33:"wp-force-login/wp-force-login.php";}')`, migrated,
		`INSERT INTO wp_options (option_name, option_value) VALUES ('members_settings', 'a:1:{s:16:"private_rest_api";b:1;}')`},
		[]string{"warning rest wp-force-login/wp-force-login.php", "note rest members/members.php"}, false},
	"columns of others": {[]string{"ALTER TABLE wp_posts ADD flag INT NOT NULL, ADD place POINT, ADD fine INT NOT NULL DEFAULT 1",
		"UPDATE wp_posts SET place = POINT(0, 0)", "ALTER TABLE wp_posts MODIFY place POINT NOT NULL"},
		[]string{"note columns wp_posts", "problem columns wp_posts"}, false},
	"latin1 that is UTF-8": {[]string{"ALTER TABLE wp_term_taxonomy CONVERT TO CHARACTER SET latin1",
		"UPDATE wp_term_taxonomy SET description = X'436166C3A9' ORDER BY term_taxonomy_id LIMIT 2"},
		[]string{"problem latin1 wp_term_taxonomy"}, true},
	"search": {[]string{"ALTER TABLE wp_posts ADD FULLTEXT KEY words (post_title, post_excerpt, post_content)"}, nil, false},
}

const migrated = `INSERT INTO wp_options (option_name, option_value) VALUES ('tec_ct1_migration_state', ` +
	`'a:1:{s:5:"phase";s:18:"migration-complete";}')`

// changesRows matches the table whose rows a statement changes.
var changesRows = regexp.MustCompile(`^(?:UPDATE|DELETE FROM|INSERT INTO|REPLACE INTO) (\w+)`)

func TestDiagnoseFindsEachDefect(t *testing.T) {
	t.Parallel()
	params := testdb.WithDSNParams("parseTime=true&loc=Asia%2FTokyo")
	shared := healthy(t, params) // for defects in rows, which are restored
	for name, c := range defects {
		t.Run(name, func(t *testing.T) {
			var tables []string
			for _, statement := range c.seed {
				if m := changesRows.FindStringSubmatch(statement); m != nil {
					tables = append(tables, m[1])
				}
			}
			db := shared
			if len(tables) == len(c.seed) && !c.ddl {
				defer kept(t, db, slices.Compact(slices.Sorted(slices.Values(tables))))()
			} else {
				db = healthy(t, params)
			}
			runAll(t, testdb.OfOthers(t, db), c.seed)
			d := diagnose(t, db, "wp_")
			if got := complaints(d); !slices.Equal(got, c.want) {
				t.Fatalf("found %q, want %q", got, c.want)
			}
			if c.ddl != (len(d.DDL()) > 0) {
				t.Fatalf("statements: %q", d.DDL())
			}
			if !c.ddl {
				return
			}
			runAll(t, testdb.Reopen(t, db, testdb.WithSQLMode(testdb.MySQL8)), d.DDL())
			if got := complaints(diagnose(t, db, "wp_")); len(got) > 0 {
				t.Errorf("after %q: %q", d.DDL(), got)
			}
		})
	}
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
	advice, err := schema.Advise(t.Context(), db, "wp_")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range advice.Missing {
		runAll(t, db, []string{m.DDL})
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
	d, err := schema.Diagnose(t.Context(), db, "blog7_", names)
	if err != nil {
		t.Fatal(err)
	}
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
