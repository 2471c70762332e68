package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

var now = time.Date(2031, 4, 1, 12, 0, 0, 0, time.UTC)

// siteZone returns the time zone of the importing site.
func siteZone(t testing.TB) *time.Location {
	t.Helper()
	loc, ok := strtotime.Zone("Europe/Brussels")
	if !ok {
		t.Fatal("no zone")
	}
	return loc
}

// Files as other programs write them are read as the golden files show.
func TestDialects(t *testing.T) {
	eachFile(t, "testdata/dialects/*.ics", func(t *testing.T, file string) {
		text := must.Get(os.ReadFile(file))(t)
		read := func(o CalendarOptions) string {
			o.Zone, o.Now = siteZone(t), now
			return listRecords(t, ICalendar(bytes.NewReader(text), filepath.Base(file), o))
		}
		got := read(CalendarOptions{})
		if bytes.Contains(text, []byte("RRULE:FREQ=WEEKLY")) {
			got += "\nEXPANDED\n" + read(CalendarOptions{Expand: now.AddDate(2, 0, 0)})
		}
		wantGolden(t, strings.TrimSuffix(file, ".ics")+".txt", got)
	})
}

// readICalendar returns the records and problems of an iCalendar text as a string.
func readICalendar(t testing.TB, text string, o CalendarOptions) string {
	t.Helper()
	o.Zone, o.Now = siteZone(t), now
	return listRecords(t, ICalendar(strings.NewReader(strings.ReplaceAll(text, "|", "\n")), "a.ics", o))
}

// eventObject returns an iCalendar object with one event that has these lines.
func eventObject(lines string) string {
	return "BEGIN:VCALENDAR|BEGIN:VEVENT|UID:u|SUMMARY:A|" + lines + "|END:VEVENT|END:VCALENDAR"
}

func TestDatesOfCalendars(t *testing.T) {
	golden.Each(t, "calendar-dates.txt", func(lines, want string) {
		o := CalendarOptions{Zone: siteZone(t), Now: now}
		rec, err := ICalendar(strings.NewReader(strings.ReplaceAll(eventObject(lines), "|", "\r\n")), "a.ics", o).Next(t.Context())
		got := ""
		if err == nil {
			zone := rec.Values["timezone"]
			if rec.Values["all_day"] == true {
				zone = "all"
			}
			got = strings.TrimSpace(zone.(string) + " " + rec.Values["start_date"].(string) + " " + rec.Values["end_date"].(string))
		}
		if got != want {
			t.Errorf("%s: %q %v, want %q", lines, got, err, want)
		}
	})
}

// oddZone is a time zone that equals no known one: UTC+1:30 in winter and UTC+2:30 in summer, which begins in May.
const oddZone = "BEGIN:VTIMEZONE|TZID:Odd|BEGIN:STANDARD|DTSTART:20001001T030000|RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU|" +
	"TZOFFSETFROM:+0230|TZOFFSETTO:+0130|END:STANDARD|BEGIN:DAYLIGHT|DTSTART:20000507T020000|RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=1SU|" +
	"TZOFFSETFROM:+0130|TZOFFSETTO:+0230|END:DAYLIGHT|END:VTIMEZONE|"

