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
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// Readers find the same occurrences of a rule, in feeds and in exports, as the event list contains, whatever the rule
// (D70).
func TestRules(t *testing.T) {
	db := testdb.SiteDates(t)
	for _, statement := range []string{
		"INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')",
		"UPDATE wp_options SET option_value = '' WHERE option_name IN ('tec_events_recurrence_active', 'active_plugins')",
		"DELETE FROM wp_posts", "DELETE FROM wp_postmeta", "DELETE FROM wp_tec_events", "DELETE FROM wp_tec_occurrences",
	} {
		must.Get(db.ExecContext(t.Context(), statement))(t)
	}
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	c, h := contract.Mount(t, calendar.Options{DB: db, Limits: calendar.Limits{MaxPageSize: 5000}, Now: func() time.Time { return now }})
	editor := calendar.Principal{UserID: 1}
	ctx := calendar.WithPrincipal(t.Context(), editor)
	i := 0
	golden.Each(t, "rules.txt", func(from string, hours int, zone, rule string) {
		start := must.Get(time.Parse("2006-01-02 15:04", from))(t)
		body := map[string]any{
			"title": fmt.Sprintf("Series %02d", i), "timezone": zone, "all_day": hours == 0, "start_date": start.Format(time.DateTime),
			"end_date":   start.Add(time.Duration(hours) * time.Hour).Format(time.DateTime),
			"recurrence": map[string]any{"rrule": rule},
		}
		if _, err := c.Do(ctx, "POST", "/events", nil, body); err != nil {
			t.Fatalf("%s: %v", rule, err)
		}
		i++
	})
	var out bytes.Buffer
	must.Get((&exchange.Exporter{Calendar: c, Principal: editor, Format: exchange.FormatICalendar}).Export(ctx, &out))(t)
	file := filepath.Join(t.TempDir(), "export.ics")
	must.Succeed(t, os.WriteFile(file, out.Bytes(), 0o600))
	server := httptest.NewServer(h)
	defer server.Close()
	readDates(t, server, "2024-01-01", "2031-06-20", file)
}
