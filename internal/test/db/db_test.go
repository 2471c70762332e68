package db_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

func one[T any](t *testing.T, db *bun.DB, query string, args ...any) (value T) {
	t.Helper()
	if err := db.NewRaw(query, args...).Scan(t.Context(), &value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

func TestDatabasesAreFreshAndDropped(t *testing.T) {
	var names []string
	for range 2 {
		t.Run("use", func(t *testing.T) {
			db := testdb.New(t)
			names = append(names, one[string](t, db, "SELECT DATABASE()"))
			must.Get(db.ExecContext(t.Context(), "CREATE TABLE only_here (a INT)"))(t)
		})
	}
	if names[0] == names[1] {
		t.Errorf("both tests used %s", names[0])
	}
	left := one[int](t, testdb.New(t), "SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN (?)", bun.List(names))
	if left != 0 {
		t.Errorf("%d of %v are left", left, names)
	}
}

func TestOptionsReachThePool(t *testing.T) {
	db := testdb.SiteA(t, testdb.WithSQLMode(testdb.MySQL8), testdb.WithDSNParams("parseTime=true&loc=Asia%2FTokyo"))
	mode := strings.Split(one[string](t, db, "SELECT @@SESSION.sql_mode"), ",")
	slices.Sort(mode)
	want := strings.Split(testdb.MySQL8, ",")
	slices.Sort(want)
	if !slices.Equal(mode, want) {
		t.Errorf("sql_mode %v", mode)
	}
	if got := one[string](t, db, "SELECT post_date FROM wp_posts WHERE ID = 23"); got != "2026-01-01T00:00:00+09:00" {
		t.Errorf("parseTime and loc had no effect: %s", got)
	}
	plain := testdb.Reopen(t, db)
	if got := one[string](t, plain, "SELECT post_date FROM wp_posts WHERE ID = 23"); got != "2026-01-01 00:00:00" {
		t.Errorf("post_date %s", got)
	}
}

// TestPreparedQueriesAreRecordedWithTheirValues checks that a counter records what a prepared query asks.
func TestPreparedQueriesAreRecordedWithTheirValues(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.New)
	var found string
	err := db.DB.QueryRowContext(t.Context(), "SELECT '?' AS `a?` FROM DUAL WHERE 'it''s' = ? AND ? IN (3, ?)", "it's", 4, 4).Scan(&found)
	if err != nil || found != "?" {
		t.Fatal(found, err)
	}
	want := []string{"SELECT '?' AS `a?` FROM DUAL WHERE 'it''s' = 'it''s' AND 4 IN (3, 4)"}
	if got := counter.Statements(); !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
}
