package schema_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// TestD67DiagnoseForms checks that the form of lists is reported, and where it depends on tables that the account may
// not read (D67).
func TestD67DiagnoseForms(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	install(t, db, "wp_2_")
	run(t, db, "CREATE TABLE wp_blogs (blog_id bigint PRIMARY KEY, site_id bigint, archived tinyint DEFAULT 0, "+
		"spam tinyint DEFAULT 0, deleted tinyint DEFAULT 0)")
	run(t, db, "CREATE TABLE wp_sitemeta (meta_id bigint PRIMARY KEY, site_id bigint, meta_key varchar(255), meta_value longtext)")
	run(t, db, "INSERT INTO wp_blogs (blog_id, site_id) VALUES (1, 5), (2, 6)")
	find := func(want schema.Level, text string) {
		t.Helper()
		if f := formFound(t, db, "wp_2_"); f.Level != want || !strings.Contains(f.Text, text) {
			t.Errorf("%s %q, want %s %q", f.Level, f.Text, want, text)
		}
	}
	find(schema.OK, "made by agenda")
	plugins := func(site int, file string) {
		t.Helper()
		run(t, db, "REPLACE INTO wp_sitemeta VALUES (?, ?, 'active_sitewide_plugins', ?)", site, site,
			`a:1:{s:43:"`+file+`";i:1700000000;}`)
	}
	plugins(5, "events-calendar-pro/events-calendar-pro.php") // another network
	find(schema.OK, "made by agenda")
	plugins(6, "the-events-calendar/the-events-calendar.php")
	find(schema.Note, "does not count")
	plugins(6, "events-calendar-pro/events-calendar-pro.php")
	find(schema.Note, "does not count")
	run(t, db, "DELETE FROM wp_2_options WHERE option_name = 'agenda_site'")
	find(schema.OK, "once per date")
	plugins(6, "the-events-calendar/the-events-calendar.php")
	find(schema.OK, "once per event")
}

// formFound returns the finding about the form of lists.
func formFound(t *testing.T, db *bun.DB, prefix string) schema.Finding {
	t.Helper()
	found := diagnose(t, db, prefix).Findings
	at := slices.IndexFunc(found, func(f schema.Finding) bool { return f.Section == "Settings" && f.Check == "dates" })
	if at < 0 {
		t.Fatalf("%+v", found)
	}
	return found[at]
}

// TestD67DiagnoseDeniedNetwork checks that it is reported if the account may not read the tables of the site's network
// (D67).
func TestD67DiagnoseDeniedNetwork(t *testing.T) {
	t.Parallel()
	statements := []string{"CREATE TABLE {db}.wp_blogs (blog_id bigint, site_id bigint)"}
	for _, name := range append(slices.Clone(tableNames), "blogs") {
		statements = append(statements, "GRANT SELECT ON {db}.wp_"+name+" TO {user}")
	}
	admin, account := testdb.Granted(t, statements...)
	if f := formFound(t, account, "wp_"); f.Level != schema.Note || f.Subject != "sitemeta" {
		t.Errorf("%+v", f)
	}
	if f := formFound(t, admin, "wp_"); f.Level != schema.OK {
		t.Errorf("without such a table: %+v", f)
	}
}

// TestD92BackfillRefuses checks that Backfill inserts nothing while The Events Calendar has not migrated all events to
// its tables (D92).
func TestD92BackfillRefuses(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	run(t, db, "INSERT INTO wp_options (option_name, option_value) VALUES ('active_plugins', 'a:0:{}'), "+
		`('tec_ct1_migration_state', 'a:1:{s:5:"phase";s:14:"preview-prompt";}')`)
	var refused *schema.UnmigratedError
	if n, err := schema.Backfill(t.Context(), db, "wp_", schema.DefaultNames()); n != 0 || !errors.As(err, &refused) ||
		refused.Phase != "preview-prompt" {
		t.Errorf("%d, %v", n, err)
	}
}

// TestUsersOfANetwork checks that a site shares the users of its network if the network lists it and it has no tables
// of users.
func TestUsersOfANetwork(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	install(t, db, "wp_2_")
	run(t, db, "CREATE TABLE wp_blogs (blog_id bigint PRIMARY KEY)")
	found := func(site schema.SiteTables, prefix, problem string) {
		t.Helper()
		report, err := schema.CheckSite(t.Context(), db, site)
		if err != nil || report.UserPrefix != prefix || (report.Err() == nil) != (problem == "") {
			t.Fatalf("%q, %v, %v", report.UserPrefix, report.Err(), err)
		}
		if problem != "" && !strings.Contains(report.Err().Error(), problem) {
			t.Errorf("%v", report.Err())
		}
	}
	site := schema.SiteTables{Prefix: "wp_2_"}
	found(site, "wp_2_", "") // its own users
	run(t, db, "RENAME TABLE wp_2_users TO wp_users, wp_2_usermeta TO wp_usermeta")
	found(site, "wp_2_", "--users-prefix")
	found(schema.SiteTables{Prefix: "wp_2_", UserPrefix: "wp_"}, "wp_", "")
	run(t, db, "INSERT INTO wp_blogs VALUES (2)")
	found(site, "wp_", "")
	found(schema.SiteTables{Prefix: "wp_2_", UserPrefix: "other_"}, "other_", "other_users")
}
