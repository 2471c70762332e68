package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// dateRows returns the rows of the site that store occurrences and rules.
func (b bench) dateRows(t *testing.T) (rows []string) {
	t.Helper()
	for _, query := range []string{
		"CONCAT_WS('|', event_id, post_id, start_date, end_date, timezone, updated_at, rset) FROM wp_tec_events",
		"CONCAT_WS('|', occurrence_id, start_date, end_date, hash, updated_at, has_recurrence, sequence, is_rdate) FROM wp_tec_occurrences",
		"CONCAT_WS('|', post_id, meta_value) FROM wp_postmeta WHERE meta_key = '_EventRecurrence'",
	} {
		var some []string
		must.Succeed(t, b.db.NewRaw("SELECT "+query+" ORDER BY 1").Scan(t.Context(), &some))
		rows = append(rows, some...)
	}
	return rows
}

// D65: an export names the events whose occurrences its format cannot contain and writes nothing, unless LeaveOutDates
// accepts that. On this site iCalendar contains one occurrence per event; the other formats contain all but those that
// are in no table.
func TestD65ExportsOfSeveralDates(t *testing.T) {
	b := openBench(t, testdb.SiteDates(t))
	file := filepath.Join(t.TempDir(), "export")
	const begin = `export: these events have several dates, and the export has only one of each: `
	for form, want := range map[Format]string{
		FormatJSON: "", FormatCSV: "",
		FormatICalendar: begin + `8 "Many dates" (5 dates), 9 "Weekly rule" (3 dates), 10 "Starts past" (4 dates)`,
	} {
		must.Succeed(t, os.WriteFile(file, []byte("before"), 0o600))
		var left []string
		e := &Exporter{Calendar: b.Calendar, Principal: editor, Format: form, Left: func(p *Problem) {
			if p.Field == LeaveOutDates {
				left = append(left, p.Error())
			}
		}}
		n, err := e.ExportFile(t.Context(), file)
		text, missing := os.ReadFile(file)
		var several *SeveralDatesError
		switch all := strings.Count(string(text), "2026-12-31 22:00:00") == 1 && strings.Contains(string(text), "FREQ=WEEKLY;COUNT=3"); {
		case len(left) > 0 || missing != nil:
			t.Errorf("%s: %q, %v", form, left, missing)
		case want == "" && (err != nil || n != 4 || !all):
			t.Errorf("%s: %d events, %v\n%s", form, n, err, text)
		case want != "" && (!errors.As(err, &several) || err.Error() != want || string(text) != "before"):
			t.Errorf("%s: %v, want %s; the file is\n%s", form, err, want, text)
		}
		e.LeaveOut = []string{LeaveOutDates}
		n, err = e.ExportFile(t.Context(), file)
		text, _ = os.ReadFile(file)
		if err != nil || n != 4 || strings.Count(string(text), "Body of Many dates") != 1 ||
			strings.Contains(string(text), "_EventRecurrence") {
			t.Errorf("%s: %d events, %v\n%s", form, n, err, text)
		}
		first := `export: "Many dates" dates: of the 5 dates of event 8 only its own is in the export`
		if len(left) != 3 || left[0] != first {
			t.Errorf("%s: %q", form, left)
		}
		e.LeaveOut, e.Query = nil, map[string][]string{"search": {"Plain single"}}
		if n, err := e.Export(t.Context(), io.Discard); err != nil || n != 1 {
			t.Errorf("%s of the others: %d events, %v", form, n, err)
		}
	}
	execSQL(t, b.db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (7, '_EventRecurrence', ?)",
		`a:1:{s:5:"rules";a:1:{i:0;a:1:{s:4:"type";s:5:"Daily";}}}`)
	e := &Exporter{Calendar: b.Calendar, Principal: editor, Format: FormatJSON, Query: map[string][]string{"search": {"Plain single"}}}
	if _, err := e.Export(t.Context(), io.Discard); err == nil || err.Error() != begin+`7 "Plain single" (1 dates)` {
		t.Errorf("rules that no table has the dates of: %v", err)
	}
}

