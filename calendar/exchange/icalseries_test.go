package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// allListed returns the occurrences that lists contain from 2026 to mid-2028, with times in UTC, or as days.
func (b bench) allListed(t *testing.T) (lines []string) {
	t.Helper()
	for page := 1; ; page++ {
		query := url.Values{"start_date": {"2026-01-01"}, "end_date": {"2028-07-01"}, "per_page": {"50"}, "page": {strconv.Itoa(page)}}
		answer, err := b.Do(calendar.WithPrincipal(t.Context(), editor), "GET", "/events", query, nil)
		var list struct {
			Pages  int `json:"total_pages"`
			Events []struct {
				Title    string
				Start    string `json:"start_date"`
				End      string `json:"end_date"`
				StartUTC string `json:"utc_start_date"`
				EndUTC   string `json:"utc_end_date"`
				AllDay   bool   `json:"all_day"`
			}
		}
		if err == nil {
			err = json.Unmarshal(answer, &list)
		}
		must.Succeed(t, err)
		for _, e := range list.Events {
			if e.AllDay {
				e.StartUTC, e.EndUTC = e.Start[:len(time.DateOnly)], e.End[:len(time.DateOnly)]
			}
			lines = append(lines, e.Title+" "+e.StartUTC+"/"+e.EndUTC+"\n")
		}
		if page >= list.Pages {
			slices.Sort(lines)
			return lines
		}
	}
}

// D70: series as other programs write them have the occurrences that an independent reader finds in them: see
// testdata/series/vectors.py. Importing them again, or importing an export of them, changes nothing.
func TestD70SeriesOfOthers(t *testing.T) {
	eachFile(t, "testdata/series/*.ics", func(t *testing.T, file string) {
		text, err := os.ReadFile(file)
		want, missing := os.ReadFile(strings.TrimSuffix(file, ".ics") + ".txt")
		if err = errors.Join(err, missing); err != nil {
			t.Fatal(err)
		}
		b := ownEmptied(t)
		open := func(text string) Source {
			return ICalendar(strings.NewReader(text), filepath.Base(file), CalendarOptions{Zone: siteZone(t), Now: atNoon()})
		}
		wantAll(t, b, open(string(text)), Created)
		if got := strings.Join(b.allListed(t), ""); got != string(want) {
			t.Errorf("dates\n%swant\n%s", got, want)
		}
		wantUnchanged(t, b, open(string(text)))

		exported, other := b.export(t, FormatICalendar), ownEmptied(t)
		other.load(t, open(exported))
		if got := strings.Join(other.allListed(t), ""); got != string(want) {
			t.Errorf("dates of the export\n%swant\n%s\n%s", got, want, exported)
		}
		if again := other.export(t, FormatICalendar); steady(again) != steady(exported) {
			t.Errorf("exported again\n%s\nwas\n%s", steady(again), steady(exported))
		}
		wantUnchanged(t, other, open(exported))
	})
}

// steady returns an iCalendar object without the parts that differ between sites.
func steady(text string) string { return volatile.ReplaceAllString(text, "") }

// D70: what an event cannot have is reported by name. The event is rejected, or imported without that part if it can do
// without.
func TestD70SeriesRefused(t *testing.T) {
	const start = "DTSTART;TZID=Europe/Brussels:20270301T100000|DTEND;TZID=Europe/Brussels:20270301T110000|"
	b := ownEmptied(t)
	special := strings.NewReplacer("{one}", singly(""), "{dates}", manyDates(maxOccurrences+1))
	const differs = "differs for a single date: here all dates have that of the event"
	golden.Each(t, "series-refused.txt", func(lines, want string) {
		text := strings.ReplaceAll(eventObject(start+special.Replace(lines)), "|", "\r\n")
		_, all := b.load(t, ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{Zone: siteZone(t), Now: atNoon()}))
		got, want := "", strings.ReplaceAll(want, "{differs}", differs)
		for i, o := range all {
			if i > 0 {
				got += "; "
			}
			got += string(o.Action)
			for j, p := range o.Problems {
				got += fmt.Sprint([]string{" ", "; "}[min(j, 1)], p.Field, ": ", p.Reason)
			}
			if o.Action == Created {
				b.clear(t)
			}
		}
		if got != want && !(strings.HasSuffix(want, ": ") && strings.HasPrefix(got, want)) {
			t.Errorf("%.200s: %s, want %s", lines, got, want)
		}
	})
}

