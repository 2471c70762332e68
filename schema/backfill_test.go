package schema_test

import (
	"context"
	"errors"
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

func backfill(t *testing.T, db *bun.DB, want int) {
	t.Helper()
	if n, err := schema.Backfill(t.Context(), db, "wp_", schema.DefaultNames()); err != nil || n != want {
		t.Errorf("filled %d events, want %d: %v", n, want, err)
	}
}

// dateRows returns the rows of both tables as strings, without ids and times that differ from run to run.
func dateRows(t *testing.T, db *bun.DB) (rows []string) {
	t.Helper()
	const both = "SELECT CONCAT_WS('|', post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration, hash) " +
		"FROM wp_tec_events UNION ALL SELECT CONCAT_WS('|', o.post_id, o.start_date, o.end_date, o.start_date_utc, o.end_date_utc, " +
		"o.duration, o.hash, e.post_id) FROM wp_tec_occurrences o JOIN wp_tec_events e ON e.event_id = o.event_id ORDER BY 1"
	must.Succeed(t, db.NewRaw(both).Scan(t.Context(), &rows))
	return rows
}

func TestBackfillMakesTheReferencesRows(t *testing.T) {
	for name, prepare := range map[string]string{
		"tables are missing":       "DROP TABLE wp_tec_events, wp_tec_occurrences",
		"events are missing":       "DROP TABLE wp_tec_events",
		"occurrences are empty":    "DELETE FROM wp_tec_occurrences",
		"both are empty":           "DELETE e, o FROM wp_tec_events e JOIN wp_tec_occurrences o ON o.event_id = e.event_id",
		"some of each are missing": "DELETE e, o FROM wp_tec_events e JOIN wp_tec_occurrences o ON o.post_id = e.post_id + 1",
	} {
		t.Run(name, func(t *testing.T) {
			db := testdb.SiteA(t, testdb.WithSQLMode(testdb.MySQL8),
				testdb.WithDSNParams("parseTime=true&loc=Asia%2FTokyo&clientFoundRows=true"))
			want := dateRows(t, db)
			run(t, db, prepare)
			n, err := schema.Backfill(t.Context(), db, "wp_", schema.DefaultNames())
			if err != nil || n == 0 {
				t.Fatalf("filled %d, %v", n, err)
			}
			got := dateRows(t, db)
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Fatalf("row %d of %d, %d: got %.200q want %.200q", i, len(got), len(want), got[min(i, len(got)-1)],
						want[min(i, len(want)-1)])
				}
			}
			backfill(t, db, 0)
		})
	}
}

func TestBackfillLeavesACompleteSiteAlone(t *testing.T) {
	db := testdb.SiteA(t)
	run(t, db, "UPDATE wp_tec_occurrences SET start_date = '2031-12-16 10:00:00', hash = 'moved' WHERE post_id = 25")
	before := checksum(t, db, "wp_")
	backfill(t, db, 0)
	if after := checksum(t, db, "wp_"); !slices.Equal(before, after) {
		t.Error("rows changed")
	}
}

// event inserts a post with meta values, given as pairs of key and value.
func event(t *testing.T, db *bun.DB, id int64, postType string, metas ...string) {
	t.Helper()
	run(t, testdb.OfOthers(t, db), "INSERT INTO wp_posts (ID, post_type, post_title, post_content, post_excerpt, to_ping, pinged, "+
		"post_content_filtered, post_status, post_date) VALUES (?, ?, 'x', '', '', '', '', '', 'draft', '2031-01-01 00:00:00')",
		id, postType)
	for i := 0; i < len(metas); i += 2 {
		run(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)", id, metas[i], metas[i+1])
	}
}

func dates(start, end, startUTC, endUTC string, more ...string) []string {
	return append([]string{schema.MetaStartDate, start, schema.MetaEndDate, end, schema.MetaStartDateUTC, startUTC, schema.MetaEndDateUTC,
		endUTC}, more...)
}

