package db_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
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
			if _, err := db.ExecContext(t.Context(), "CREATE TABLE only_here (a INT)"); err != nil {
				t.Fatal(err)
			}
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

func TestDSN(t *testing.T) {
	empty, err := mysql.ParseDSN(testdb.DSN(t, testdb.WithDSNParams("parseTime=true&clientFoundRows=true")))
	if err != nil {
		t.Fatal(err)
	}
	if !empty.ParseTime || !empty.ClientFoundRows || empty.DBName == "" {
		t.Errorf("%+v", empty)
	}
	site := testdb.SiteA(t)
	again, err := sql.Open("mysql", testdb.DSNOf(t, site))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	var home string
	err = again.QueryRow("SELECT option_value FROM wp_options WHERE option_name = 'home'").Scan(&home)
	if err != nil || home != "http://site.test" {
		t.Errorf("home %q, %v", home, err)
	}
}

func TestSiteA(t *testing.T) {
	db := testdb.SiteA(t)
	for table, want := range map[string]int{
		"wp_posts": 162, "wp_postmeta": 2159, "wp_tec_events": 140, "wp_tec_occurrences": 140, "wp_users": 5, "wp_options": 41,
		"wp_termmeta": 0,
	} {
		if got := one[int](t, db, "SELECT COUNT(*) FROM ?", bun.Ident(table)); got != want {
			t.Errorf("%s: %d rows, want %d", table, got, want)
		}
	}
	if got := one[string](t, db, "SELECT post_modified_gmt FROM wp_posts WHERE ID = 13"); got != "0000-00-00 00:00:00" {
		t.Errorf("zero date: %s", got)
	}
	got := one[string](t, db, "SELECT post_content FROM wp_posts WHERE ID = 26")
	if got != `Emoji 🎷 and accents é à ü, 5'10" tall, 'single' "double" 1990's` {
		t.Errorf("content: %s", got)
	}
}

func TestSitePrefixed(t *testing.T) {
	db := testdb.SiteA(t)
	roles := one[string](t, db, "SELECT option_value FROM wp_options WHERE option_name = 'wp_user_roles'")
	testdb.SitePrefixed(t, db, "wp_", "blog7_")
	n := one[int](t, db, "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE 'wp\\_%'")
	if n != 0 {
		t.Errorf("%d tables keep the old prefix", n)
	}
	if got := one[string](t, db, "SELECT option_value FROM blog7_options WHERE option_name = 'blog7_user_roles'"); got != roles {
		t.Errorf("roles changed: %.80s", got)
	}
	for key, want := range map[string]int{"blog7_capabilities": 5, "wp_capabilities": 0, "blog7_user_level": 5, "wp_user_level": 0,
		"_application_passwords": 5} {
		if n := one[int](t, db, "SELECT COUNT(*) FROM blog7_usermeta WHERE meta_key = ?", key); n != want {
			t.Errorf("%s: %d rows, want %d", key, n, want)
		}
	}
}
