package schema_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func check(t *testing.T, db *bun.DB, prefix string) schema.Report {
	t.Helper()
	return must.Get(schema.Check(t.Context(), db, prefix))(t)
}

func TestCheckCompleteSite(t *testing.T) {
	site := testdb.SiteA(t)
	for _, opts := range [][]testdb.Option{nil, {testdb.WithSQLMode(testdb.MySQL8)}, {testdb.WithSQLMode("TRADITIONAL,ANSI"),
		testdb.WithDSNParams("parseTime=true&loc=Asia%2FTokyo&clientFoundRows=true&interpolateParams=true")}} {
		counter := &testdb.Counter{}
		report := check(t, testdb.Reopen(t, site, append(opts, testdb.WithCounter(counter))...), "wp_")
		if report.Err() != nil || !report.HasOccurrences || report.Missing != nil || report.Denied != nil ||
			!slices.Equal(report.Optional, []string{"wp_agenda_idempotency"}) {
			t.Errorf("%+v: %v", report, report.Err())
		}
		if sent := counter.Statements(); len(sent) != 8 {
			t.Errorf("%d statements: %q", len(sent), sent)
		}
	}
}

func TestCheckEmptyDatabase(t *testing.T) {
	db := testdb.New(t)
	report := check(t, db, "wp_")
	want := []string{"wp_posts", "wp_postmeta", "wp_terms", "wp_term_taxonomy", "wp_term_relationships", "wp_options", "wp_users",
		"wp_usermeta"}
	if !slices.Equal(report.Missing, want) || !slices.Equal(report.Optional,
		[]string{"wp_tec_occurrences", "wp_tec_events", "wp_termmeta", "wp_agenda_idempotency"}) || report.HasOccurrences {
		t.Errorf("%+v", report)
	}
	if err := report.Err(); err == nil || !strings.Contains(err.Error(), "wp_posts") || !strings.Contains(err.Error(), "wp_usermeta") {
		t.Errorf("error %v", err)
	}
	if n := one[int](t, db, "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"); n != 0 {
		t.Errorf("Check created %d tables", n)
	}
}

func TestCheckMissingTable(t *testing.T) {
	db := testdb.SiteA(t)
	testdb.SitePrefixed(t, db, "wp_", "blog7_")
	run(t, db, "DROP TABLE blog7_options, blog7_tec_events")
	report := check(t, db, "blog7_")
	if !slices.Equal(report.Missing, []string{"blog7_options"}) || !slices.Equal(report.Optional,
		[]string{"blog7_tec_events", "blog7_agenda_idempotency"}) || !report.HasOccurrences {
		t.Errorf("%+v", report)
	}
	if err := report.Err(); err == nil || strings.Contains(err.Error(), "tec_events") || !strings.Contains(err.Error(),
		"missing tables: blog7_options ") {
		t.Errorf("error %v", err)
	}
}

func TestCheckWithoutOptionalTables(t *testing.T) {
	db := testdb.SiteA(t)
	run(t, db, "DROP TABLE wp_tec_occurrences, wp_tec_events, wp_termmeta")
	report := check(t, db, "wp_")
	if report.Err() != nil || report.HasOccurrences || len(report.Optional) != 4 {
		t.Errorf("%+v: %v", report, report.Err())
	}
}

func TestCheckMode(t *testing.T) {
	db := testdb.SiteA(t, testdb.WithSQLMode("STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES"))
	report := check(t, db, "wp_")
	if err := report.Err(); err == nil || !strings.Contains(err.Error(), "NO_BACKSLASH_ESCAPES") || len(report.Problems()) != 1 {
		t.Errorf("error %v", err)
	}
}

// TestCheckAutocommit checks that without autocommit the reads of a session keep their first snapshot.
func TestCheckAutocommit(t *testing.T) {
	site := testdb.SiteA(t)
	for params, ok := range map[string]bool{"": true, "autocommit=1": true, "autocommit=true": true, "autocommit=0": false,
		"autocommit=OFF": false} {
		report := check(t, testdb.Reopen(t, site, testdb.WithDSNParams(params)), "wp_")
		if err := report.Err(); (err == nil) != ok || err != nil && (!strings.Contains(err.Error(), "autocommit=1") ||
			len(report.Problems()) != 1) {
			t.Errorf("%s: %v", params, err)
		}
	}
}