func TestBackfillRules(t *testing.T) {
	const zone, length = schema.MetaTimezone, schema.MetaDuration
	ten, noon, nine, eleven := "2030-01-15 10:00:00", "2030-01-15 12:00:00", "2030-01-15 09:00:00", "2030-01-15 11:00:00"
	usual := func(more ...string) []string { return dates(ten, noon, nine, eleven, more...) }
	cases := []struct {
		name  string
		metas []string
		want  string // time zone and duration; "" for no row
	}{
		{"usual", usual(zone, "Europe/Brussels", length, "7200"), "Europe/Brussels 7200"},
		{"no duration", usual(zone, "UTC+1"), "UTC+1 7200"},
		{"shorter duration is kept", usual(zone, "Europe/Brussels", length, "60"), "Europe/Brussels 60"},
		{"first of two metas", usual(zone, "+01:00", zone, "second", length, "", length, "5"), "+01:00 7200"},
		{"no zone: the site's", usual(), "America/New_York 7200"},
		{"long zone is cut", usual(zone, "America/Argentina/ComodRivadavia"), "America/Argentina/ComodRivadav 7200"},
		{"zero length", dates(ten, ten, nine, nine, zone, "CET", length, "0"), "CET 0"},
		{"a year long is clamped", dates(ten, "2031-01-15 10:00:00", nine, "2031-01-15 09:00:00", zone, "UTC", length, "31536000"),
			"UTC 8388607"},
		{"clock set back between start and end",
			dates("2030-10-27 01:30:00", "2030-10-27 03:30:00", "2030-10-26 23:30:00", "2030-10-27 02:30:00", zone, "Europe/Brussels",
				length, "10800"), "Europe/Brussels 10800"},
		{"ends before it starts", dates(noon, ten, nine, eleven, zone, "UTC"), ""},
		{"ends before it starts in UTC", dates(ten, noon, eleven, nine, zone, "UTC"), ""},
		{"longer than its dates", usual(zone, "UTC", length, "7201"), ""},
		{"negative duration", usual(zone, "UTC", length, "-1"), ""},
		{"no number", usual(zone, "UTC", length, "long"), ""},
		{"no zone by its form", usual(zone, "<script>"), ""},
		{"no such day", dates("2030-02-30 10:00:00", "2030-03-03 10:00:00", nine, eleven, zone, "UTC"), ""},
		{"zero date", dates("0000-00-00 00:00:00", noon, nine, eleven, zone, "UTC"), ""},
		{"another form", dates("2030-01-15 9:00:00", noon, nine, eleven, zone, "UTC"), ""},
		{"empty dates", dates("", "", "", "", zone, "UTC"), ""},
		{"no UTC dates", []string{schema.MetaStartDate, ten, schema.MetaEndDate, noon, zone, "UTC"}, ""},
		{"no metas", nil, ""},
	}
	db := testdb.New(t)
	install(t, db, "wp_")
	run(t, db, "UPDATE wp_options SET option_value = 'America/New_York' WHERE option_name = 'timezone_string'")
	filled := 0
	for i, c := range cases {
		event(t, db, int64(i+1), "tribe_events", c.metas...)
		if c.want != "" {
			filled++
		}
	}
	event(t, db, 900, "concert", usual(zone, "UTC")...)
	backfill(t, db, filled)
	for i, c := range cases {
		var got string
		_ = db.NewRaw("SELECT CONCAT(e.timezone, ' ', o.duration) FROM wp_tec_events e JOIN wp_tec_occurrences o "+
			"ON o.event_id = e.event_id AND o.duration = e.duration AND o.post_id = e.post_id AND e.hash = '' "+
			"WHERE e.post_id = ?", i+1).Scan(t.Context(), &got)
		golden.Equal(t, c.name, got, c.want)
	}
	names := schema.DefaultNames()
	names.Event = "concert"
	if n, err := schema.Backfill(t.Context(), db, "wp_", names); n != 1 || err != nil {
		t.Errorf("another post type: %d, %v", n, err)
	}
}

func TestBackfillOffsetOfTheSite(t *testing.T) {
	for offset, want := range map[string]string{"0": "UTC+0", "": "UTC+0", "5.5": "UTC+5.5", "-3": "UTC-3"} {
		db := testdb.New(t)
		install(t, db, "wp_")
		run(t, db, "UPDATE wp_options SET option_value = IF(option_name = 'gmt_offset', ?, '') "+
			"WHERE option_name IN ('gmt_offset', 'timezone_string')", offset)
		event(t, db, 1, "tribe_events",
			dates("2030-01-15 10:00:00", "2030-01-15 10:00:00", "2030-01-15 09:00:00", "2030-01-15 09:00:00")...)
		backfill(t, db, 1)
		golden.Equal(t, offset, one[string](t, db, "SELECT timezone FROM wp_tec_events"), want)
	}
}

