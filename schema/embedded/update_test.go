package embedded

import (
	"bytes"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded/internal/collation"
)

// olderFile returns the path of a closed file, as an older version left it, after executing the given statements.
func olderFile(t *testing.T, statements ...string) (path string) {
	t.Helper()
	path = file(t)
	db := opened(t, path)
	must.Succeed(t, schema.Install(ctx, db, "wp_"))
	exec(t, db, "INSERT INTO wp_posts (post_title, post_name) VALUES ('', 'B'), ('', 'a'), ('', 'c')")
	conn := must.Get(db.Conn(ctx))(t)
	for _, statement := range append([]string{"PRAGMA writable_schema = ON"}, statements...) {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	must.Succeed(t, conn.Close())
	must.Succeed(t, db.Close())
	return path
}

// byteOrder creates an index that is sorted by bytes although its definition says site_ci.
var byteOrder = []string{
	"DROP INDEX wp_posts_post_name",
	"CREATE INDEX wp_posts_post_name ON wp_posts (post_name COLLATE BINARY)",
	"UPDATE sqlite_schema SET sql = replace(sql, 'COLLATE BINARY', '') WHERE name = 'wp_posts_post_name'",
}

func TestOlderCollationBuildsIndexesAgain(t *testing.T) {
	check := func(db *bun.DB) string {
		var answer []string
		must.Succeed(t, db.NewRaw("PRAGMA integrity_check").Scan(ctx, &answer))
		return strings.Join(answer, "; ")
	}
	if got := check(opened(t, olderFile(t, byteOrder...))); got == "ok" {
		t.Fatal("the file needs no repair: this test shows nothing")
	}
	path := olderFile(t, append(byteOrder, fmt.Sprintf("PRAGMA application_id = %d", fileID|collation.Version-1))...)
	db := opened(t, path)
	if got := check(db); got != "ok" {
		t.Error(got)
	}
	if n := number(t, db, "PRAGMA application_id"); n != fileID|collation.Version {
		t.Errorf("marks %x", n)
	}
	if n := number(t, db, "SELECT count(*) FROM wp_posts WHERE post_name = 'A'"); n != 1 {
		t.Errorf("%d rows", n)
	}
}

func TestCollationThatMakesTextsEqual(t *testing.T) {
	path := olderFile(t, "UPDATE sqlite_schema SET sql ="+
		" replace(sql, '\"option_name\" TEXT COLLATE site_ci', '\"option_name\" TEXT COLLATE BINARY') WHERE name = 'wp_options'")
	db := opened(t, path)
	exec(t, db, "INSERT INTO wp_options (option_name, option_value) VALUES ('HOME', '')")
	conn := must.Get(db.Conn(ctx))(t)
	for _, statement := range []string{
		"PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = replace(sql, 'COLLATE BINARY', 'COLLATE site_ci')",
		fmt.Sprintf("PRAGMA application_id = %d", fileID|collation.Version-1),
	} {
		must.Get(conn.ExecContext(ctx, statement))(t)
	}
	_ = conn.Close()
	_ = db.Close()
	if _, err := Open(ctx, path); err == nil || !strings.Contains(err.Error(), "texts that must be unique are now equal") {
		t.Errorf("error %v", err)
	}
	if copies := backups(t, path); len(copies) > 0 {
		t.Errorf("nothing was changed, and there is %q", copies)
	}
}

func TestOlderTablesAreCompleted(t *testing.T) {
	path := olderFile(t, "DROP TABLE wp_termmeta", "PRAGMA user_version = -1")
	db := opened(t, path)
	if n := number(t, db, "SELECT count(*) FROM sqlite_schema WHERE name = 'wp_termmeta'"); n != 1 {
		t.Error("the table is not there")
	}
	if n := number(t, db, "PRAGMA user_version"); n != schema.Version {
		t.Errorf("version %d", n)
	}
}

// backups returns the copies of a file that updates have left.
func backups(t *testing.T, path string) []string {
	t.Helper()
	return must.Get(filepath.Glob(path + ".backup-*"))(t)
}

func TestUpdateLeavesACopy(t *testing.T) {
	path := olderFile(t, "PRAGMA user_version = -1", fmt.Sprintf("PRAGMA application_id = %d", fileID|collation.Version-1))
	for range 2 {
		db := opened(t, path)
		if n := number(t, db, "PRAGMA user_version"); n != schema.Version {
			t.Errorf("version %d", n)
		}
	}
	copies := backups(t, path)
	if len(copies) != 1 {
		t.Fatalf("copies %q", copies)
	}
	if info, err := os.Stat(copies[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if old, err := Outdated(ctx, copies[0]); err != nil || !old {
		t.Errorf("the copy is up to date: %v", err)
	}
	if n := number(t, opened(t, copies[0]), "SELECT count(*) FROM wp_posts"); n != 3 {
		t.Errorf("%d rows", n)
	}
}

// firstVersion returns the path of a file with version 1 of the tables for sites with the given prefixes.
func firstVersion(t *testing.T, prefixes ...string) (path string) {
	t.Helper()
	made := must.Get(os.ReadFile("testdata/version1.sql"))(t)
	path = file(t)
	db := opened(t, path)
	for _, prefix := range prefixes {
		exec(t, db, strings.ReplaceAll(string(made), `"wp_`, `"`+prefix))
	}
	must.Succeed(t, db.Close())
	return path
}

// columnsForDates counts the columns for events with several dates.
func columnsForDates(t *testing.T, db *bun.DB) int {
	t.Helper()
	return number(t, db, "SELECT count(*) FROM sqlite_schema AS s, pragma_table_info(s.name) AS c WHERE s.type = 'table' "+
		"AND c.name IN ('rset', 'has_recurrence', 'sequence', 'is_rdate')")
}

// TestFilesOfVersion1GetDates checks that a file of version 1 is copied once and gets the columns for events with
// several dates. The log contains the name of the copy, which can be opened like the original file. The new version of
// the file prevents programs that only know version 1 from opening it: see TestErrorsSayWhatToDo.
func TestFilesOfVersion1GetDates(t *testing.T) {
	path := firstVersion(t, "wp_", "two_")
	before := must.Get(os.ReadFile(path))(t)
	var log bytes.Buffer
	for range 2 {
		db := must.Get(OpenLogged(ctx, path, slog.New(slog.NewTextHandler(&log, nil))))(t)
		if n, version := columnsForDates(t, db), number(t, db, "PRAGMA user_version"); n != 8 || version != schema.Version {
			t.Errorf("%d columns, version %d", n, version)
		}
		bound := must.Get(schema.Bind(db, "two_"))(t)
		var rows []schema.OccurrenceDates
		if err := bound.NewSelect().Model(&rows).Scan(ctx); err != nil || len(rows) != 1 || rows[0].PostID != 7 {
			t.Errorf("%+v, %v", rows, err)
		}
		must.Succeed(t, db.Close())
	}
	copies := backups(t, path)
	if len(copies) != 1 || strings.Count(log.String(), copies[0]) != 1 {
		t.Fatalf("copies %q, logged %s", copies, &log)
	}
	if after, err := os.ReadFile(copies[0]); err != nil || len(after) != len(before) {
		t.Errorf("the copy has %d bytes, the file had %d, %v", len(after), len(before), err)
	}
	if db := opened(t, copies[0]); columnsForDates(t, db) != 8 || number(t, db, "SELECT count(*) FROM wp_posts") != 1 {
		t.Error("the copy cannot be opened as the file was")
	}
}

// TestInterruptedUpdates checks that an update that is interrupted between two sites leaves a file of version 1, and
// that the next start continues the update.
func TestInterruptedUpdates(t *testing.T) {
	path := firstVersion(t, "wp_", "two_")
	run := func(statement string) {
		t.Helper()
		db := sql.OpenDB(connector(location(path)))
		must.Get(db.ExecContext(ctx, statement))(t)
		must.Succeed(t, db.Close())
	}
	run("DROP TABLE two_tec_events; CREATE VIEW two_tec_events AS SELECT 1 AS event_id")
	if _, err := Open(ctx, path); err == nil {
		t.Fatal("a view was altered")
	}
	run("DROP VIEW two_tec_events")
	if old, err := Outdated(ctx, path); err != nil || !old {
		t.Errorf("half of the update counts as all of it: %v", err)
	}
	db := opened(t, path)
	if n, version := columnsForDates(t, db), number(t, db, "PRAGMA user_version"); n < 7 || version != schema.Version {
		t.Errorf("%d columns, version %d", n, version)
	}
}
