package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestSaveDates checks that an event has one row in each of the tables of dates, that the rows keep their ids, that
// unchanged rows are not written, and that missing or outdated ones are.
func TestSaveDates(t *testing.T) {
	s, db, counter := workbench(t)
	row := func(day string, zone string) *schema.EventRow {
		return &schema.EventRow{PostID: 7, StartDate: day + " 10:00:00", EndDate: day + " 12:00:00", Timezone: zone,
			StartDateUTC: day + " 09:00:00", EndDateUTC: day + " 11:00:00", Duration: 7200}
	}
	var last schema.EventRow // as the meta rows of the event contain it
	try := func(r *schema.EventRow) error {
		return s.Transactions.Write(t.Context(), func(ctx context.Context) error {
			stored, err := s.Events.Dates(ctx, r.PostID, last.StartDate, last.StartDateUTC)
			if err != nil {
				return err
			}
			return s.Events.SaveDates(ctx, r, stored)
		})
	}
	save := func(r *schema.EventRow) (statements int) {
		t.Helper()
		counter.Reset()
		must.Succeed(t, try(r))
		last = *r
		for _, q := range counter.Statements() {
			if strings.Contains(q, "tec_") && !strings.HasPrefix(q, "SELECT") {
				statements++
			}
		}
		return statements
	}
	stored := func() string {
		t.Helper()
		var parts []string
		for _, q := range []string{
			"SELECT CONCAT_WS(' ', event_id, post_id, start_date, timezone, duration) FROM wp_tec_events ORDER BY event_id",
			"SELECT CONCAT_WS(' ', occurrence_id, event_id, post_id, start_date, duration, hash) FROM wp_tec_occurrences " +
				"ORDER BY occurrence_id",
		} {
			var rows []string
			must.Succeed(t, db.NewRaw(q).Scan(t.Context(), &rows))
			parts = append(parts, strings.Join(rows, ", "))
		}
		return strings.Join(parts, " | ")
	}
	want := func(event, occurrence int, r *schema.EventRow) string {
		return fmt.Sprintf("%d 7 %s %s 7200 | %d %d 7 %s 7200 %s", event, r.StartDate, r.Timezone, occurrence, event, r.StartDate,
			schema.OccurrenceHash(r.Occurrence()))
	}
	first, second, moved := row("2030-01-15", "Europe/Brussels"), row("2030-01-16", "Europe/Brussels"), row("2030-01-16", "Europe/Paris")
	for _, w := range []struct {
		name, before      string
		row               *schema.EventRow
		event, occurrence int
		statements        int
	}{
		{"new", "", first, 1, 1, 2},
		{"again", "", first, 1, 1, 0},
		{"another day", "", second, 1, 1, 2},
		{"another zone", "", moved, 1, 1, 2},
		{"again", "", moved, 1, 1, 0},
		{"stale row of the event", "UPDATE wp_tec_events SET start_date = '2001-01-01 00:00:00'", moved, 1, 1, 2},
		{"no occurrence", "DELETE FROM wp_tec_occurrences", moved, 1, 2, 2},
		{"no row of the event", "DELETE FROM wp_tec_events", moved, 2, 2, 2},
		{"no row of the event, another day", "DELETE FROM wp_tec_events", first, 3, 2, 2},
	} {
		if w.before != "" {
			must.Get(db.NewRaw(w.before).Exec(t.Context()))(t)
		}
		if n := save(w.row); n != w.statements {
			t.Errorf("%s: %d statements, want %d", w.name, n, w.statements)
		}
		if got := stored(); got != want(w.event, w.occurrence, w.row) {
			t.Errorf("%s:\n got  %s\n want %s", w.name, got, want(w.event, w.occurrence, w.row))
		}
	}
	for _, before := range []string{
		"UPDATE wp_tec_occurrences SET start_date = '2001-01-01 00:00:00'", // not the event's main date
		"UPDATE wp_tec_occurrences SET start_date = '" + first.StartDate + "', start_date_utc = '2001-01-01 00:00:00'",
		"UPDATE wp_tec_occurrences SET start_date_utc = '" + first.StartDateUTC + "'", // the main date again, but another row has its hash
	} {
		execute(t, db, before)
		if strings.HasSuffix(before, first.StartDateUTC+"'") {
			execute(t, db, "INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash) "+
				"SELECT 99, 99, start_date, start_date_utc, end_date, end_date_utc, '"+schema.OccurrenceHash(second.Occurrence())+"' "+
				"FROM wp_tec_occurrences")
		}
		is := stored()
		if err := try(second); !errors.Is(err, ErrDatesConflict) || stored() != is {
			t.Errorf("D65 %s:\n %v\n %s\n %s", before, err, is, stored())
		}
	}
	if hash := schema.OccurrenceHash(first.Occurrence()); hash != "f87214e43b44286ccc66875da7cf7e4a997d0386" {
		t.Errorf("hash %s", hash)
	}
}

