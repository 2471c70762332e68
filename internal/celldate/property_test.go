package celldate

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
)

// locale has the layouts of dates in one language, with the name of the month.
type locale struct {
	months, weekdays   string
	dates, times, half []string // half are the times with a 12-hour clock
}

// numeric are layouts of dates in digits, with their order of day and month.
var numeric = []struct {
	form  string
	order Order
}{
	{"2006-01-02", Unknown}, {"2006/1/2", Unknown}, {"2006.01.02", Unknown}, {"20060102", Unknown}, {"2.1.2006", Unknown}, {"02.01.06",
		Unknown},
	{"1/2/2006", MonthFirst}, {"1/2/06", MonthFirst}, {"01-02-2006", MonthFirst}, {"2/1/2006", DayFirst}, {"02/01/06", DayFirst},
	{"2-1-2006", DayFirst},
}

// TestGivenTimesAreNeverLost checks that times are never ignored: 5,000 random dates in the layouts of ten locales are
// read to the minute, with their offset.
func TestGivenTimesAreNeverLost(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	var locales []locale
	golden.Each(t, "locales.txt", func(months, weekdays string, dates, times, half []string) {
		locales = append(locales, locale{months, weekdays, dates, times, half})
	})
	spaces := []string{" ", " ", "\u00a0", "\u202f", "  "}
	for range 5000 {
		at := time.Date(1970+r.IntN(98), 1, 1+r.IntN(365), r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC)
		l := locales[r.IntN(len(locales))]
		text, order := "", Unknown
		if r.IntN(2) == 0 {
			text = strings.NewReplacer("%d", fmt.Sprint(at.Day()), "%Y", fmt.Sprint(at.Year()), "%y", at.Format("06"),
				"%m", strings.Fields(l.months)[at.Month()-1], "%w", strings.Fields(l.weekdays)[(at.Weekday()+6)%7]).Replace(pick(l.dates))
		} else {
			n := numeric[r.IntN(len(numeric))]
			text, order = at.Format(n.form), n.order
			text += pick([]string{"", ","})
		}
		layout := pick(l.times)
		clock := at.Format(layout)
		if l.half != nil && r.IntN(2) == 0 {
			layout = pick(l.half)
			clock = at.Format(layout)
			if form, rest, found := strings.Cut(layout, " p"); found {
				clock = at.Format(form) + " " + map[bool]string{true: "p", false: "a"}[at.Hour() >= 12] + rest
			}
		}
		want := at
		if !strings.Contains(layout, "05") {
			want = at.Truncate(time.Minute)
		}
		offset := ""
		if strings.Contains(clock, ":") && r.IntN(4) == 0 && !strings.ContainsAny(clock, "hu") {
			zone := [][2]string{{"+02:00", "+02:00"}, {" GMT-5", "-05:00"}, {" UTC", "+00:00"}, {" CEST", "+02:00"}, {" -0330",
				"-03:30"}}[r.IntN(5)]
			clock, offset = clock+zone[0], zone[1]
		}
		text = strings.ReplaceAll(text+" "+clock, " ", pick(spaces))
		m, err := Read(text, order)
		if err != nil || m.Text() != want.Format(time.DateTime)+offset || !m.Timed {
			t.Fatalf("%q: %s %v, want %s", text, m.Text(), err, want.Format(time.DateTime)+offset)
		}
		damaged := []rune(text)
		i := r.IntN(len(damaged))
		damaged[i] = []rune("0:/.- x7pma")[r.IntN(11)]
		if m, err := Read(string(damaged), order); err == nil && !m.Timed && aTime.MatchString(string(damaged)) {
			t.Fatalf("%q lost its time", string(damaged))
		}
	}
}

var aTime = regexp.MustCompile(`\d[:h]\d\d|[ap]m\b`)
