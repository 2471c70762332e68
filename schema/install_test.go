package schema_test

import (
	"context"
	"errors"
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

var tableNames = []string{
	"posts", "postmeta", "terms", "termmeta", "term_taxonomy", "term_relationships", "users", "usermeta", "options", "tec_events",
	"tec_occurrences",
}

func install(t *testing.T, db *bun.DB, prefix string) {
	t.Helper()
	must.Succeed(t, schema.Install(t.Context(), db, prefix))
}

func one[T any](t *testing.T, db *bun.DB, query string, args ...any) (value T) {
	t.Helper()
	if err := db.NewRaw(query, args...).Scan(t.Context(), &value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

func run(t *testing.T, db *bun.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.NewRaw(query, args...).Exec(t.Context()); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

var (
	counterPart = regexp.MustCompile(` AUTO_INCREMENT=\d+`)
	ownKey      = regexp.MustCompile("\n  KEY `agenda_.*")
	dateColumn  = regexp.MustCompile("\n  `(rset|has_recurrence|sequence|is_rdate)` .*")
	lastComma   = regexp.MustCompile(",(\n\\))")
)

// definition returns a table's CREATE statement without AUTO_INCREMENT and the indexes that Agenda adds.
func definition(t *testing.T, db *bun.DB, table string) string {
	t.Helper()
	var name, text string
	must.Succeed(t, db.NewRaw("SHOW CREATE TABLE ?", bun.Ident(table)).Scan(t.Context(), &name, &text))
	return lastComma.ReplaceAllString(ownKey.ReplaceAllString(counterPart.ReplaceAllString(text, ""), ""), "$1")
}

func TestInstallCreatesTheReferencesTables(t *testing.T) {
	site, fresh := testdb.SiteA(t), testdb.New(t)
	install(t, fresh, "wp_")
	for _, table := range tableNames {
		want, got := definition(t, site, "wp_"+table), definition(t, fresh, "wp_"+table)
		golden.Equal(t, table, len(dateColumn.FindAllString(got, -1)), map[string]int{"tec_events": 1, "tec_occurrences": 3}[table])
		if got = dateColumn.ReplaceAllString(got, ""); got != want {
			t.Errorf("%s differs:\n%s\nwant\n%s", table, got, want)
		}
	}
	var own []string
	err := fresh.NewRaw("SELECT DISTINCT CONCAT(TABLE_NAME, '.', INDEX_NAME) FROM information_schema.STATISTICS "+
		"WHERE TABLE_SCHEMA = DATABASE() AND INDEX_NAME LIKE 'agenda%' ORDER BY 1").Scan(t.Context(), &own)
	want := []string{"wp_postmeta.agenda_post", "wp_postmeta.agenda_value", "wp_posts.agenda_title",
		"wp_tec_occurrences.agenda_end", "wp_tec_occurrences.agenda_end_utc", "wp_tec_occurrences.agenda_start",
		"wp_tec_occurrences.agenda_start_utc"}
	if err != nil || !slices.Equal(own, want) {
		t.Errorf("own indexes: %v, %v", own, err)
	}
}

func TestInstallWritesRolesAndSettings(t *testing.T) {
	site, fresh := testdb.SiteA(t), testdb.New(t)
	install(t, fresh, "blog7_")
	roles := one[string](t, site, "SELECT option_value FROM wp_options WHERE option_name = 'wp_user_roles'")
	for name, want := range map[string]string{
		"blog7_user_roles": roles, "home": "http://localhost:8080", "siteurl": "http://localhost:8080", "timezone_string": "UTC",
		"permalink_structure": "/%postname%/", "posts_per_page": "10", "using_application_passwords": "1", "WPLANG": "",
		"date_format": "F j, Y",
	} {
		golden.Equal(t, name, one[string](t, fresh, "SELECT option_value FROM blog7_options WHERE option_name = ?", name), want)
	}
	if strings.Count(roles, `s:12:"capabilities"`) != 5 {
		t.Errorf("the recorded roles are not five: %.100s", roles)
	}
}

// TestD67InstallMarksOwnSites checks that a new site is marked as created by Agenda and stays so, and that an existing
// site is not, even if Install completes it (D67).
func TestD67InstallMarksOwnSites(t *testing.T) {
	mark := "SELECT COUNT(*) FROM wp_options WHERE option_name = 'agenda_site' AND option_value = '1'"
	site, fresh := testdb.SiteA(t), testdb.New(t)
	run(t, site, "DROP TABLE wp_tec_occurrences")
	install(t, site, "wp_")
	install(t, fresh, "wp_")
	run(t, fresh, "DROP TABLE wp_tec_occurrences")
	install(t, fresh, "wp_")
	for db, want := range map[*bun.DB]bool{site: false, fresh: true} {
		if got := one[int](t, db, mark) == 1; got != want || check(t, db, "wp_").Dates.HasRecurrence != want {
			t.Errorf("marked: %v, want %v; %+v", got, want, check(t, db, "wp_").Dates)
		}
	}
}

func checksum(t *testing.T, db *bun.DB, prefix string) (sums []string) {
	t.Helper()
	for _, table := range tableNames {
		var name, sum string
		must.Succeed(t, db.NewRaw("CHECKSUM TABLE ?", bun.Ident(prefix+table)).Scan(t.Context(), &name, &sum))
		sums = append(sums, table+" "+sum+" "+definition(t, db, prefix+table))
	}
	return sums
}

func TestInstallTwiceChangesNothing(t *testing.T) {
	db := testdb.New(t)
	install(t, db, "wp_")
	run(t, db, "UPDATE wp_options SET option_value = 'http://mine.test' WHERE option_name = 'home'")
	before := checksum(t, db, "wp_")
	install(t, db, "wp_")
	if after := checksum(t, db, "wp_"); !slices.Equal(before, after) {
		t.Errorf("before %q\nafter %q", before, after)
	}
}

func TestInstallCompletes(t *testing.T) {
	db := testdb.New(t)
	install(t, db, "wp_")
	run(t, db, "DROP TABLE wp_tec_events, wp_users")
	run(t, db, "DELETE FROM wp_options WHERE option_name IN ('wp_user_roles', 'date_format')")
	run(t, testdb.OfOthers(t, db), "ALTER TABLE wp_posts ADD COLUMN other_program INT NOT NULL DEFAULT 3, DROP KEY post_author")
	before := definition(t, db, "wp_posts")
	install(t, db, "wp_")
	if report, err := schema.Check(t.Context(), db, "wp_"); err != nil || report.Err() != nil || report.Optional != nil {
		t.Errorf("%+v, %v", report, err)
	}
	golden.Equal(t, "roles", one[string](t, db, "SELECT LEFT(option_value, 3) FROM wp_options WHERE option_name = 'wp_user_roles'"), "a:5")
	golden.Equal(t, "an existing table", definition(t, db, "wp_posts"), before)
}

func TestInstallLeavesASiteAlone(t *testing.T) {
	db := testdb.SiteA(t)
	before := checksum(t, db, "wp_")
	options := one[int](t, db, "SELECT COUNT(*) FROM wp_options")
	install(t, db, "wp_")
	for i, after := range checksum(t, db, "wp_") {
		if after != before[i] && tableNames[i] != "options" {
			t.Errorf("%s changed: %s", tableNames[i], after)
		}
	}
	got := one[string](t, db, "SELECT GROUP_CONCAT(option_name ORDER BY option_name) FROM wp_options WHERE option_id > 178")
	golden.Equal(t, options, got, "sticky_posts,use_smilies,WPLANG")
	golden.Equal(t, "home", one[string](t, db, "SELECT option_value FROM wp_options WHERE option_name = 'home'"), "http://site.test")
	n := one[int](t, db, "SELECT COUNT(*) FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND INDEX_NAME LIKE 'agenda%'")
	if n != 0 {
		t.Errorf("%d indexes were added to existing tables", n)
	}
}

func TestInstallUnderAnyModeAndDSN(t *testing.T) {
	for _, opts := range [][]testdb.Option{
		{testdb.WithSQLMode(testdb.MySQL8)},
		{testdb.WithSQLMode("TRADITIONAL,ANSI"), testdb.WithDSNParams("parseTime=true&loc=Asia%2FTokyo&clientFoundRows=true")},
		{testdb.WithSQLMode("NO_BACKSLASH_ESCAPES,NO_ZERO_DATE,STRICT_ALL_TABLES")},
		{testdb.WithSQLMode("")},
	} {
		db := testdb.New(t, opts...)
		db.SetMaxOpenConns(1)
		before := one[string](t, db, "SELECT @@SESSION.sql_mode")
		install(t, db, "wp_")
		golden.Equal(t, before, one[string](t, db, "SELECT @@SESSION.sql_mode"), before)
		golden.Equal(t, before, one[int](t, db, "SELECT COUNT(*) FROM wp_options"), 35)
	}
}

func TestInstallRestoresTheModeAfterFailure(t *testing.T) {
	broken := errors.New("server gone")
	for name, hook := range map[string]func(context.CancelFunc, string) error{
		"a table fails": func(_ context.CancelFunc, query string) error {
			if strings.HasPrefix(query, "CREATE TABLE") && strings.Contains(query, "wp_terms") {
				return broken
			}
			return nil
		},
		"the caller goes away": func(cancel context.CancelFunc, query string) error {
			if strings.HasPrefix(query, "CREATE TABLE") {
				cancel()
				return context.Canceled
			}
			return nil
		},
		"the mode cannot be restored": func(_ context.CancelFunc, query string) error {
			if strings.HasPrefix(query, "SET SESSION sql_mode") && strings.Contains(query, "NO_ZERO_DATE") {
				return broken
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			db, counter := testdb.Counted(t, testdb.New, testdb.WithSQLMode(testdb.MySQL8))
			db.SetMaxOpenConns(1)
			before := one[string](t, db, "SELECT @@SESSION.sql_mode")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			counter.Before(func(_ context.Context, _ int, query string) error { return hook(cancel, query) })
			err := schema.Install(ctx, db, "wp_")
			counter.Before(nil)
			if strings.Contains(name, "restored") != (err == nil) {
				t.Errorf("Install: %v", err)
			}
			golden.Equal(t, before, one[string](t, db, "SELECT @@SESSION.sql_mode"), before)
		})
	}
}

func TestInstallInSeveralProcessesAtOnce(t *testing.T) {
	db := testdb.New(t)
	done := make(chan error)
	for range 4 {
		go func() { done <- schema.Install(t.Context(), db, "wp_") }()
	}
	for range 4 {
		must.Succeed(t, <-done)
	}
	if n := one[int](t, db, "SELECT COUNT(*) FROM wp_options"); n != 35 {
		t.Errorf("%d options", n)
	}
}

func TestInstallRepeatsAfterDeadlock(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.New)
	failed := false
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.HasPrefix(query, "INSERT") && !failed {
			failed = true
			return &mysql.MySQLError{Number: 1213, Message: "deadlock"}
		}
		return nil
	})
	install(t, db, "wp_")
	if n := one[int](t, db, "SELECT COUNT(*) FROM wp_options"); n != 35 || !failed {
		t.Errorf("%d options, failed once: %t", n, failed)
	}
}

func TestInstallRefusesPrefix(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.New)
	if err := schema.Install(t.Context(), db, "wp`"); err == nil || !strings.Contains(err.Error(), "table prefix") {
		t.Errorf("error %v", err)
	}
	if sent := counter.Statements(); len(sent) > 0 {
		t.Errorf("sent %q", sent)
	}
}
