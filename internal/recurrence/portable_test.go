package recurrence

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func utc(wall time.Time) time.Time { return wall }

func TestD70Portable(t *testing.T) {
	for _, c := range [][3]string{
		{"2028-02-29", "FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"},
		{"2028-02-29", "freq=yearly; interval=2;BYMONTH=2;COUNT=3", "FREQ=YEARLY;INTERVAL=2;BYMONTH=2;COUNT=3;BYMONTHDAY=29"},
		{"2028-02-29", "FREQ=YEARLY;BYMONTHDAY=29", "FREQ=MONTHLY;BYMONTHDAY=29"},
		{"2028-02-28", "FREQ=YEARLY", "FREQ=YEARLY"},
		{"2028-03-31", "FREQ=YEARLY;BYMONTH=3,4;BYMONTHDAY=31", ""},
		{"2028-12-01", "FREQ=YEARLY;BYMONTH=12,3", "FREQ=YEARLY;BYMONTH=3,12"},
		{"2028-12-01", "FREQ=MONTHLY;BYMONTH=12,3", "FREQ=YEARLY;BYMONTH=3,12"},
		{"2028-12-01", "FREQ=MONTHLY;INTERVAL=3;BYMONTH=12,3", ""},
		{"2028-05-15", "FREQ=YEARLY;BYDAY=20MO", ""},
		{"2028-05-15", "FREQ=YEARLY;BYWEEKNO=20", ""},
		{"2028-05-15", "FREQ=YEARLY;BYMONTH=5;BYDAY=3MO", "FREQ=YEARLY;BYMONTH=5;BYDAY=3MO"},
		{"2028-05-15", "FREQ=WEEKLY;BYDAY=FR,MO,WE;BYSETPOS=1;COUNT=4", "FREQ=WEEKLY;BYDAY=MO;COUNT=4"},
		{"2028-05-21", "FREQ=WEEKLY;WKST=SU;BYDAY=MO,SU;BYSETPOS=1,-1", "FREQ=WEEKLY;WKST=SU;BYDAY=SU,MO"},
		{"2028-05-15", "FREQ=WEEKLY;BYDAY=MO,WE;BYSETPOS=3", ""},
		{"2028-05-15", "FREQ=WEEKLY;BYDAY=MO,WE;BYSETPOS=1;BYMONTH=5", ""},
		{"2028-05-31", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"},
		{"2028-05-31", "FREQ=MONTHLY;BYMONTHDAY=30,31;BYSETPOS=-1", ""},
		{"2028-05-02", "FREQ=MONTHLY;BYDAY=1TU,-1TU", "FREQ=MONTHLY;BYDAY=1TU,-1TU"},
		{"2028-05-23", "FREQ=MONTHLY;BYDAY=4TU,-1TU", ""},
		{"2028-05-01", "FREQ=MONTHLY;BYHOUR=10,14", ""},
		{"2028-05-01", "FREQ=DAILY;BYHOUR=10,14", "FREQ=DAILY;BYHOUR=10,14"},
		{"2028-05-01", "FREQ=DAILY;BYMONTHDAY=1,-1", "FREQ=MONTHLY;BYMONTHDAY=1,-1"},
		{"2028-05-01", "FREQ=HOURLY", ""},
	} {
		start, err := time.Parse(time.DateOnly, c[0])
		got, ok := Portable(c[1], start.Add(10*time.Hour))
		if !ok {
			got = ""
		}
		if err != nil || got != c[2] {
			t.Errorf("%s %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestPortableRulesHaveTheSameDates checks that the portable form of a rule has the same dates.
func TestPortableRulesHaveTheSameDates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	part := func(name string, one func() int, most int, nth bool) string {
		var list []string
		for range 1 + rng.IntN(most) {
			text := fmt.Sprint(one())
			if name == "BYDAY" {
				text = strings.ToUpper(time.Weekday(rng.IntN(7)).String()[:2])
				if n := rng.IntN(11) - 5; nth && n != 0 {
					text = fmt.Sprint(n) + text
				}
			}
			list = append(list, text)
		}
		slices.Sort(list)
		return ";" + name + "=" + strings.Join(slices.Compact(list), ",")
	}
	signed := func(most int) func() int {
		return func() int { return (1 + rng.IntN(most)) * (1 - 2*rng.IntN(2)) }
	}
	other := 0
	for range 3000 {
		freq := []string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}[rng.IntN(4)]
		text := fmt.Sprintf("FREQ=%s;INTERVAL=%d", freq, 1+rng.IntN(3)*rng.IntN(2))
		for _, p := range []struct {
			likely float64
			text   string
		}{
			{0.3, part("BYMONTH", func() int { return 1 + rng.IntN(12) }, 3, false)},
			{0.5, part("BYDAY", signed(1), 4, strings.Contains("MONTHLY YEARLY", freq) && rng.IntN(3) == 0)},
			{0.3, part("BYMONTHDAY", signed(31), 3, false)}, {0.2, part("BYSETPOS", signed(3), 2, false)}, {0.1, ";BYHOUR=20,22"},
			{0.2, ";WKST=SU"}, {0.5, ";COUNT=9"},
		} {
			if rng.Float64() < p.likely {
				text += p.text
			}
		}
		if _, err := Check(text); err != nil {
			continue
		}
		start := time.Date(2028, 1, 31+rng.IntN(60), 20, 0, 0, 0, time.UTC)
		r, _ := Parse(text, start)
		if !r.Regular() {
			next, _ := r.Dates(utc, start, start.AddDate(2, 0, 0), 2)
			if len(next) < 2 {
				continue
			}
			start = next[1]
			r, _ = Parse(text, start)
		}
		form, ok := Portable(text, start)
		if !ok || form == text {
			continue
		}
		again, err := Parse(form, start)
		if err != nil {
			t.Fatalf("%s: %s: %v", text, form, err)
		}
		want, _ := r.Dates(utc, start, start.AddDate(5, 0, 0), 60)
		if got, _ := again.Dates(utc, start, start.AddDate(5, 0, 0), 60); !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Errorf("%s from %s as %s: %v, want %v", text, start, form, got, want)
		}
		other++
	}
	if other < 100 {
		t.Errorf("%d rules had another form", other)
	}
}

// TestStretched checks the workaround for recurring_ical_events, which drops the last date of a rule that ends after
// clocks are put forward.
func TestStretched(t *testing.T) {
	brussels, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{"2031-01-07 20:00:00", "FREQ=WEEKLY;UNTIL=20310708T180000Z", "FREQ=WEEKLY;UNTIL=20310708T190000Z"},
		{"2031-01-07 20:00:00", "FREQ=WEEKLY;UNTIL=20310708T200000", "FREQ=WEEKLY;UNTIL=20310708T190000Z"},
		{"2031-01-07 20:00:00", "FREQ=WEEKLY;UNTIL=20310708", "FREQ=WEEKLY;UNTIL=20310708"},
		{"2031-01-07 23:30:00", "FREQ=WEEKLY;UNTIL=20310708", "FREQ=WEEKLY;UNTIL=20310708T225959Z"},
		{"2031-01-07 20:00:00", "FREQ=DAILY;BYHOUR=20,21;UNTIL=20310708T180000Z", "FREQ=DAILY;BYHOUR=20,21;UNTIL=20310708T180000Z"},
		{"2031-07-01 20:00:00", "FREQ=WEEKLY;UNTIL=20311209T190000Z", "FREQ=WEEKLY;UNTIL=20311209T190000Z"},
		{"2031-01-07 20:00:00", "FREQ=WEEKLY;COUNT=40", "FREQ=WEEKLY;COUNT=40"},
	} {
		start, err := time.Parse(time.DateTime, c[0])
		if got := Stretched(c[1], start, brussels); err != nil || got != c[2] {
			t.Errorf("%s %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