// singly returns a component that changes a single occurrence of the test's event, which precedes it.
func singly(lines string) string { return "END:VEVENT|BEGIN:VEVENT|UID:u|" + lines }

// manyDates returns a list of n dates.
func manyDates(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = time.Date(2027, 5, 1, 12, i, 0, 0, time.UTC).Format("20060102T150405")
	}
	return strings.Join(list, ",")
}

// TestRevisionsThatCannotBeImported checks that a component that cannot be imported does not displace another one with its
// UID, and is listed unless it is older.
func TestRevisionsThatCannotBeImported(t *testing.T) {
	const good = "BEGIN:VEVENT|UID:a|SUMMARY:Good|DTSTART:20310601T100000Z|END:VEVENT|"
	for lines, want := range map[string]string{
		"SUMMARY:Bad": "DTSTART: is missing", "DTSTART:20310601T100000Z": "SUMMARY: is missing",
		"SUMMARY:Bad|DTSTART:soon":                                    "DTSTART: is not a date: soon",
		"SUMMARY:Bad|DTSTART:20310601T100000Z|RRULE:FREQ=SOON":        "RRULE: FREQ=SOON is not supported",
		"SUMMARY:Bad|SEQUENCE:-1":                                     "",
		"SUMMARY:Bad|DTSTART;TZID=Nowhere:20310601T100000|SEQUENCE:2": "DTSTART: the time zone is unknown: Nowhere",
	} {
		bad := "BEGIN:VEVENT|UID:a|" + lines + "|END:VEVENT|"
		for _, text := range []string{good + bad, bad + good} {
			got := readICalendar(t, "BEGIN:VCALENDAR|"+text+"END:VCALENDAR", CalendarOptions{})
			listed := strings.Contains(got, "REFUSED") && strings.Contains(got, want)
			if strings.Count(got, `title: "Good"`) != 1 || listed != (want != "") {
				t.Errorf("%s:\n%s", text, got)
			}
		}
	}
	got := readICalendar(t, "BEGIN:VCALENDAR|BEGIN:VEVENT|UID:a|SUMMARY:One|END:VEVENT|BEGIN:VEVENT|UID:a|SUMMARY:Two|END:VEVENT|"+
		"END:VCALENDAR", CalendarOptions{})
	if strings.Count(got, "DTSTART: is missing") != 2 {
		t.Errorf("of two that cannot be imported not all are listed:\n%s", got)
	}
}

// TestOrganizersWithoutAddress checks that the empty address that The Events Calendar writes for an organizer without one
// is not reported.
func TestOrganizersWithoutAddress(t *testing.T) {
	got := readICalendar(t, eventObject("DTSTART:20310601T100000Z|ORGANIZER;CN=\"Anna\":MAILTO:"), CalendarOptions{})
	if !strings.Contains(got, `organizer: "Anna"`) || strings.Contains(got, "PROBLEM") {
		t.Error(got)
	}
}

// TestEachDateCanceled checks that an event whose dates are all canceled one by one is canceled.
func TestEachDateCanceled(t *testing.T) {
	b := ownEmptied(t)
	date := func(day, status string) string {
		return "UID:w@example.org|SUMMARY:Choir|RECURRENCE-ID:203106" + day + "T180000Z|DTSTART:203106" + day + "T180000Z|STATUS:" + status
	}
	for _, c := range []struct{ last, state string }{{"CONFIRMED", ""}, {"CANCELLED", StateCanceled}, {"CONFIRMED", ""}} {
		_, all := b.load(t, fieldEvent("", "UID:w@example.org|SUMMARY:Choir|DTSTART:20310610T180000Z|RRULE:FREQ=DAILY;COUNT=2",
			date("10", "CANCELLED"), date("11", c.last)))
		if len(all) != 1 || len(all[0].Problems) > 0 || all[0].Action == Refused {
			t.Fatalf("%+v", all)
		}
		if got := b.records(t); len(got) != 1 || got[0].State != c.state {
			t.Errorf("the last date is %s: %+v", c.last, got)
		}
	}
}
