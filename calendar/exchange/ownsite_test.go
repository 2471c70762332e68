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
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// ownSite opens the tests' site with recurring events, as one whose occurrences this program maintains.
func ownSite(t *testing.T) bench {
	t.Helper()
	db := testdb.SiteDates(t)
	execSQL(t, db, "INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')")
	execSQL(t, db, "UPDATE wp_options SET option_value = '' WHERE option_name IN ('tec_events_recurrence_active', 'active_plugins')")
	return openBench(t, db)
}

// ownEmptied is ownSite without events.
func ownEmptied(t *testing.T) bench {
	t.Helper()
	b := ownSite(t)
	b.clear(t)
	return b
}

// clear deletes all posts.
func (b bench) clear(t *testing.T) {
	t.Helper()
	for _, table := range []string{"posts", "postmeta", "tec_events", "tec_occurrences"} {
		execSQL(t, b.db, "DELETE FROM wp_"+table)
	}
}

// make creates events by requests.
func (b bench) make(t *testing.T, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		if _, err := b.Do(calendar.WithPrincipal(t.Context(), editor), "POST", "/events", nil, json.RawMessage(body)); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
	}
}

// listed returns the occurrences of an event, found by its title, as the event list contains them.
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
	must.Succeed(t, err)
	for _, e := range list.Events {
		dates = append(dates, e.Start+"/"+e.End)
	}
	return dates
}

// D70: on sites whose occurrences this program maintains, each format contains all occurrences of an event and its
// rule, and another site that imports it has the same ones.
func TestD70ExportsAndImports(t *testing.T) {
	first := ownEmptied(t)
	golden.Each(t, "several-dated.txt", func(event string) { first.make(t, event) })
	titles := []string{"Market", "Fair", "Choir", "Walk", "Open door", "Irregular", "Once"}
	want := map[string][]string{}
	for _, title := range titles {
		want[title] = first.listed(t, title)
	}
	same := func(form Format, b bench) {
		for _, title := range titles {
			if got := b.listed(t, title); !slices.Equal(got, want[title]) {
				t.Errorf("%s: %s: %q, want %q", form, title, got, want[title])
			}
		}
	}
	for form, open := range map[Format]func(text string) Source{
		FormatJSON: func(text string) Source { return JSONLines(strings.NewReader(text), "a.jsonl") },
		FormatCSV:  func(text string) Source { return rowsOf{CSV(strings.NewReader(text), "a.csv", TableOptions{})} },
		FormatICalendar: func(text string) Source {
			return ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{Now: atNoon()})
		},
	} {
		text, b := first.export(t, form), ownEmptied(t)
		_, all := b.load(t, open(text), trusted)
		if actions := actionsOf(all); !slices.Equal(actions, slices.Repeat([]Action{Created}, len(titles))) {
			t.Errorf("%s: %v", form, all)
		}
		if again := b.export(t, form); steady(again) != steady(text) {
			t.Errorf("%s\n%s\nwas\n%s", form, again, text)
		}
		same(form, b)
		wantUnchanged(t, b, open(text))
		_, all = first.load(t, open(text), trusted)
		for _, o := range all { // in iCalendar a rule begins at its first own occurrence, and the event's start is an RDATE
			if o.Action != Unchanged && (form != FormatICalendar || o.Name != "Irregular") {
				t.Errorf("%s: back: %v", form, o)
			}
		}
		same(form, first)
	}
}

// If a source changes its rule, or adds or moves occurrences, the import changes those of its event.
func TestD70ChangedSeries(t *testing.T) {
	const start = "DTSTART;TZID=Europe/Brussels:20270301T100000|DTEND;TZID=Europe/Brussels:20270301T110000|"
	b := ownEmptied(t)
	golden.Each(t, "changed-series.txt", func(lines, want string) {
		text := strings.ReplaceAll(eventObject(start+strings.ReplaceAll(lines, "{one}", singly(""))), "|", "\r\n")
		open := func() Source { return ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{Now: atNoon()}) }
		_, all := b.load(t, open())
		var got []string
		for _, date := range b.listed(t, "A") {
			got = append(got, date[5:10]+"T"+date[11:13])
		}
		if strings.Join(got, " ") != want || len(all) != 1 || all[0].Action != Created && all[0].Action != Updated {
			t.Errorf("%s: %q, %v, want %s", lines, got, all, want)
		}
		wantUnchanged(t, b, open())
	})
}

// If a source has only one occurrence of an event left, the import removes the others. A CSV row removes none.
func TestD70FewerDates(t *testing.T) {
	b := ownEmptied(t)
	const line = `{"kind":"events","uid":"a@x","values":{"title":"Fair","start_date":"2031-06-07 10:00:00",` +
		`"end_date":"2031-06-07 11:00:00"%s}}`
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

// An iCalendar file contains all occurrences of an event, or only its own with LeaveOutDates.
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

// TestLanguageThatIsNotStored checks that an import notes once that the site stores no languages if the user names one.
func TestLanguageThatIsNotStored(t *testing.T) {
	_, all := ownEmptied(t).load(t, icsFile("a@x SUMMARY:One", "b@x SUMMARY:Two"), func(im *Importer) { im.Language = "nl" })
	wantActions(t, all, Created, Created)
	golden.Equal(t, "notes", fmt.Sprint(all[0].Notes, all[1].Notes), "["+noLanguages+"] []")
}
