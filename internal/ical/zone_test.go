package ical_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/test/ics"
	"github.com/agendahq/agenda/internal/test/must"
)

const form = "20060102T150405"

// observance is an observance in a written VTIMEZONE, as a reader understands it.
type observance struct {
	at     time.Time // local time as if it were UTC
	offset int
}

// readObservances returns all changes of a written time zone up to a year, in order.
func readObservances(t *testing.T, text string, year int) []observance {
	t.Helper()
	var list []observance
	calendar := ics.Parse(t, "BEGIN:VCALENDAR\r\n"+text+"END:VCALENDAR\r\n")
	for _, part := range calendar.Parts[0].Parts {
		from, to := seconds(t, part.Value("TZOFFSETFROM")), seconds(t, part.Value("TZOFFSETTO"))
		for _, wall := range occurrences(t, part.Value("DTSTART"), part.Value("RRULE"), year, from) {
			list = append(list, observance{wall.Add(-time.Duration(from) * time.Second), to})
		}
	}
	slices.SortFunc(list, func(a, b observance) int { return a.at.Compare(b.at) })
	return list
}

// occurrences returns the first date and those of its yearly rule.
func occurrences(t *testing.T, first, rule string, year, from int) []time.Time {
	t.Helper()
	start := must.Get(time.Parse(form, first))(t)
	list := []time.Time{start}
	if rule == "" {
		return list
	}
	parts := map[string]string{}
	for part := range strings.SplitSeq(rule, ";") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	month, week := number(t, parts["BYMONTH"]), number(t, parts["BYDAY"][:len(parts["BYDAY"])-2])
	until := time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC)
	if parts["UNTIL"] != "" {
		until = must.Get(time.Parse(form+"Z", parts["UNTIL"]))(t)
		until = until.Add(time.Duration(from) * time.Second)
	}
	if time.Month(month) != start.Month() || parts["FREQ"] != "YEARLY" {
		t.Errorf("%s begins at %s", rule, first)
	}
	for y := start.Year(); y <= year; y++ {
		var days []time.Time // days with that weekday in the month
		d := time.Date(y, time.Month(month), 1, start.Hour(), start.Minute(), start.Second(), 0, time.UTC)
		for ; d.Month() == time.Month(month); d = d.AddDate(0, 0, 1) {
			if strings.ToUpper(d.Weekday().String()[:2]) == parts["BYDAY"][len(parts["BYDAY"])-2:] {
				days = append(days, d)
			}
		}
		at := week - 1
		if week < 0 {
			at = len(days) + week
		}
		switch {
		case at < 0 || at >= len(days) || days[at].After(until):
		case y == start.Year():
			if !days[at].Equal(start) {
				t.Errorf("%s does not begin at %s", rule, first)
			}
		default:
			list = append(list, days[at])
		}
	}
	return list
}

func number(t *testing.T, s string) int {
	t.Helper()
	return must.Get(strconv.Atoi(s))(t)
}

func seconds(t *testing.T, s string) int {
	t.Helper()
	n := number(t, s[1:3])*3600 + number(t, s[3:5])*60
	if len(s) > 5 {
		n += number(t, s[5:])
	}
	if s[0] == '-' {
		n = -n
	}
	return n
}

// TestZones checks for every zone and every year of a period that a reader gets the same offset as Go.
func TestZones(t *testing.T) {
	names := must.Get(os.ReadFile("../wp/strtotime/zones.txt"))(t)
	count := 0
	for _, years := range [][2]int{{1895, 1950}, {1965, 2040}, {2031, 2031}, {2080, 2100}} {
		for name := range strings.FieldsSeq(string(names)) {
			zone := must.Get(time.LoadLocation(name))(t)
			from, to := time.Date(years[0], 7, 1, 12, 0, 0, 0, zone), time.Date(years[1], 7, 1, 12, 0, 0, 0, zone)
			w := &ical.Writer{}
			w.Zone(zone, from, to)
			changes := readObservances(t, string(w.Bytes()), years[1]+1)
			count += len(changes)
			i := 0
			for at := time.Date(years[0], 1, 1, 0, 0, 0, 0, zone); at.Year() <= years[1]; at = at.Add(1013 * time.Hour) {
				wrong := check(at, changes, &i)
				if since, _ := at.ZoneBounds(); !wrong && since.After(from) { // the last second before a change, and the first after it
					j, k := 0, 0
					wrong = check(since.Add(-time.Second), changes, &j) || check(since, changes, &k)
				}
				if wrong {
					t.Fatalf("%s at %s\n%s", name, at, w.Bytes())
				}
			}
		}
	}
	if count < 50000 {
		t.Errorf("%d changes read", count)
	}
}

// check reports whether the changes imply another offset than Go at an instant. i is the index of the last change
// before it.
func check(at time.Time, changes []observance, i *int) (wrong bool) {
	for *i+1 < len(changes) && !changes[*i+1].at.After(at) {
		*i++
	}
	_, want := at.Zone()
	return changes[*i].at.After(at) || changes[*i].offset != want
}

// TestZonesAreShort checks that a zone that has followed one rule for years has two observances, whatever the period
// is.
func TestZonesAreShort(t *testing.T) {
	zone := must.Get(time.LoadLocation("Europe/Brussels"))(t)
	w := &ical.Writer{}
	w.Zone(zone, time.Date(2031, 5, 1, 0, 0, 0, 0, zone), time.Date(9999, 12, 31, 23, 59, 59, 0, zone))
	want := `BEGIN:VTIMEZONE
TZID:Europe/Brussels
BEGIN:STANDARD
DTSTART:20301027T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZNAME:CET
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20310330T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZNAME:CEST
END:DAYLIGHT
END:VTIMEZONE
`
	if got := strings.ReplaceAll(string(w.Bytes()), "\r", ""); got != want {
		t.Errorf("%s", got)
	}
}