// D65: events with several occurrences are rejected by name, and an import does not change the occurrences of an event
// that has several.
func TestD65ImportsOfSeveralDates(t *testing.T) {
	b := openBench(t, testdb.SiteDates(t))
	before := b.dateRows(t)
	line := `{"kind":"events","uid":"%s","values":{"title":"%s","start_date":"%s","end_date":"2026-12-05 21:00:00",` +
		`"timezone":"Europe/Brussels"%s},"partial":true%s}` + "\n"
	at := "2026-12-05 19:00:00"
	text := fmt.Sprintf(line, "a@x.example", "Rules", at, "", `,"rows":{"_EventRecurrence":["a:1:{s:5:\"rules\";a:1:{i:0;a:0:{}}}"]}`) +
		fmt.Sprintf(line, "b@x.example", "Dates", at, `,"dates":[{"start_date":"2026-12-05 19:00:00"}]`, "") +
		fmt.Sprintf(line, "", "Many dates", at, "", "")
	// The third one matches event 8 by its title and dates; its UID is stored with the event from then on.
	trusting := func(im *Importer) { im.Trust = true }
	_, all := b.load(t, JSONLines(strings.NewReader(text), "a.jsonl"), trusting)
	got := ""
	for _, o := range all {
		got += fmt.Sprintf("%s %s %v; ", o.Action, o.Name, o.Problems)
	}
	want := `refused Rules [a.jsonl:1: "Rules" dates: ` + severalDates + `]; refused Dates [a.jsonl:2: "Dates" dates: ` +
		`Use a list of dates, each with a start_date and an end_date.]; unchanged Many dates []; `
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	execSQL(t, b.db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) "+
		"VALUES (8, '_agenda_uid', 'many@x.example'), (8, '_agenda_source', 'test')")
	moved := fmt.Sprintf(line, "many@x.example", "Many dates", "2026-12-05 18:00:00", "", "")
	_, all = b.load(t, JSONLines(strings.NewReader(moved), "b.jsonl"), trusting)
	if len(all) != 1 || all[0].Action != Refused || len(all[0].Problems) != 1 || all[0].Problems[0].Item != "Many dates" {
		t.Errorf("moved: %+v", all)
	}
	if after := b.dateRows(t); !slices.Equal(after, before) {
		t.Errorf("rows\n%q\nwant\n%q", after, before)
	}
}

// D66, D70: if a plugin of the site maintains occurrences, a recurring event is rejected by name, and can be expanded
// to single events. Explicit occurrences are imported if the host allows writing them.
func TestD70ImportsElsewhere(t *testing.T) {
	const start = "DTSTART;TZID=Europe/Brussels:20270301T100000|DTEND;TZID=Europe/Brussels:20270301T110000|"
	for _, c := range []struct {
		lines  string
		writes bool
		want   Action
	}{
		{"RRULE:FREQ=DAILY;COUNT=3", false, Refused}, {"RRULE:FREQ=DAILY;COUNT=3", true, Refused},
		{"RDATE:20270302T100000", false, Refused}, {"RDATE:20270302T100000", true, Created},
	} {
		db := testdb.SiteDates(t)
		o := calendar.Options{DB: db, Now: atNoon, Logger: slog.New(slog.DiscardHandler)}
		o.Site.WriteDates = c.writes
		made := must.Get(calendar.New(t.Context(), o))(t)
		t.Cleanup(func() { _ = made.Close(context.Background()) })
		text := strings.ReplaceAll(eventObject(start+c.lines), "|", "\r\n")
		b := bench{made, db}
		_, all := b.load(t, ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{Zone: siteZone(t), Now: atNoon()}))
		if len(all) != 1 || all[0].Action != c.want {
			t.Errorf("%s, %v: %v", c.lines, c.writes, all)
			continue
		}
		if c.want == Refused && (len(all[0].Problems) != 1 || !all[0].Problems[0].Recurs || all[0].Problems[0].Field != fieldDates) {
			t.Errorf("%s, %v: %+v", c.lines, c.writes, all[0].Problems)
		}
		single := ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{siteZone(t), atNoon(), atNoon().AddDate(1, 0, 0)})
		if _, all = b.load(t, single, trusted); !slices.Contains(actionsOf(all), Created) {
			t.Errorf("%s, expanded: %v", c.lines, all)
		}
	}
}