func TestZonesOfCalendars(t *testing.T) {
	uids := 0
	dated := func(date string) string {
		uids++
		return "BEGIN:VEVENT|UID:u" + strconv.Itoa(uids) + "|SUMMARY:A|DTSTART;TZID=Odd:" + date + "|END:VEVENT|"
	}
	got := readICalendar(t, "BEGIN:VCALENDAR|"+dated("20310301T100000")+dated("20310701T100000")+dated("20310504T023000")+
		dated("20311005T020000")+
		oddZone+"END:VCALENDAR|BEGIN:VCALENDAR|X-WR-TIMEZONE:Asia/Tokyo|"+dated("20310301T100000")+
		strings.ReplaceAll(oddZone, "+0", "-0")+"BEGIN:VEVENT|SUMMARY:B|DTSTART:20310301T100000Z|END:VEVENT|"+
		"END:VCALENDAR|BEGIN:VCALENDAR|X-WR-TIMEZONE:Mars|BEGIN:VEVENT|SUMMARY:C|DTSTART:20310301T100000|END:VEVENT|END:VCALENDAR",
		CalendarOptions{})
	for _, want := range []string{
		`start_date: "2031-03-01 10:00:00" timezone: "UTC+1:30"`, `start_date: "2031-07-01 10:00:00" timezone: "UTC+2:30"`,
		`start_date: "2031-05-04 02:30:00" timezone: "UTC+1:30"`, `start_date: "2031-10-05 02:00:00" timezone: "UTC+2:30"`,
		`start_date: "2031-03-01 10:00:00" timezone: "UTC-1:30"`, `start_date: "2031-03-01 19:00:00" timezone: "Asia/Tokyo" title: "B"`,
		`start_date: "2031-03-01 10:00:00" timezone: "Europe/Brussels" title: "C"`,
		"X-WR-TIMEZONE: is unknown, so times are in the zone of the site: Mars",
	} {
		if !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func TestExpand(t *testing.T) {
	until := now.AddDate(0, 3, 0) // July 1st
	golden.Each(t, "expand.txt", func(lines, want string) {
		got := ""
		s := ICalendar(strings.NewReader(strings.ReplaceAll(eventObject(lines), "|", "\n")), "a.ics",
			CalendarOptions{siteZone(t), now, until})
		uids := map[string]bool{}
		for {
			rec, err := s.Next(t.Context())
			if err == io.EOF {
				break
			} else if err != nil {
				got = strings.TrimPrefix(err.(*Problem).Reason, " ")
				continue
			}
			start := strings.NewReplacer("-", "", ":", "", " ", "T", "2031-", "").Replace(rec.Values["start_date"].(string))
			if rec.Values["all_day"] == true {
				start = start[:4]
			}
			if uids[rec.UID] || rec.UID == "u" {
				t.Errorf("%s: UID %s", lines, rec.UID)
			}
			uids[rec.UID] = true
			got = strings.TrimSpace(got + " " + start)
		}
		golden.Equal(t, lines, got, want)
	})
	// Single components replace occurrences, however their time zone is written and wherever they are in the file.
	const master = "BEGIN:VEVENT|UID:m|SUMMARY:A|DTSTART;TZID=Europe/Brussels:20310601T100000|RRULE:FREQ=DAILY;COUNT=4|END:VEVENT|"
	other := func(id string) string {
		return "BEGIN:VEVENT|UID:m|SUMMARY:B|DTSTART:20310610T100000|RECURRENCE-ID" + id + "|END:VEVENT|"
	}
	for _, text := range []string{
		master + other(":20310602T080000Z") + other(";TZID=Asia/Tokyo:20310603T170000") + other(";VALUE=DATE:20310604"),
		other(":20310602T080000Z") + other(";TZID=Asia/Tokyo:20310603T170000") + master + other(";VALUE=DATE:20310604"),
	} {
		got := readICalendar(t, "BEGIN:VCALENDAR|"+text+"END:VCALENDAR", CalendarOptions{Expand: until})
		if strings.Count(got, `title: "A"`) != 1 || strings.Count(got, `title: "B"`) != 3 || !strings.Contains(got, "m_20310603T080000Z") {
			t.Errorf("%s:\n%s", text, got)
		}
	}
}

// An event with a rule that never matches becomes one event, and the rule is reported once.
func TestExpandedRuleWithoutDates(t *testing.T) {
	const lone = `RRULE: has no second date in 30 years, and is left out`
	b, o := emptySite(t), CalendarOptions{siteZone(t), now, now.AddDate(0, 3, 0)}
	for rule, want := range map[string]int{
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30": 1, "FREQ=YEARLY": 0, "FREQ=YEARLY;COUNT=1": 0, "FREQ=YEARLY;INTERVAL=29": 0,
	} {
		b.clear(t)
		text := strings.ReplaceAll(eventObject("DTSTART:20310601T100000|RRULE:"+rule), "|", "\r\n")
		_, all := b.load(t, ICalendar(strings.NewReader(text), "a.ics", o))
		if len(all) != 1 || all[0].Action != Created || strings.Count(fmt.Sprint(all[0].Problems), lone) != want {
			t.Errorf("%s: %+v", rule, all)
		}
	}
}

// If a property is given twice, the one that is left out is reported.
func TestGivenTwice(t *testing.T) {
	for lines, want := range map[string]string{
		"DTSTART:20310601T100000|DTEND:20310601T110000|DURATION:PT3H": "DURATION: is ignored, since there is a DTEND",
		"DTSTART:20310601T100000|DTSTART:20310602T100000":             "DTSTART: occurs more than once: the first one was used",

		"DTSTART:20310601T100000|RRULE:FREQ=DAILY;COUNT=2|RRULE:FREQ=WEEKLY;COUNT=2": "",
		"DTSTART:20310601T100000|RDATE:20310602T100000|RDATE:20310603T100000":        "",
	} {
		text := strings.ReplaceAll(eventObject(lines), "|", "\r\n")
		rec, err := ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{siteZone(t), now, now.AddDate(0, 3, 0)}).Next(t.Context())
		if err != nil {
			t.Errorf("%s: %v", lines, err)
			continue
		}
		var got []string
		for _, p := range rec.Problems {
			got = append(got, p.Field+": "+p.Reason)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", lines, got, want)
		}
	}
}

// generated is a large file that is never in memory as a whole: it has n events, each with a time zone and one changed
// occurrence.
type generated struct {
	events, at int
	rest       []byte
}

func (g *generated) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		if g.at == g.events {
			return 0, io.EOF
		}
		g.at++
		text := fmt.Sprintf("BEGIN:VCALENDAR|PRODID:x|%sBEGIN:VEVENT|UID:%d|SUMMARY:Event %[2]d|DTSTART;TZID=Odd:20310701T100000|"+
			"RECURRENCE-ID:20310701T100000Z|DESCRIPTION:%s|END:VEVENT|END:VCALENDAR|", oddZone, g.at, strings.Repeat("text ", 300))
		g.rest = []byte(strings.ReplaceAll(text, "|", "\r\n"))
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// Memory does not grow with the size of the file.
func TestCalendarsAreStreamed(t *testing.T) {
	const events = 15_000
	t.Setenv("TMPDIR", t.TempDir()) // a directory without temporary files of other processes
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := ICalendar(&generated{events: events}, "a.ics", CalendarOptions{Zone: siteZone(t), Now: now, Expand: now.AddDate(2, 0, 0)})
	for i := range events {
		rec, err := s.Next(t.Context())
		if err != nil || rec.UID != fmt.Sprintf("%d_20310701T100000Z", i+1) || rec.Values["timezone"] != "UTC+2:30" {
			t.Fatalf("%v %v", rec, err)
		}
		if i%5000 == 4999 {
			runtime.GC()
			runtime.ReadMemStats(&after)
			if grown := int(after.HeapAlloc) - int(before.HeapAlloc); grown > 8<<20 { // the file has 30 MB
				t.Fatalf("%d bytes after %d events", grown, i+1)
			}
		}
	}
	if _, err := s.Next(t.Context()); err != io.EOF {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "agenda-import-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}

// A source that is abandoned leaves no file behind, and an error of its reader ends it.
func TestCalendarsEnd(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := ICalendar(&generated{events: 2}, "a.ics", CalendarOptions{})
	must.Get(s.Next(t.Context()))(t)
	must.Succeed(t, s.(io.Closer).Close())
	if _, err := s.Next(t.Context()); err != io.EOF {
		t.Error(err)
	}
	for range 2 {
		s = ICalendar(iotest.TimeoutReader(&generated{events: 2000}), "a.ics", CalendarOptions{})
		if _, err := s.Next(t.Context()); err != iotest.ErrTimeout {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
	for text, want := range map[string]string{"": "VCALENDAR: is missing", "<html>": "line: is not a line of a calendar: <html>"} {
		if got := readICalendar(t, text, CalendarOptions{}); !strings.Contains(got, want) {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// FuzzICalendar reads arbitrary input: each event becomes a record or a problem.
func FuzzICalendar(f *testing.F) {
	f.Add(eventObject("DTSTART:20310601T100000|RRULE:FREQ=DAILY;COUNT=3|EXDATE:20310602T100000"), true)
	f.Add(eventObject("DTSTART;TZID=Odd:20310601|DTEND:20310501|GEO:1;2|LOCATION:a, b|URL:x|ATTACH:x|CLASS:X|ORGANIZER:x"), false)
	f.Add("BEGIN:VCALENDAR|"+oddZone+"BEGIN:VEVENT|SUMMARY:A|DTSTART;TZID=Odd:20310601T100000|RDATE:20310601T100000/PT1H|"+
		"END:VCALENDAR", true)
	f.Add("BEGIN:VTIMEZONE|TZID:a|X-LIC-LOCATION:b|END:VTIMEZONE|BEGIN:VEVENT|SUMMARY:a|DTSTART;TZID=a:20310601T100000|"+
		"END:VEVENT", false)
	f.Add("BEGIN:VCALENDAR|PRODID:x - Agenda//y|BEGIN:VEVENT|SUMMARY:A|DTSTART:20310501T043000Z|UID:1-1935396000-1935403200@a|"+
		"DESCRIPTION:a \\n\\nb|STATUS:x|END:VEVENT", false)
	files := must.Get(filepath.Glob("testdata/*/*.ics"))(f)
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(f)
		f.Add(string(text), true)
		f.Add(string(text), false)
	}
	f.Fuzz(func(t *testing.T, text string, expand bool) {
		text = strings.ReplaceAll(text, "|", "\n")
		var begun []int                                       // lines at which events begin
		dateOf, events := map[int]string{}, map[string]bool{} // UIDs of changed occurrences by line; UIDs of events
		for r := ical.NewReader(strings.NewReader(text)); ; {
			c, err := r.Next()
			if err == io.EOF {
				break
			}
			if err == nil && c.Name == "VEVENT" {
				begun = append(begun, c.Line)
				if c.First("RECURRENCE-ID") == nil {
					events[uidOf(c)] = true
				} else if !expand {
					dateOf[c.Line] = uidOf(c)
				}
			}
		}
		o := CalendarOptions{Zone: siteZone(t), Now: now}
		if expand {
			o.Expand = now.AddDate(1, 0, 0)
		}
		s, lines := ICalendar(strings.NewReader(text), "a.ics", o), []int{}
		for {
			rec, err := s.Next(t.Context())
			var problem *Problem
			if err == io.EOF {
				break
			} else if errors.As(err, &problem) {
				if problem.Field != "line" {
					lines = append(lines, problem.Place.Line)
				}
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, rec.Line.Line)
			if rec.Values["title"] == "" || rec.Values["start_date"] == nil || rec.Values["end_date"] == nil {
				t.Errorf("%v", rec)
			}
		}
		for i, line := range begun {
			next := math.MaxInt
			if i+1 < len(begun) {
				next = begun[i+1]
			}
			if !events[dateOf[line]] && !slices.ContainsFunc(lines, func(n int) bool { return n >= line && n < next }) {
				t.Errorf("the event of line %d is lost: %q", line, text)
			}
		}
	})
}
