package transfer

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
	"github.com/uptrace/bun"
)

var ctx = context.Background()

// newFile returns a database in a separate file.
func newFile(t *testing.T) *bun.DB {
	t.Helper()
	db := must.Get(embedded.Open(ctx, filepath.Join(t.TempDir(), "site.db")))(t)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func execSQL(t *testing.T, db *bun.DB, statement string, args ...any) int64 {
	t.Helper()
	result, err := db.DB.ExecContext(ctx, statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	id, _ := result.LastInsertId()
	return id
}

func queryInt(t *testing.T, db *bun.DB, query string, args ...any) (n int64) {
	t.Helper()
	if err := db.DB.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func sums(t *testing.T, db *bun.DB, prefix string) map[string]string {
	t.Helper()
	return must.Get(Checksum(ctx, db, prefix))(t)
}

func mustCopy(t *testing.T, from, to *bun.DB) {
	t.Helper()
	must.Succeed(t, Copy(ctx, from, to, "wp_", "wp_", nil))
}

func sameSums(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if want[name] != got[name] {
			t.Errorf("%s, table %s: %s; want %s", what, name, got[name], want[name])
		}
	}
	if len(want) != 13 || len(got) != 13 {
		t.Errorf("%s: %d and %d tables", what, len(want), len(got))
	}
}

// awkward contains values that some layer might change.
var awkward = []any{
	nil, "", " ", " both ends ", "a\x00b", "\x00", "O:8:\"stdClass\":1:{s:4:\"\x00*\x00a\";i:1;}", `back\slash \\ \' \% \0 \n`,
	`'single' "double"`, "line\r\nfeed\ttab\x1a", "🎉 𝒜 \U00010428", "é and e\u0301", "%s ? ?0 ?? :x @y $1", "-- ; /* */",
	"\ufffd\ufeff", strings.Repeat("long é🎉\x00'\\", 60_000), "0", "1e3", "00:00:00", "NULL",
}

// addAwkward adds rows to a site that are hard to copy.
func addAwkward(t *testing.T, db *bun.DB) {
	t.Helper()
	execSQL(t, db, "INSERT INTO wp_posts (ID, post_date, post_date_gmt, post_modified, post_modified_gmt,"+
		" post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered, menu_order)"+
		" VALUES (90001, '0000-00-00 00:00:00', '0000-00-00 00:00:00', '1970-01-01 00:00:00', '9999-12-31 23:59:59',"+
		" ?, ?, '', '', '', '', -1)", "N\x00L 🎉 '\\", "text\x00")
	for _, value := range awkward {
		execSQL(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (90001, ?, ?)", "k", value)
		execSQL(t, db, "INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (1, NULL, ?)", value)
	}
	execSQL(t, db, "INSERT INTO wp_terms (term_id, name, slug) VALUES (0, 'nought', '')")
	execSQL(t, db, "INSERT INTO wp_tec_events (event_id, post_id, start_date, end_date, start_date_utc, end_date_utc,"+
		" duration, updated_at, hash)"+
		" VALUES (70001, 90001, '0000-00-00 00:00:00', NULL, '', NULL, NULL, NULL, ''),"+
		" (70002, 90002, '2026-03-29 02:30:00', '', '', '', -5, '2026-03-29 02:30:00', 'x')")
	execSQL(t, db, "INSERT INTO wp_tec_occurrences (occurrence_id, event_id, post_id, start_date, start_date_utc, end_date,"+
		" end_date_utc, duration, hash, updated_at)"+
		" VALUES (80001, 70001, 90001, '0000-00-00 00:00:00', '0000-00-00 00:00:00',"+
		" '2026-10-25 02:30:00', '1000-01-01 00:00:00', 0, 'z', NULL)")
}

// writable are DSN parameters with which statements can write the awkward rows.
const writable = "time_zone=%27%2B00%3A00%27&sql_mode=%27NO_AUTO_VALUE_ON_ZERO%27&collation=utf8mb4_unicode_520_ci"

func awkwardSite(t *testing.T) *bun.DB {
	t.Helper()
	db := testdb.SiteA(t, testdb.WithDSNParams(writable))
	addAwkward(t, db)
	return db
}

func TestThereAndBack(t *testing.T) {
	first := awkwardSite(t)
	want := sums(t, first, "wp_")
	if rows := fmt.Sprintf("%d rows, ", queryInt(t, first, "SELECT COUNT(*) FROM wp_posts")); !strings.HasPrefix(want["posts"], rows) {
		t.Fatalf("posts: %s; want %s", want["posts"], rows)
	}
	file := newFile(t)
	mustCopy(t, first, file)
	sameSums(t, "in the file", want, sums(t, file, "wp_"))
	back := testdb.New(t)
	mustCopy(t, file, back)
	sameSums(t, "back on MariaDB", want, sums(t, back, "wp_"))
	again := newFile(t)
	mustCopy(t, file, again)
	sameSums(t, "in a second file", want, sums(t, again, "wp_"))

	for i, value := range awkward { // directly, not through the checksums
		for name, db := range map[string]*bun.DB{"file": file, "MariaDB": back} {
			var got *string
			query := "SELECT meta_value FROM wp_postmeta WHERE post_id = 90001 ORDER BY meta_id LIMIT 1 OFFSET ?"
			must.Succeed(t, db.DB.QueryRow(query, i).Scan(&got))
			if (got == nil) != (value == nil) || got != nil && *got != value {
				t.Errorf("%s: value %d differs", name, i)
			}
		}
	}
	if n := queryInt(t, file, "SELECT count(*) FROM wp_postmeta WHERE typeof(meta_value) NOT IN ('text', 'null')"); n != 0 {
		t.Errorf("%d values are no texts", n)
	}
	if n := queryInt(t, file, "SELECT count(*) FROM wp_posts WHERE typeof(post_parent) <> 'integer'"); n != 0 {
		t.Errorf("%d numbers are no numbers", n)
	}
}

// TestTranslationsComeAlong checks that the table in which some sites store languages is only created in copies of such
// sites, since its existence means that a site stores languages.
func TestTranslationsComeAlong(t *testing.T) {
	exists := func(db *bun.DB) bool {
		var n int
		return db.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM wp_icl_translations").Scan(&n) == nil
	}
	site := testdb.SiteA(t)
	plain := newFile(t)
	mustCopy(t, site, plain)
	if exists(plain) {
		t.Error("made for a site without languages")
	}
	if names, err := Ignored(ctx, plain, "wp_"); err != nil || len(names) > 0 {
		t.Errorf("ignored: %q %v", names, err)
	}
	must.Succeed(t, schema.InstallTranslations(ctx, site, "wp_"))
	execSQL(t, site, "INSERT INTO wp_icl_translations (translation_id, element_type, element_id, trid, language_code,"+
		" source_language_code) VALUES (7, 'post_tribe_events', 25, 3, 'nl', NULL), (9, 'post_tribe_events', 26, 3, 'fr', 'nl'),"+
		" (12, 'tax_x', NULL, 4, '', '')")
	want := sums(t, site, "wp_")
	file, back := newFile(t), testdb.New(t)
	mustCopy(t, site, file)
	sameSums(t, "in a file", want, sums(t, file, "wp_"))
	mustCopy(t, file, back)
	sameSums(t, "back on MariaDB", want, sums(t, back, "wp_"))
	if n := queryInt(t, back, "SELECT COUNT(*) FROM wp_icl_translations WHERE source_language_code IS NULL OR element_id IS NULL"); n != 2 {
		t.Errorf("%d rows with NULL, want 2", n)
	}
	if err := Copy(ctx, site, back, "wp_", "wp_", nil); err == nil {
		t.Error("copied over a site")
	}
	if err := schema.InstallTranslations(ctx, back, "wp_"); err != nil {
		t.Errorf("a second time: %v", err)
	}
}

// D67: recurring events are copied with everything that is stored of them, and the ids of their occurrences stay the
// same.
func TestD67SeveralDatesComeAlong(t *testing.T) {
	columns := func(db *bun.DB) (n int) {
		for _, what := range []string{"MAX(rset) FROM wp_tec_events", "MAX(has_recurrence + sequence + is_rdate) FROM wp_tec_occurrences",
			"MAX(relationship_id) FROM wp_tec_series_relationships"} {
			var value sql.NullString
			if db.DB.QueryRowContext(ctx, "SELECT "+what).Scan(&value) == nil {
				n++
			}
		}
		return n
	}
	for _, target := range []*bun.DB{newFile(t), testdb.New(t)} {
		if mustCopy(t, testdb.SiteA(t), target); columns(target) != 0 {
			t.Error("made for a site without several dates")
		}
	}
	site := testdb.SiteDates(t, testdb.WithDSNParams(writable))
	must.Succeed(t, schema.InstallDates(ctx, site, "wp_")) // the recorded site has no series
	execSQL(t, site, "ALTER TABLE wp_tec_occurrences DROP KEY hash, ADD KEY hash (hash)")
	execSQL(t, site, "UPDATE wp_tec_occurrences SET sequence = NULL, has_recurrence = 0 WHERE post_id = 7")
	execSQL(t, testdb.OfOthers(t, site), "INSERT INTO wp_posts "+
		"(ID, post_type, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered) "+
		"VALUES (900, 'tribe_event_series', 'Winter', '', '', '', '', '')")
	execSQL(t, site, "INSERT INTO wp_tec_series_relationships VALUES (7, 900, 2, 8), (9, 900, 3, 9)")
	if names, err := Ignored(ctx, site, "wp_"); err != nil || len(names) > 0 {
		t.Errorf("ignored: %q %v", names, err)
	}
	want := sums(t, site, "wp_")
	file, back, ready := newFile(t), testdb.New(t), installed(t, newFile(t))
	mustCopy(t, site, file)
	sameSums(t, "in a file", want, sums(t, file, "wp_"))
	mustCopy(t, file, back)
	sameSums(t, "back on MariaDB", want, sums(t, back, "wp_"))
	mustCopy(t, back, ready)
	sameSums(t, "in a file with tables", want, sums(t, ready, "wp_"))
	for name, db := range map[string]*bun.DB{"file": file, "MariaDB": back, "file with tables": ready} {
		if columns(db) != 3 {
			t.Errorf("%s: columns are missing", name)
		}
		if n := queryInt(t, db, "SELECT COUNT(*) FROM wp_tec_occurrences WHERE occurrence_id IN (2, 5, 6, 7) AND post_id = 8"+
			" AND has_recurrence = 1"); n != 4 {
			t.Errorf("%s: %d of 4 dates have their ids", name, n)
		}
	}
	execSQL(t, site, "UPDATE wp_tec_occurrences SET hash = 'x' WHERE occurrence_id IN (5, 6)")
	empty := newFile(t)
	mustFail(t, Copy(ctx, site, empty, "wp_", "wp_", nil), "source: table wp_tec_occurrences: occurrence_id 5 and 6 have the same hash")
	if n := queryInt(t, empty, "SELECT count(*) FROM sqlite_schema"); n != 0 {
		t.Errorf("the target has %d tables and indexes", n)
	}
}

// TestAnyDSN reads and writes through connections with the DSN parameters that hosts use.
func TestAnyDSN(t *testing.T) {
	site := awkwardSite(t)
	want := sums(t, site, "wp_")
	for _, params := range []string{
		"parseTime=true&loc=Asia%2FTokyo&time_zone=%27%2B09%3A00%27", "clientFoundRows=true&interpolateParams=true",
		"charset=latin1&collation=latin1_swedish_ci", "sql_mode=%27NO_BACKSLASH_ESCAPES%27&interpolateParams=true",
		"sql_mode=%27" + testdb.MySQL8 + "%27&time_zone=%27-05%3A00%27", "sql_mode=%27ANSI%2CPAD_CHAR_TO_FULL_LENGTH%27",
	} {
		from := testdb.Reopen(t, site, testdb.WithDSNParams(params))
		sameSums(t, params, want, sums(t, from, "wp_"))
		to := testdb.New(t, testdb.WithDSNParams(params))
		mustCopy(t, from, to)
		sameSums(t, params, want, sums(t, testdb.Reopen(t, to), "wp_"))
		from.DB.SetMaxOpenConns(1)
		if strings.Contains(params, "+09") && queryInt(t, from, "SELECT @@time_zone = '+09:00'") != 1 {
			t.Error("the pool got a connection with our settings")
		}
	}
}

func TestNewRowsGetHigherIDs(t *testing.T) {
	site := awkwardSite(t)
	for name, to := range map[string]*bun.DB{"SQLite": newFile(t), "MariaDB": testdb.New(t, testdb.WithDSNParams(writable))} {
		mustCopy(t, site, to)
		id := execSQL(t, to, "INSERT INTO wp_posts (post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered)"+
			" VALUES ('', '', '', '', '', '')")
		if id != 90002 {
			t.Errorf("%s: the next post is %d", name, id)
		}
		highest := queryInt(t, to, "SELECT MAX(option_id) FROM wp_options")
		if id := execSQL(t, to, "INSERT INTO wp_options (option_name, option_value) VALUES ('new', '')"); id <= highest {
			t.Errorf("%s: the next option is %d after %d", name, id, highest)
		}
	}
}

// TestCopyOfABusySite writes to the source while its tables are copied.
func TestCopyOfABusySite(t *testing.T) {
	site := testdb.SiteA(t, testdb.WithDSNParams(writable))
	file := newFile(t)
	mustCopy(t, site, file)
	for name, from := range map[string]*bun.DB{"MariaDB": site, "SQLite": file} {
		want, to, calls := sums(t, from, "wp_"), newFile(t), 0
		err := Copy(ctx, from, to, "wp_", "wp_", func(table string, done, total int64) {
			calls++
			execSQL(t, from, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (1, ?, '')", table)
			execSQL(t, from, "UPDATE wp_options SET option_value = ? WHERE option_name = 'blogname'", table)
			execSQL(t, from, "DELETE FROM wp_term_relationships WHERE object_id = (SELECT MAX(post_id) FROM wp_tec_events)")
		})
		if err != nil {
			t.Fatal(name, err)
		}
		sameSums(t, name, want, sums(t, to, "wp_"))
		if sums(t, from, "wp_")["postmeta"] == want["postmeta"] || calls < 22 {
			t.Errorf("%s: nothing was written meanwhile (%d calls)", name, calls)
		}
	}
}

func TestManyRowsOfTwoKeys(t *testing.T) {
	from, to := newFile(t), testdb.New(t)
	must.Succeed(t, schema.Install(ctx, from, "wp_"))
	execSQL(t, from, "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 6999)"+
		" INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) SELECT i / 3000, i % 3000, i FROM n")
	var seen []int64
	must.Succeed(t, Copy(ctx, from, to, "wp_", "wp_", func(table string, done, total int64) {
		if table == "wp_term_relationships" && total == 7000 {
			seen = append(seen, done)
		}
	}))
	sameSums(t, "copy", sums(t, from, "wp_"), sums(t, to, "wp_"))
	if len(seen) < 10 || seen[0] != 0 || seen[len(seen)-1] != 7000 || !slices.IsSorted(seen) {
		t.Errorf("progress: %v", seen)
	}
}

// A copy contains no user sessions: a user who is signed in to the site is not signed in to the copy.
func TestCopyLeavesSessionsOut(t *testing.T) {
	from, to := testdb.SiteA(t), testdb.New(t)
	execSQL(t, from, "INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (1, 'session_tokens', 'a:0:{}')")
	others := queryInt(t, from, "SELECT COUNT(*) FROM wp_usermeta WHERE meta_key <> 'session_tokens' OR meta_key IS NULL")
	mustCopy(t, from, to)
	if n := queryInt(t, to, "SELECT COUNT(*) FROM wp_usermeta"); n != others {
		t.Errorf("%d rows of users, want %d", n, others)
	}
}
