package schema_test

import (
	"slices"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestD65DiagnoseEventsWithSeveralDates checks that recurring events are counted by kind, and that their rows are not
// reported as problems (D65).
func TestD65DiagnoseEventsWithSeveralDates(t *testing.T) {
	db := testdb.SiteDates(t)
	// Its rule excludes its main date.
	run(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id = 9 AND start_date = '2026-12-01 09:00:00'")
	run(t, db, "ALTER TABLE wp_tec_occurrences DROP KEY hash, ADD KEY hash (hash)")
	d := diagnose(t, db, "wp_")
	told := false
	for _, f := range d.Findings {
		told = told || f.Check == "several" && f.Level == schema.OK && slices.Equal(f.Examples, []int64{8, 9, 10}) &&
			f.Text == "recurring events: 3, of which with explicit dates 2, with rules 1; series: 0"
		if f.Section == "Events" && f.Level != schema.OK || f.Check == "leftovers" && f.Level != schema.OK {
			t.Errorf("%+v", f)
		}
	}
	if !told {
		t.Errorf("%+v", d.Findings)
	}
	if report := check(t, db, "wp_"); report.Err() != nil || report.Dates !=
		(schema.DateColumns{Events: true, Occurrences: true, Rset: true, HasRecurrence: true, Sequence: true, IsRdate: true}) {
		t.Errorf("%+v %v", report, report.Err())
	}
	run(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id = 7") // problems are still found
	if list := complaints(diagnose(t, db, "wp_")); !slices.Contains(list, "warning occurrences") {
		t.Errorf("%q", list)
	}
}

// TestD67BackfillKeepsRowsOfSeveralDates checks that Backfill adds missing rows and keeps the ids and all columns of
// existing ones (D67).
func TestD67BackfillKeepsRowsOfSeveralDates(t *testing.T) {
	db := testdb.SiteDates(t)
	rows := func(table, columns string) (list []string) {
		t.Helper()
		err := db.NewRaw("SELECT CONCAT_WS('|', t.post_id, t.start_date, t.end_date, t.hash, t.updated_at, "+columns+") FROM "+table+
			" t WHERE t.post_id > 7 ORDER BY 1").Scan(t.Context(), &list)
		must.Succeed(t, err)
		return list
	}
	const occurrence, event = "t.occurrence_id, t.has_recurrence, t.sequence, t.is_rdate", "t.event_id, COALESCE(t.rset, 'NULL')"
	backfill(t, db, 0)
	occurrences, events := rows("wp_tec_occurrences", occurrence), rows("wp_tec_events", event)
	run(t, db, "DELETE e, o FROM wp_tec_events e JOIN wp_tec_occurrences o ON o.event_id = e.event_id WHERE e.post_id = 7")
	backfill(t, db, 1)
	run(t, db, "DELETE FROM wp_tec_events WHERE post_id = 7")
	backfill(t, db, 1)
	if got := rows("wp_tec_occurrences", occurrence); !slices.Equal(got, occurrences) || len(got) < 10 {
		t.Errorf("occurrences %q\nwant %q", got, occurrences)
	}
	if got := rows("wp_tec_events", event); !slices.Equal(got, events) || len(got) != 3 {
		t.Errorf("events %q\nwant %q", got, events)
	}
}

// TestInstallDates checks that InstallDates completes the tables of Install and can be repeated.
func TestInstallDates(t *testing.T) {
	db := testdb.New(t, testdb.WithSQLMode(testdb.MySQL8))
	install(t, db, "wp_")
	for range 2 {
		must.Succeed(t, schema.InstallDates(t.Context(), db, "wp_"))
	}
	run(t, db, "INSERT INTO wp_tec_series_relationships (series_post_id, event_id, event_post_id) VALUES (1, 2, 3)")
	if report := check(t, db, "wp_"); !report.Dates.Rset || !report.Dates.HasRecurrence {
		t.Errorf("%+v", report)
	}
	if list := complaints(diagnose(t, db, "wp_")); len(list) > 0 {
		t.Errorf("%q", list)
	}
}
