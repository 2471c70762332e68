package exchange

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// ownSite is the recorded site with several dates as one of our own.
func ownSite(t *testing.T) bench {
	t.Helper()
	db := testdb.SiteDates(t)
	run1(t, db, "INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')")
	run1(t, db, "UPDATE wp_options SET option_value = '' WHERE option_name IN ('tec_events_recurrence_active', 'active_plugins')")
	return opened(t, db)
}

// ownEmptied is such a site without events.
func ownEmptied(t *testing.T) bench {
	t.Helper()
	b := ownSite(t)
	for _, table := range []string{"posts", "postmeta", "tec_events", "tec_occurrences"} {
		run1(t, b.db, "DELETE FROM wp_"+table)
	}
	return b
}

// make makes events by requests.
func (b bench) make(t *testing.T, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		if _, err := b.Do(calendar.WithPrincipal(t.Context(), editor), "POST", "/events", nil, json.RawMessage(body)); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
	}
}

// listed returns the dates of an event by its title, as lists have them.
func (b bench) listed(t *testing.T, title string) (dates []string) {
	t.Helper()
	query := url.Values{"start_date": {"1990-01-01"}, "end_date": {"2100-01-01"}, "per_page": {"50"}, "search": {title}}
	answer, err := b.Do(calendar.WithPrincipal(t.Context(), editor), "GET", "/events", query, nil)
	var list struct {
		Events []struct {
			Start string `json:"start_date"`
			End   string `json:"end_date"`
		}
	}
	if err == nil {
		err = json.Unmarshal(answer, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list.Events {
		dates = append(dates, e.Start+"/"+e.End)
	}
	return dates
}

// explicitDates are events whose dates are a list.
var explicitDates = []string{
	`{"title":"Market","start_date":"2031-05-03 09:00:00","end_date":"2031-05-03 13:00:00","timezone":"Europe/Brussels","dates":[
		{"start_date":"2031-05-03 09:00:00","end_date":"2031-05-03 13:00:00"},
		{"start_date":"2031-04-05 09:00:00","end_date":"2031-04-05 13:00:00"},
		{"start_date":"2031-10-26 02:30:00+01:00","end_date":"2031-10-26 04:00:00"}]}`,
	`{"title":"Fair","start_date":"2031-06-07","end_date":"2031-06-08","all_day":true,"timezone":"America/New_York","dates":[
		{"start_date":"2031-06-07","end_date":"2031-06-08"},{"start_date":"2031-06-14","end_date":"2031-06-14"}]}`,
	`{"title":"Once","start_date":"2031-06-01 10:00:00","end_date":"2031-06-01 11:00:00"}`,
}

// D70: on sites of our own each form has all dates of an event, of JSON lines and CSV files also those of other sites.
func TestD70ExportsAndImports(t *testing.T) {
	first := ownEmptied(t)
	first.make(t, explicitDates...)
	for _, form := range []Format{FormatJSON, FormatCSV} {
		text := first.export(t, form)
		open := func() Source {
			if form == FormatCSV {
				return CSV(strings.NewReader(text), "a.csv", TableOptions{})
			}
			return JSONLines(strings.NewReader(text), "a.jsonl")
		}
		b := ownEmptied(t)
		_, all := b.load(t, open(), trusted)
		if actions := actionsOf(all); !slices.Equal(actions, slices.Repeat([]Action{Created}, len(explicitDates))) {
			t.Errorf("%s: %v", form, all)
		}
		if again := b.export(t, form); again != text {
			t.Errorf("%s\n%s\nwas\n%s", form, again, text)
		}
		for _, title := range []string{"Market", "Fair", "Once"} {
			if got, want := b.listed(t, title), first.listed(t, title); !slices.Equal(got, want) {
				t.Errorf("%s: %s: %q, want %q", form, title, got, want)
			}
		}
		wantUnchanged(t, b, open())
	}
}

// An event of whose dates the source has one left has that alone then; a row removes nothing.
func TestD70FewerDates(t *testing.T) {
	b := ownEmptied(t)
	const line = `{"kind":"events","uid":"a@x","values":{"title":"Fair","start_date":"2031-06-07 10:00:00","end_date":"2031-06-07 11:00:00"%s}}`
	load := func(more string) {
		_, _ = b.load(t, JSONLines(strings.NewReader(fmt.Sprintf(line, more)), "a.jsonl"), trusted)
	}
	load(`,"dates":[{"start_date":"2031-06-07 10:00:00","end_date":"2031-06-07 11:00:00"},` +
		`{"start_date":"2031-06-14 10:00:00","end_date":"2031-06-14 11:00:00"}]`)
	if got := b.listed(t, "Fair"); len(got) != 2 {
		t.Fatalf("%q", got)
	}
	row := "uid,title,start_date,end_date\na@x,Fair,2031-06-07 10:00:00,2031-06-07 11:00:00\n"
	_, all := b.load(t, rowsOf{CSV(strings.NewReader(row), "a.csv", TableOptions{})})
	wantActions(t, all, Unchanged)
	load("")
	if got := b.listed(t, "Fair"); !slices.Equal(got, []string{"2031-06-07 10:00:00/2031-06-07 11:00:00"}) {
		t.Errorf("%q", got)
	}
}

// An iCalendar file has all dates of an event, or its own alone where that is accepted.
func TestD70Export(t *testing.T) {
	b := ownSite(t)
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
