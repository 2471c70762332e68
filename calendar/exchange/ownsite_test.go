package exchange

import (
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
)

// D70: on a site of our own an iCalendar file has all dates of an event, or its own alone where that is accepted.
func TestD70Export(t *testing.T) {
	db := testdb.SiteDates(t)
	run1(t, db, "INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')")
	run1(t, db, "UPDATE wp_options SET option_value = '' WHERE option_name = 'tec_events_recurrence_active'")
	run1(t, db, "UPDATE wp_options SET option_value = '' WHERE option_name = 'active_plugins'")
	b := opened(t, db)
	for leave, rules := range map[string]int{"": 3, LeaveOutDates: 0} {
		var text strings.Builder
		e := &Exporter{Calendar: b.Calendar, Principal: editor, Format: FormatICalendar, LeaveOut: strings.Fields(leave)}
		n, err := e.Export(t.Context(), &text)
		_, events, _ := strings.Cut(text.String(), "BEGIN:VEVENT")
		if err != nil || n != 4 || strings.Count(events, "RRULE:") != rules || strings.Count(events, "RECURRENCE-ID") != 7*rules/3 {
			t.Errorf("without %q: %d, %v\n%s", leave, n, err, text.String())
		}
	}
}
