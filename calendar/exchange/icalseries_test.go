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
		if err != nil {
			t.Fatal(err)
		}
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
		_, all := b.load(t, open(string(text)))
		for _, o := range all {
			if o.Action != Created || len(o.Problems) > 0 {
				t.Errorf("%s %s: %v", o.Action, o.Name, o.Problems)
			}
		}
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
	const weekly = "RRULE:FREQ=WEEKLY;COUNT=3|"
	for _, c := range []struct{ lines, want string }{
		{
			"RRULE:FREQ=SECONDLY;COUNT=3",
			"refused RRULE: FREQ=SECONDLY is not supported",
		},
		{
			"RRULE:FREQ=DAILY;UNTIL=20260301T090000Z",
			"refused RRULE: its UNTIL is before DTSTART",
		},
		{
			"RRULE:FREQ=DAILY", // D84
			"created",
		},
		{
			"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", // D84
			"created RRULE: has no second date in 30 years, and is left out",
		},
		{
			"RRULE:FREQ=MONTHLY;BYMONTH=4;BYMONTHDAY=31;COUNT=5|RDATE:20270302T100000",
			"created RRULE: has no second date in 30 years, and is left out",
		},
		{
			"RRULE:FREQ=DAILY;COUNT=1", // a rule of a single date, beside which there may be others
			"created",
		},
		{
			"RRULE:FREQ=WEEKLY;UNTIL=20270301T090000Z",
			"created",
		},
		{
			"RRULE:FREQ=DAILY;COUNT=1001",
			"refused recurrence: ",
		},
		{
			weekly + "RRULE:FREQ=DAILY",
			"refused RRULE: occurs more than once: an event has only one rule",
		},
		{
			weekly + "EXRULE:FREQ=DAILY",
			"refused EXRULE: is not supported",
		},
		{weekly + "EXDATE:99990101T100000", "refused RRULE: begins too long before a date that is changed, added or left out"},
		{weekly + "RDATE:" + manyDates(maxOccurrences+1), "refused RDATE: is more than 5000 dates"},
		{
			weekly + "RDATE:soon",
			"refused RDATE: is not a date: soon",
		},
		{
			weekly + "RDATE;TZID=Mars:20270302T100000",
			"refused RDATE: the time zone is unknown: Mars",
		},
		{
			weekly + "EXDATE;TZID=Mars:20270308T100000",
			"refused EXDATE: the time zone is unknown: Mars",
		},
		{
			weekly + "RDATE;VALUE=DATE:20270302",
			"refused RDATE: only one of it and the start has a time",
		},
		{
			"RDATE:20270302T100000|EXDATE:20270301T100000,20270302T100000",
			"refused DTSTART: none of its dates is left",
		},
		{
			weekly + singly("RECURRENCE-ID:20270302T100000|DTSTART:20270302T120000"),
			"created RECURRENCE-ID: is not a date of the event and is left out",
		},
		{
			weekly + singly("RECURRENCE-ID;RANGE=THISANDFUTURE:20270308T090000Z|DTSTART:20270308T120000"),
			"refused RECURRENCE-ID: changes of all later dates (RANGE=THISANDFUTURE) are not supported",
		},
		{
			weekly + singly("RECURRENCE-ID:20270308T090000Z|DTSTART:20270308T120000|SUMMARY:B|LOCATION:Hall"),
			"created SUMMARY: differs for a single date: here all dates have that of the event; " +
				"LOCATION: differs for a single date: here all dates have that of the event",
		},
		{
			weekly + singly("RECURRENCE-ID:20270308T090000Z|DTSTART;VALUE=DATE:20270308"),
			"created DTSTART: only one of it and that of the event has a time: the date stays where it is",
		},
		{
			weekly + singly("RECURRENCE-ID:20270308T090000Z|DTSTART;TZID=Mars:20270308T100000"),
			"created; refused DTSTART: the time zone is unknown: Mars",
		},
		{
			weekly + singly("RECURRENCE-ID:20270308T090000Z|DTSTART;TZID=Europe/Brussels:20270315T100000"),
			"created RECURRENCE-ID: two dates start at the same time; one of them was kept: 2027-03-15 10:00:00",
		},
		{
			weekly + singly("RECURRENCE-ID:20270308T090000Z|STATUS:CANCELLED"),
			"created",
		},
		{
			"RECURRENCE-ID:20270308T100000",
			"created",
		},
	} {
		text := strings.ReplaceAll(eventObject(start+c.lines), "|", "\r\n")
		_, all := b.load(t, ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{Zone: siteZone(t), Now: atNoon()}))
		got := ""
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
		if got != c.want && !(strings.HasSuffix(c.want, ": ") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%.200s: %s, want %s", c.lines, got, c.want)
		}
	}
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