// D66: importing a site's own export changes nothing on a site whose occurrences a plugin maintains.
func TestD70ExportComesBack(t *testing.T) {
	b := openBench(t, testdb.SiteDates(t))
	execSQL(t, b.db, "UPDATE wp_tec_events SET rset = CONCAT(rset, ?) WHERE post_id = 9",
		"\nRDATE;TZID=Europe/Brussels;VALUE=PERIOD:20261203T090000/20261203T100000\nEXDATE:20261208T090000")
	before := b.dateRows(t)
	for form, open := range map[Format]func(string) Source{
		FormatJSON: func(text string) Source { return JSONLines(strings.NewReader(text), "a.jsonl") },
		FormatCSV:  func(text string) Source { return rowsOf{CSV(strings.NewReader(text), "a.csv", TableOptions{})} },
	} {
		text := b.export(t, form)
		if strings.Count(text, "2026-12-03 09:00:00") != 1 || strings.Count(text, "2026-12-08 09:00:00") != 1 {
			t.Errorf("%s lacks dates of the rule:\n%s", form, text)
		}
		_, all := b.load(t, open(text), trusted)
		if got := actionsOf(all); !slices.Equal(got, slices.Repeat([]Action{Unchanged}, 4)) {
			t.Errorf("%s: %v", form, all)
		}
	}
	if after := b.dateRows(t); !slices.Equal(after, before) {
		t.Errorf("rows\n%q\nwant\n%q", after, before)
	}
}

// D65: an item of another calendar that is one of several occurrences is rejected, whatever the form of its address.
func TestD65SeveralDatesOfAnotherCalendar(t *testing.T) {
	one := `{"id": %d, "title": "%s", "slug": "%s", "url": "%s", "start_date": "2031-05-01 10:00:00", "end_date": "2031-05-01 11:00:00"%s}`
	items := strings.Join([]string{
		fmt.Sprintf(one, 10000002, "Pretty", "many-dates", "http://x.example/event/many-dates/2031-05-01/", ""),
		fmt.Sprintf(one, 10000003, "Plain", "many-dates", "http://x.example/?tribe_events=many-dates&#038;eventDate=2031-05-01", ""),
		fmt.Sprintf(one, 3, "Members", "three", "http://x.example/event/three/", `, "dates": [{"id": 1}, {"id": 2}], "dates_total": 2`),
		fmt.Sprintf(one, 4, "Ruled", "four", "http://x.example/event/four/", `, "recurrence": {"rrule": "FREQ=DAILY"}`),
		fmt.Sprintf(one, 5, "Dated", "2031-05-01", "http://x.example/event/2031-05-01/", `, "dates": [{"id": 5}], "recurrence": null`),
	}, ",")
	b := emptySite(t)
	at := answerServer(t, "application/json", `{"total": 5, "events": [`+items+"]}") + "/wp-json/vendor/events/v1/events"
	_, all := b.load(t, b.open(t, at, OpenOptions{}))
	got := ""
	for _, o := range all {
		got += fmt.Sprintf("%s %s; ", o.Action, o.Name)
		if o.Action == Refused && (len(o.Problems) != 1 || o.Problems[0].Field != "dates" || o.Problems[0].Reason != severalDates) {
			t.Errorf("%s: %v", o.Name, o.Problems)
		}
	}
	if want := "refused Pretty; refused Plain; refused Members; refused Ruled; created Dated; "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
