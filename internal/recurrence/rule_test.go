package recurrence

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // for machines without a zone database

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestRules checks examples from RFC 5545 and special cases.
func TestRules(t *testing.T) {
	golden.Each(t, "rules.txt", func(first, rule, want string) {
		start, _ := ical.ParseDateTime(first)
		r, err := Parse(rule, start.Wall)
		if err != nil {
			t.Fatalf("%s: %v", rule, err)
		}
		got := ""
		list, _ := r.Dates(ClockIn(time.UTC), start.Wall, start.Wall.AddDate(100, 0, 0), 1000)
		for _, at := range list {
			got += at.Format(" 0102")
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	})
	for rule, want := range map[string]string{
		"": "has no FREQ", "FREQ=SECONDLY": "FREQ=SECONDLY is not supported", "FREQ=HOURLY;COUNT=2": "FREQ=HOURLY is not supported",
		"FREQ=DAILY;INTERVAL=0": `INTERVAL: "0" is not a number from 1 to 100000`, "FREQ=DAILY;X=1": "X is not supported",
		"FREQ=DAILY;BYDAY=XX": `BYDAY: "XX" is not a day of the week`, "FREQ=DAILY;BYDAY=0MO": `BYDAY: "0" is none of -53 to 53`,
		"FREQ=DAILY;UNTIL=soon": "UNTIL: is not a date", "FREQ=DAILY;BYMONTH=13": `BYMONTH: "13" is none of 1 to 12`,
		"FREQ=DAILY;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYHOUR=1,2": "has too many times per day",
	} {
		if _, err := Parse(rule, time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", rule, err, want)
		}
	}
}

// TestWithFewer reduces COUNT in each form in which Parse reads it.
func TestWithFewer(t *testing.T) {
	for rule, want := range map[string]string{
		"FREQ=DAILY;COUNT=5": "FREQ=DAILY;COUNT=3", "freq=daily; count = 5;WKST=SU": "freq=daily;COUNT=3;WKST=SU",
		"FREQ=DAILY": "FREQ=DAILY",
	} {
		golden.Equal(t, rule, WithFewer(rule, 2), want)
	}
}

// TestRulesFromLater checks that a late period has the same dates, at a cost that does not depend on what is before it.
func TestRulesFromLater(t *testing.T) {
	start := time.Date(1601, 1, 1, 2, 0, 0, 0, time.UTC)
	from, end := time.Date(2030, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2034, 1, 1, 0, 0, 0, 0, time.UTC)
	for text, most := range map[string]int{
		"FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10": 4, "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,SU": 134, "FREQ=DAILY;INTERVAL=7": 201,
		"FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31": 6, "FREQ=YEARLY;INTERVAL=3": 2, "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30": 0,
	} {
		r := must.Get(Parse(text, start))(t)
		all, _ := r.Dates(ClockIn(time.UTC), start, end, 200_000)
		all = slices.DeleteFunc(all, func(at time.Time) bool { return at.Before(from) })
		later, _ := r.Dates(ClockIn(time.UTC), from, end, 200_000)
		if len(all) > most || !slices.Equal(all, later) {
			t.Errorf("%s: %v, want %v", text, later, all)
		}
		seen := 0
		r.each(from, end, func(time.Time) bool { seen++; return true })
		if seen > most+3 { // the start, and other dates in the period's first unit
			t.Errorf("%s: %d dates were looked at for %d", text, seen, len(later))
		}
		if first, more := r.Dates(ClockIn(time.UTC), from, end, 1); len(later) > 1 && (len(first) != 1 || !more) {
			t.Errorf("%s: %v %t", text, first, more)
		}
	}
}

// TestVectors compares dates with those of python-dateutil: see testdata/vectors.py.
func TestVectors(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/rules.jsonl"))(t)
	count := 0
	for line := range strings.Lines(string(text)) {
		var v struct {
			Zone, Start, Rule string
			Dates             []string
		}
		must.Succeed(t, json.Unmarshal([]byte(line), &v))
		zone := must.Get(time.LoadLocation(v.Zone))(t)
		start, _ := ical.ParseDateTime(v.Start)
		r, err := Parse(v.Rule, start.Wall)
		if err != nil {
			t.Errorf("%s: %v", v.Rule, err)
			continue
		}
		end := start.Wall.AddDate(10, 0, min(0, 28-start.Wall.Day()))
		list, _ := r.Dates(ClockIn(zone), start.Wall, end, 400)
		got := []string{}
		for _, at := range list[:min(len(list), 40)] {
			got = append(got, at.UTC().Format("20060102T150405Z"))
		}
		if count++; !slices.Equal(got, v.Dates) {
			t.Errorf("%s %s %s:\n%v, want\n%v", v.Zone, v.Start, v.Rule, got, v.Dates)
		}
	}
	if count != 300 {
		t.Errorf("%d rules", count)
	}
}

func TestInstant(t *testing.T) {
	brussels := must.Get(time.LoadLocation("Europe/Brussels"))(t)
	for wall, want := range map[string]string{
		"20310330T023000": "2031-03-30 03:30:00 +0200", "20311026T023000": "2031-10-26 02:30:00 +0200",
		"20310330T030000": "2031-03-30 03:00:00 +0200", "20311026T030000": "2031-10-26 03:00:00 +0100",
		"20310701T120000": "2031-07-01 12:00:00 +0200", "20311026T015959": "2031-10-26 01:59:59 +0200",
	} {
		m, _ := ical.ParseDateTime(wall)
		at := Instant(m.Wall, brussels)
		if got := at.Format("2006-01-02 15:04:05 -0700"); got != want || !Wall(at).Equal(m.Wall) && wall != "20310330T023000" {
			t.Errorf("%s: %s, want %s", wall, got, want)
		}
	}
}

// FuzzRule checks that the dates of any rule are sorted, within the requested period and not after UNTIL, and that a
// shorter period has the same dates.
func FuzzRule(f *testing.F) {
	for _, rule := range []string{"FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;BYDAY=MO,SU;WKST=SU;INTERVAL=2", "FREQ=MONTHLY;BYDAY=-1FR;BYSETPOS=1",
		"FREQ=YEARLY;BYWEEKNO=53;UNTIL=20311231T000000Z", "FREQ=YEARLY;BYYEARDAY=-366;BYHOUR=2;BYMINUTE=30", "FREQ=YEARLY;UNTIL=20330101"} {
		f.Add(rule, int64(1700000000))
	}
	zone := must.Get(time.LoadLocation("America/New_York"))(f)
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		start := time.Unix(seconds%(200*366*24*3600), 0).UTC()
		r, err := Parse(text, start)
		if err != nil {
			return
		}
		from, to := start.AddDate(3, 0, 0), start.AddDate(5, 0, 0)
		list, more := r.Dates(ClockIn(zone), from, to, 1000)
		for i, at := range list {
			// A skipped time becomes up to an hour later in local time.
			if wall := Wall(at); wall.Before(from) || wall.After(to.Add(time.Hour)) || i > 0 && !at.After(list[i-1]) {
				t.Fatalf("%s: %v", text, list)
			}
			if until := r.Until(); !until.IsZero() && at.After(until.AddDate(0, 0, 2)) {
				t.Fatalf("%s: %v", text, at)
			}
		}
		wider, all := r.Dates(ClockIn(zone), start, to, 5000)
		if !more && !all {
			wider = slices.DeleteFunc(wider, func(at time.Time) bool { return at.Before(Instant(from, zone)) })
			if !slices.EqualFunc(list, wider, time.Time.Equal) {
				t.Fatalf("%s: %v, want %v", text, list, wider)
			}
		}
	})
}
