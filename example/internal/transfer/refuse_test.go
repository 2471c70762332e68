package transfer

import (
	"context"
	"slices"
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/uptrace/bun"
)

func installed(t *testing.T, db *bun.DB) *bun.DB {
	t.Helper()
	must.Succeed(t, schema.Install(ctx, db, "wp_"))
	return db
}

func emptySite(t *testing.T, db *bun.DB) *bun.DB {
	t.Helper()
	execSQL(t, installed(t, db), "DELETE FROM wp_options")
	return db
}

func mustFail(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v; want %q", err, want)
	}
}

func TestTargetWithRowsIsRefused(t *testing.T) {
	site := testdb.SiteA(t)
	for _, statement := range []string{
		"INSERT INTO wp_posts (post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered)" +
			" VALUES ('', '', '', '', '', '')",
		"INSERT INTO wp_terms (name) VALUES ('x')", "INSERT INTO wp_users (user_login) VALUES ('x')",
		"INSERT INTO wp_options (option_name, option_value) VALUES ('x', '')",
	} {
		for _, to := range []*bun.DB{emptySite(t, newFile(t)), emptySite(t, testdb.New(t, testdb.WithDSNParams(writable)))} {
			execSQL(t, to, statement)
			want := sums(t, to, "wp_")
			mustFail(t, Copy(ctx, site, to, "wp_", "wp_", nil), "already has rows, and nothing is overwritten")
			sameSums(t, "after the refusal", want, sums(t, to, "wp_"))
		}
	}
	mustFail(t, Copy(ctx, site, site, "wp_", "wp_", nil), "already has rows")
}

func TestSourceWithoutSiteIsRefused(t *testing.T) {
	to := newFile(t)
	mustFail(t, Copy(ctx, testdb.New(t), to, "wp_", "wp_", nil), "there is no table wp_posts")
	mustFail(t, Copy(ctx, testdb.SiteA(t), to, "wp_", "wp-", nil), "prefix")
	mustFail(t, Copy(ctx, testdb.SiteA(t), to, "wp`", "wp_", nil), "prefix")
	if n := queryInt(t, to, "SELECT count(*) FROM sqlite_schema"); n != 0 {
		t.Errorf("the target has %d tables and indexes", n)
	}
}

// tables returns the names of the tables in a database.
func tables(t *testing.T, db *bun.DB, onMySQL bool) (names []string) {
	t.Helper()
	query := "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1"
	if onMySQL {
		query = "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1"
	}
	must.Succeed(t, db.NewRaw(query).Scan(ctx, &names))
	return names
}

// TestFailureLeavesNothing makes copies fail in the last table, in targets without tables, with some, and with all.
func TestFailureLeavesNothing(t *testing.T) {
	site, file := testdb.SiteA(t, testdb.WithDSNParams(writable)), newFile(t)
	mustCopy(t, site, file)
	execSQL(t, file, "INSERT INTO wp_options (option_name, option_value) VALUES (?, '')", strings.Repeat("x", 300))
	execSQL(t, site, "INSERT INTO wp_options (option_id, option_name, option_value) VALUES (18446744073709551000, 'big', '')")
	none := func(t *testing.T, db *bun.DB) *bun.DB { return db }
	some := func(t *testing.T, db *bun.DB) *bun.DB {
		execSQL(t, emptySite(t, db), "DROP TABLE wp_posts")
		return db
	}
	for _, prepare := range []func(*testing.T, *bun.DB) *bun.DB{none, some, emptySite} {
		for onMySQL, to := range map[bool]*bun.DB{true: prepare(t, testdb.New(t)), false: prepare(t, newFile(t))} {
			from, want := site, "SQLite has no numbers of that size"
			if onMySQL {
				from, want = file, "Data too long for column 'option_name'"
			}
			before, rows := tables(t, to, onMySQL), map[string]int64{}
			for _, name := range before {
				if rows[name] = queryInt(t, to, "SELECT COUNT(*) FROM "+name); rows[name] != 0 && name != "wp_agenda_journal" {
					t.Fatalf("%s is not empty", name)
				}
			}
			err := Copy(ctx, from, to, "wp_", "wp_", nil)
			mustFail(t, err, want)
			mustFail(t, err, "wp_options")
			if after := tables(t, to, onMySQL); !slices.Equal(before, after) {
				t.Errorf("tables %v; before %v", after, before)
			}
			for _, name := range before {
				if n := queryInt(t, to, "SELECT COUNT(*) FROM "+name); n != rows[name] {
					t.Errorf("%s has %d rows", name, n)
				}
			}
			if _, err := Ignored(ctx, to, "wp_"); err != nil { // the target can still be read
				t.Error(err)
			}
		}
	}
}