func TestCheckCharset(t *testing.T) {
	site := testdb.SiteA(t)
	for params, ok := range map[string]bool{
		"": true, "charset=utf8mb4": true, "collation=utf8mb4_bin": true, "charset=nonsense,utf8mb4": true,
		"charset=latin1": false, "charset=utf8": false, "charset=gbk": false, "charset=binary": false, "collation=latin1_swedish_ci": false,
		"character_set_results=latin1": false,
	} {
		report := check(t, testdb.Reopen(t, site, testdb.WithDSNParams(params)), "wp_")
		if err := report.Err(); (err == nil) != ok || err != nil && (!strings.Contains(err.Error(), "character set") ||
			len(report.Problems()) != 1) {
			t.Errorf("%s: %v", params, err)
		}
	}
}

// TestCheckDenied uses recorded errors, because the test server has no accounts: those of MariaDB for an account with
// privileges on some tables only, for tables that exist and tables that do not.
func TestCheckDenied(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	for number, message := range map[uint16]string{
		1142: "SELECT command denied to user 'reader'@'localhost' for table `site`.`wp_users`",
		1044: "Access denied for user 'reader'@'localhost' to database 'site'",
	} {
		counter.Before(func(_ context.Context, _ int, query string) error {
			if strings.Contains(query, "`wp_users`") || strings.Contains(query, "`wp_tec_") {
				return &mysql.MySQLError{Number: number, Message: message}
			}
			return nil
		})
		report := check(t, db, "wp_")
		if !slices.Equal(report.Denied, []string{"wp_users", "wp_tec_occurrences"}) || report.Missing != nil || report.HasOccurrences ||
			!slices.Equal(report.Optional, []string{"wp_tec_events", "wp_agenda_idempotency"}) {
			t.Errorf("%+v", report)
		}
		if err := report.Err(); err == nil || !strings.Contains(err.Error(), "no right to read: wp_users, wp_tec_occurrences") {
			t.Errorf("error %v", err)
		}
	}
}

func TestCheckCannotAsk(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	counter.Before(func(context.Context, int, string) error {
		return &mysql.MySQLError{Number: 1053, Message: "shutdown in progress"}
	})
	if _, err := schema.Check(t.Context(), db, "wp_"); err == nil || !strings.Contains(err.Error(), "shutdown") {
		t.Errorf("error %v", err)
	}
	if _, err := schema.Check(t.Context(), db, "wp-"); err == nil || !strings.Contains(err.Error(), "table prefix") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	counter.Before(nil)
	cancel()
	if _, err := schema.Check(ctx, db, "wp_"); err == nil {
		t.Error("an ended context is no error")
	}
}

// TestCheckAdvice checks that errors contain advice for the operator and the server's message.
func TestCheckAdvice(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	for number, advice := range map[uint16]string{
		1045: "check user and password in the DSN, and set its parameter tls=true", 3159: "set the parameter tls=true",
		1698: "check user and password in the DSN: ",
		1044: "the account has no right to this database", 1049: "no database of this name", 1046: "no database is selected",
		1130: "rejects connections from this host", 1040: "no connection left", 2003: "reaches no database",
		1064: "check: Error 1064",
	} {
		counter.Before(func(context.Context, int, string) error {
			return &mysql.MySQLError{Number: number, Message: "in the server's words"}
		})
		_, err := schema.Check(t.Context(), db, "wp_")
		if err == nil || !strings.Contains(err.Error(), advice) || !strings.HasSuffix(err.Error(), "in the server's words") {
			t.Errorf("%d: %v", number, err)
		}
	}
}

// TestCheckNamesPrefixes checks that the error for a missing site names the sites that exist.
func TestCheckNamesPrefixes(t *testing.T) {
	db := testdb.SiteA(t)
	testdb.SitePrefixed(t, db, "wp_", "blog7_")
	run(t, db, "CREATE TABLE wp_3_postmeta (meta_id INT)")
	report := check(t, db, "other_")
	if !slices.Equal(report.Prefixes, []string{"blog7_", "wp_3_"}) ||
		!strings.Contains(report.Err().Error(), "the sites in this database have the table prefix blog7_, wp_3_)") {
		t.Errorf("%+v: %v", report, report.Err())
	}
}

func TestReportNamesEveryProblem(t *testing.T) {
	report := schema.Report{Missing: []string{"wp_posts"}, Denied: []string{"wp_users"},
		SQLMode: "no_backslash_escapes", Charsets: []string{"utf8mb4", "latin1"}, Version: schema.Version + 1}
	if len(report.Problems()) != 5 {
		t.Errorf("%q", report.Problems())
	}
}
