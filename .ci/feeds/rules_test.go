package feeds_test

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// rules are series: the start of the first occurrence, its duration in hours (0 for an all-day event), its time zone,
// and the rule.
var rules = []struct {
	start string
	hours int
	zone  string
	rule  string
}{
	{"2024-02-29 20:00", 2, "Europe/Brussels", "FREQ=YEARLY"},
	{"2024-02-29 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;COUNT=2"},
	{"2024-02-29 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;INTERVAL=2;BYMONTH=2"},
	{"2024-02-29 00:00", 0, "Europe/Brussels", "FREQ=YEARLY"},
	{"2026-05-18 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;BYDAY=20MO"},
	{"2026-05-18 00:00", 0, "Europe/Brussels", "FREQ=YEARLY;BYDAY=20MO;COUNT=3"},
	{"2026-12-28 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;BYDAY=-1MO"},
	{"2026-05-11 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;BYWEEKNO=20"},
	{"2026-05-11 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;BYWEEKNO=20,30;BYDAY=MO,TU;COUNT=9"},
	{"2026-11-30 20:00", 2, "Europe/Brussels", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1"},
	{"2026-12-04 20:00", 2, "Europe/Brussels", "FREQ=WEEKLY;BYDAY=FR,WE,MO;BYSETPOS=-1;COUNT=30"},
	{"2026-12-04 20:00", 2, "Europe/Brussels", "FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=-1;BYMONTH=12,1"},
	{"2026-12-31 20:00", 2, "Europe/Brussels", "FREQ=MONTHLY"},
	{"2026-12-31 20:00", 2, "Europe/Brussels", "FREQ=MONTHLY;BYMONTHDAY=-1"},
	{"2026-12-31 20:00", 2, "Europe/Brussels", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"},
	{"2026-12-31 20:00", 2, "Europe/Brussels", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"},
	{"2026-12-01 20:00", 2, "Europe/Brussels", "FREQ=MONTHLY;BYDAY=1TU,3TU"},
	{"2026-12-01 20:00", 2, "Europe/Brussels", "FREQ=MONTHLY;BYDAY=1TU,-1FR;COUNT=20"},
	{"2026-12-01 20:00", 2, "Europe/Brussels", "FREQ=MONTHLY;BYMONTH=12,3;BYDAY=TU"},
	{"2026-12-15 20:00", 2, "Europe/Brussels", "FREQ=MONTHLY;BYMONTH=12,6,9"},
	{"2026-11-13 20:00", 2, "Europe/Brussels", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"},
	{"2026-12-07 10:00", 2, "Europe/Brussels", "FREQ=MONTHLY;BYDAY=1MO;BYHOUR=10,14"},
	{"2027-03-31 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;BYMONTH=3,4,5;BYMONTHDAY=31"},
	{"2026-12-01 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;BYMONTHDAY=1"},
	{"2026-12-04 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;BYMONTH=12;BYDAY=1FR"},
	{"2026-12-31 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;BYMONTH=6,12;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"},
	{"2026-12-31 20:00", 2, "Europe/Brussels", "FREQ=YEARLY;BYYEARDAY=100,-1"},
	{"2026-12-01 20:00", 2, "Europe/Brussels", "FREQ=DAILY;BYMONTHDAY=1,-1"},
	{"2026-12-01 10:00", 2, "Europe/Brussels", "FREQ=DAILY;BYHOUR=10,14;COUNT=20"},
	{"2026-12-01 20:00", 2, "Europe/Brussels", "FREQ=DAILY;INTERVAL=3;BYMONTH=12,1"},
	{"2026-12-01 20:00", 2, "Europe/Brussels", "FREQ=WEEKLY;UNTIL=20270706T180000Z"},
	{"2026-12-01 20:00", 2, "Europe/Brussels", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU"},
	{"2026-12-01 20:00", 2, "Europe/Brussels", "FREQ=WEEKLY;BYDAY=FR;COUNT=5"}, // the start is not a date of the rule
	{"2027-03-25 02:30", 1, "Europe/Brussels", "FREQ=DAILY;COUNT=7"},           // a clock change skips 02:30
	{"2027-03-28 02:30", 2, "Europe/Brussels", "FREQ=WEEKLY;COUNT=4"},
	{"2026-12-06 02:30", 1, "Europe/Brussels", "FREQ=WEEKLY"},
	{"2027-10-29 02:30", 1, "Europe/Brussels", "FREQ=DAILY;COUNT=5"}, // a clock change repeats 02:30
	{"2027-10-31 02:30", 1, "Europe/Brussels", "FREQ=WEEKLY;COUNT=4"},
	{"2027-10-24 01:30", 1, "Europe/Brussels", "FREQ=WEEKLY;COUNT=3"}, // also when it is the end
	{"2026-12-05 22:00", 8, "Europe/Brussels", "FREQ=WEEKLY"},         // or during an occurrence
	{"2027-03-13 22:00", 8, "America/New_York", "FREQ=DAILY;COUNT=4"},
	{"2027-03-14 02:15", 2, "America/New_York", "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"},
	{"2027-11-07 01:15", 1, "America/New_York", "FREQ=MONTHLY;COUNT=3"},
	{"2027-03-28 00:00", 0, "Europe/Brussels", "FREQ=WEEKLY;COUNT=4"},
}

// Readers find the same occurrences of a rule, in feeds and in exports, as the event list contains, whatever the rule
// (D70).
func TestRules(t *testing.T) {
	db := testdb.SiteDates(t)
	for _, statement := range []string{
		"INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')",
		"UPDATE wp_options SET option_value = '' WHERE option_name IN ('tec_events_recurrence_active', 'active_plugins')",
		"DELETE FROM wp_posts", "DELETE FROM wp_postmeta", "DELETE FROM wp_tec_events", "DELETE FROM wp_tec_occurrences",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	c, h := contract.Mount(t, calendar.Options{DB: db, Limits: calendar.Limits{MaxPageSize: 5000}, Now: func() time.Time { return now }})
	editor := calendar.Principal{UserID: 1}
	ctx := calendar.WithPrincipal(t.Context(), editor)
	for i, r := range rules {
		start, err := time.Parse("2006-01-02 15:04", r.start)
		if err != nil {
			t.Fatal(err)
		}
		body := map[string]any{
			"title": fmt.Sprintf("Series %02d", i), "timezone": r.zone, "all_day": r.hours == 0, "start_date": start.Format(time.DateTime),
			"end_date":   start.Add(time.Duration(r.hours) * time.Hour).Format(time.DateTime),
			"recurrence": map[string]any{"rrule": r.rule},
		}
		if _, err := c.Do(ctx, "POST", "/events", nil, body); err != nil {
			t.Fatalf("%s: %v", r.rule, err)
		}
	}
	var out bytes.Buffer
	if _, err := (&exchange.Exporter{Calendar: c, Principal: editor, Format: exchange.FormatICalendar}).Export(ctx, &out); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "export.ics")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	readDates(t, server, "2024-01-01", "2031-06-20", file)
}