func TestCancelledCopyLeavesNothing(t *testing.T) {
	site := testdb.SiteA(t)
	for onMySQL, to := range map[bool]*bun.DB{true: testdb.New(t), false: newFile(t)} {
		ctx, cancel := context.WithCancel(ctx)
		err := Copy(ctx, site, to, "wp_", "wp_", func(table string, done, total int64) {
			if table == "wp_options" {
				cancel()
			}
		})
		cancel()
		mustFail(t, err, "context canceled")
		if left := tables(t, to, onMySQL); len(left) != 0 {
			t.Errorf("tables %v are left", left)
		}
	}
}

// TestForeignRowsAreKept writes to the target, as another program, in the middle of a copy that then fails.
func TestForeignRowsAreKept(t *testing.T) {
	site, to := testdb.SiteA(t), testdb.New(t, testdb.WithDSNParams(writable))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := Copy(ctx, site, to, "wp_", "wp_", func(table string, done, total int64) {
		if table == "wp_posts" && done == 0 {
			execSQL(t, to, "INSERT INTO wp_users (user_login) VALUES ('other')")
		}
	})
	mustFail(t, err, "wp_users already has rows")
	mustFail(t, err, "left unchanged")
	if n := queryInt(t, to, "SELECT COUNT(*) FROM wp_users"); n != 1 {
		t.Errorf("%d users", n)
	}
	if n := queryInt(t, to, "SELECT COUNT(*) FROM wp_posts"); n != 0 {
		t.Errorf("%d posts", n)
	}
}

func TestOtherPrefix(t *testing.T) {
	site := testdb.SiteA(t)
	for _, to := range []*bun.DB{newFile(t), site} {
		must.Succeed(t, Copy(ctx, site, to, "wp_", "blog7_", nil))
		want, got := sums(t, site, "wp_"), sums(t, to, "blog7_")
		delete(want, "options")
		delete(want, "usermeta")
		for name := range want {
			if want[name] != got[name] {
				t.Errorf("%s: %s; want %s", name, got[name], want[name])
			}
		}
		for query, want := range map[string]int64{
			"options WHERE option_name = 'blog7_user_roles'": 1, "options WHERE option_name = 'wp_user_roles'": 0,
			"usermeta WHERE meta_key = 'blog7_capabilities'": queryInt(t, site,
				"SELECT COUNT(*) FROM wp_usermeta WHERE meta_key = 'wp_capabilities'"),
			"usermeta WHERE meta_key = 'wp_capabilities'": 0,
		} {
			if n := queryInt(t, to, "SELECT COUNT(*) FROM blog7_"+query); n != want {
				t.Errorf("%s: %d, want %d", query, n, want)
			}
		}
	}
}

// TestSiteWithOtherColumns copies a site that lacks some tables and columns and has others.
func TestSiteWithOtherColumns(t *testing.T) {
	site := testdb.SiteA(t, testdb.WithDSNParams(writable))
	for _, statement := range []string{
		"DROP TABLE wp_tec_events", "DROP TABLE wp_termmeta",
		"ALTER TABLE wp_posts ADD colour VARCHAR(9) DEFAULT 'red' FIRST, DROP post_password",
	} {
		execSQL(t, site, statement)
	}
	names, err := Ignored(ctx, site, "wp_")
	want := []string{"wp_posts.colour", "wp_posts.post_password (absent)", "wp_termmeta (absent)", "wp_tec_events (absent)"}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%v, %v", names, err)
	}
	to := newFile(t)
	mustCopy(t, site, to)
	all := queryInt(t, site, "SELECT COUNT(*) FROM wp_posts")
	if n := queryInt(t, to, "SELECT COUNT(*) FROM wp_posts WHERE post_password = ''"); n != all {
		t.Errorf("%d posts", n)
	}
	if names, err := Ignored(ctx, to, "wp_"); err != nil || len(names) != 0 {
		t.Errorf("the copy lacks %v, %v", names, err)
	}
	execSQL(t, site, "ALTER TABLE wp_terms RENAME COLUMN term_id TO id")
	mustFail(t, Copy(ctx, site, newFile(t), "wp_", "wp_", nil), "has no column term_id")
}
