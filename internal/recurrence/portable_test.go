package recurrence

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

func utc(wall time.Time) time.Time { return wall }

func TestD70Portable(t *testing.T) {
	golden.Each(t, "portable.txt", func(first, rule, want string) {
		start, err := time.Parse(time.DateOnly, first)
		got, ok := Portable(rule, start.Add(10*time.Hour))
		if !ok {
			got = ""
		}
		if err != nil || got != want {
			t.Errorf("%s %s: %q, want %q", first, rule, got, want)
		}
	})
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
	brussels := must.Get(time.LoadLocation("Europe/Brussels"))(t)
	golden.Each(t, "stretched.txt", func(first, rule, want string) {
		start, err := time.Parse(time.DateTime, first)
		if got := Stretched(rule, start, brussels); err != nil || got != want {
			t.Errorf("%s %s: %s, want %s", first, rule, got, want)
		}
	})
}
