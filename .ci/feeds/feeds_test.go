// Package feeds_test serves the recorded site to programs that read calendar feeds. Go ignores directories whose names
// begin with a dot, so that only check.sh runs it.
package feeds_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestFeeds(t *testing.T) {
	db := testdb.SiteA(t)
	// No recorded event was cancelled or postponed.
	must.Get(db.ExecContext(t.Context(), "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES "+
		"(25, '_tribe_events_status', 'canceled'), (26, '_tribe_events_status', 'postponed')"))(t)
	server := httptest.NewServer(contract.Handler(t, calendar.Options{DB: db}))
	defer server.Close()
	runReader(t, server, "node", "read.js")
}

// runReader runs a reader on the feeds of a server.
func runReader(t *testing.T, server *httptest.Server, program, script string, more ...string) {
	t.Helper()
	args := append([]string{script, server.URL + "/wp-json/tribe/events/v1"}, more...)
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir = os.Getenv("AGENDA_FEED_READERS") // where check.sh installed them
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// Readers find the same occurrences of recurring events as the event list contains (D70).
func TestDates(t *testing.T) {
	db := testdb.SiteDates(t)
	for _, statement := range []string{
		"INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')",
		"UPDATE wp_options SET option_value = '' WHERE option_name IN ('tec_events_recurrence_active', 'active_plugins')",
		// The second occurrence of the rule is moved, the third is excluded, one is added at a clock change, and one of
		// the rule's is longer.
		"UPDATE wp_tec_events SET rset = CONCAT('DTSTART;TZID=Europe/Brussels:20261201T090000\nDTEND;TZID=Europe/Brussels:20261201T100000\n'," +
			"'RRULE:FREQ=WEEKLY;COUNT=5\nRDATE;TZID=Europe/Brussels;VALUE=PERIOD:20261209T100000/20261209T113000\n'," +
			"'RDATE;TZID=Europe/Brussels;VALUE=PERIOD:20270328T040000/20270328T060000\n'," +
			"'RDATE;TZID=Europe/Brussels;VALUE=PERIOD:20261222T090000/20261222T120000\n'," +
			"'EXDATE:20261208T090000\nEXDATE:20261215T090000') WHERE post_id = 9",
		"UPDATE wp_tec_occurrences SET start_date = '2026-12-09 10:00:00', start_date_utc = '2026-12-09 09:00:00', " +
			"end_date = '2026-12-09 11:30:00', end_date_utc = '2026-12-09 10:30:00' WHERE post_id = 9 AND start_date LIKE '2026-12-08%'",
		"UPDATE wp_tec_occurrences SET start_date = '2027-03-28 04:00:00', start_date_utc = '2027-03-28 02:00:00', " +
			"end_date = '2027-03-28 06:00:00', end_date_utc = '2027-03-28 04:00:00' WHERE post_id = 9 AND start_date LIKE '2026-12-15%'",
		"INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash, updated_at, " +
			"has_recurrence) SELECT event_id, post_id, '2026-12-22 09:00:00', '2026-12-22 08:00:00', '2026-12-22 12:00:00', " +
			"'2026-12-22 11:00:00', 10800, 'a', updated_at, 1 FROM wp_tec_events WHERE post_id = 9",
		"INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash, updated_at, " +
			"has_recurrence) SELECT event_id, post_id, '2026-12-29 09:00:00', '2026-12-29 08:00:00', '2026-12-29 10:00:00', " +
			"'2026-12-29 09:00:00', 3600, 'b', updated_at, 1 FROM wp_tec_events WHERE post_id = 9",
	} {
		must.Get(db.ExecContext(t.Context(), statement))(t)
	}
	server := httptest.NewServer(contract.Handler(t, calendar.Options{DB: db, Limits: calendar.Limits{MaxPageSize: 5000}}))
	defer server.Close()
	readDates(t, server, "2026-01-01", "2029-12-31")
}

// readDates runs all readers that expand occurrences on a server.
func readDates(t *testing.T, server *httptest.Server, args ...string) {
	t.Helper()
	runReader(t, server, "node", "dates.js", args...)
	if os.Getenv("AGENDA_FEED_DEBIAN") != "" {
		runReader(t, server, "/usr/bin/python3", "dates.py", args...)
	}
}