// TestOccurrenceHash checks the hash in the contract's example, whose duration is limited to MaxDuration.
func TestOccurrenceHash(t *testing.T) {
	o := schema.Occurrence{PostID: 7, StartDate: "2030-01-15 10:00:00", EndDate: "2030-01-15 12:00:00",
		StartDateUTC: "2030-01-15 09:00:00", EndDateUTC: "2030-01-15 11:00:00", Duration: 7200}
	if got := schema.OccurrenceHash(o); got != "f87214e43b44286ccc66875da7cf7e4a997d0386" {
		t.Error(got)
	}
}

func TestBackfillInBatches(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.New)
	install(t, db, "wp_")
	posts := make([]*schema.Post, 1200)
	for i := range posts {
		day := "2031-01-01 00:00:00"
		posts[i] = &schema.Post{ID: int64(i + 1), Type: "tribe_events", Date: day, DateGMT: day, Modified: day, ModifiedGMT: day}
	}
	must.Get(bind(t, db, "wp_").NewInsert().Model(&posts).Exec(t.Context()))(t)
	for key, value := range map[string]string{
		schema.MetaStartDate: "2031-06-01 10:00:00", schema.MetaEndDate: "2031-06-01 12:00:00", schema.MetaTimezone: "Europe/Paris",
		schema.MetaStartDateUTC: "2031-06-01 08:00:00", schema.MetaEndDateUTC: "2031-06-01 10:00:00",
	} {
		run(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, ?, ? FROM wp_posts WHERE ID % 100 <> 0", key, value)
	}
	// IDs with gaps, as in a cluster. Ids that a driver computes for several rows would be wrong.
	db.SetMaxOpenConns(1)
	run(t, db, "SET SESSION auto_increment_increment = 3, auto_increment_offset = 2")
	counter.Reset()
	backfill(t, db, 1188)
	if sent := len(counter.Statements()); sent > 25 {
		t.Errorf("%d statements for 1,200 events", sent)
	}
	if tx := counter.Transactions(); tx.Begun != 4 || tx.Committed != 4 {
		t.Errorf("%+v", tx)
	}
	linked := one[int](t, db,
		"SELECT COUNT(*) FROM wp_tec_events e JOIN wp_tec_occurrences o ON o.event_id = e.event_id AND o.post_id = e.post_id")
	if linked != 1188 {
		t.Errorf("%d linked rows", linked)
	}
}

func TestBackfillMeetsOtherWriters(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	want := dateRows(t, db)
	run(t, db, "DELETE FROM wp_tec_occurrences")
	failures := []uint16{1062, 1213, 1205}
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.HasPrefix(query, "INSERT") && len(failures) > 0 {
			number := failures[0]
			failures = failures[1:]
			return &mysql.MySQLError{Number: number, Message: "collision"}
		}
		return nil
	})
	backfill(t, db, 140)
	if got := dateRows(t, db); !slices.Equal(got, want) || len(failures) > 0 {
		t.Errorf("%d rows, want %d; failures left: %v", len(got), len(want), failures)
	}
}

func TestBackfillFails(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	run(t, db, "DELETE FROM wp_tec_occurrences")
	inserts := 0
	for _, failure := range []error{errors.New("server gone"), &mysql.MySQLError{Number: 1213, Message: "deadlock"}} {
		counter.Before(func(_ context.Context, _ int, query string) error {
			if strings.HasPrefix(query, "INSERT") {
				inserts++
				return failure
			}
			return nil
		})
		if n, err := schema.Backfill(t.Context(), db, "wp_", schema.DefaultNames()); n != 0 || !errors.Is(err, failure) {
			t.Errorf("filled %d, %v", n, err)
		}
	}
	if inserts != 6 {
		t.Errorf("%d attempts, want one for a lost server and five for a deadlock", inserts)
	}
	counter.Before(nil)
	if got := one[int](t, db, "SELECT COUNT(*) FROM wp_tec_occurrences"); got != 0 {
		t.Errorf("%d rows of a failed run", got)
	}
	for _, c := range []struct{ prefix, event string }{{"wp-", "tribe_events"}, {"wp_", ""}, {"other_", "tribe_events"}} {
		if _, err := schema.Backfill(t.Context(), db, c.prefix, schema.Names{Event: c.event}); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	n := one[int](t, db, "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE 'other%'")
	if n != 0 {
		t.Errorf("%d tables were created for a site that is not there", n)
	}
}