// TestRangeUsesTheIndexes checks that the ends of the calendar are found by the indexes of dates, without sorting all
// rows, that drafts are ignored, and that of events with the same date the one with the lowest id is returned.
func TestRangeUsesTheIndexes(t *testing.T) {
	s, db, counter := workbench(t)
	var posts []schema.Post
	var dates []schema.Occurrence
	for i := range 300 {
		hour := min(max(i, 3), 296) // three share the first date, three the last
		post := row(fmt.Sprint(i))
		if post.ID, post.Status = int64(1000+i), schema.StatusPublish; i == 0 || i == 299 {
			post.Status, hour = schema.StatusDraft, i
		}
		date := fmt.Sprintf("2031-01-%02d %02d:00:00", 1+hour/24, hour%24)
		posts = append(posts, *post)
		dates = append(dates, schema.Occurrence{EventID: post.ID, PostID: post.ID, StartDate: date, EndDate: date,
			StartDateUTC: date, EndDateUTC: date, Hash: fmt.Sprint(i)})
	}
	others := must.Get(schema.Bind(testdb.OfOthers(t, db), "wp_"))(t)
	for _, rows := range []any{&posts, &dates} {
		must.Get(others.NewInsert().Model(rows).Returning("NULL").Exec(t.Context()))(t)
	}
	execute(t, db, "ANALYZE TABLE wp_posts, wp_tec_occurrences")
	mysql := testdb.IsMySQL(t, db)
	counter.Reset()
	first, last, err := s.Events.Range(t.Context())
	if err != nil || *first != (Edge{1001, "2031-01-01 03:00:00"}) || *last != (Edge{1296, "2031-01-13 08:00:00"}) {
		t.Fatal(first, last, err)
	}
	for i, q := range counter.Matching("SELECT") {
		for _, row := range testdb.Explain(t, db, q) {
			// With so few rows MySQL sometimes reads all of another index that contains the dates.
			whole := mysql && row["key"] == "idx_wp_tec_occurrences_post_id_dates_utc"
			if row["key"] != "PRIMARY" && row["key"] != []string{"agenda_start_utc", "agenda_end_utc"}[i] && !whole {
				t.Errorf("%s reads %s by %s", q, row["table"], row["key"])
			}
		}
	}
}

// TestD65LeaveSeries checks that the series of an event are deleted if the table exists and the account may write to it
// (D65).
func TestD65LeaveSeries(t *testing.T) {
	const table = "CREATE TABLE {db}.wp_tec_series_relationships (event_post_id bigint)"
	const rows = "INSERT INTO {db}.wp_tec_series_relationships VALUES (7), (8)"
	const site = "GRANT SELECT, INSERT, UPDATE, DELETE ON {db}.wp_options TO {user}"
	for name, c := range map[string]struct {
		statements []string
		left       int
	}{
		"may delete": {[]string{table, rows, site, "GRANT SELECT, DELETE ON {db}.wp_tec_series_relationships TO {user}"}, 1},
		"may read":   {[]string{table, rows, site, "GRANT SELECT ON {db}.wp_tec_series_relationships TO {user}"}, 2},
		"may not":    {[]string{table, rows, site}, 2},
		"no table":   {[]string{site}, -1},
	} {
		admin, account := testdb.Granted(t, c.statements...)
		db := must.Get(schema.Bind(account, "wp_"))(t)
		s := newStore(t, db, silent)
		if err := s.Transactions.Write(t.Context(), func(ctx context.Context) error { return s.Events.LeaveSeries(ctx, 7) }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		left := -1
		if c.left >= 0 {
			must.Succeed(t, admin.NewRaw("SELECT COUNT(*) FROM wp_tec_series_relationships").Scan(t.Context(), &left))
		}
		if left != c.left {
			t.Errorf("%s: %d rows are left, want %d", name, left, c.left)
		}
	}
}
