package pages

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/golden"
)

// drawn returns a week of a grid as text: each event is its first letter, a capital if it is limited to one line; = is
// a later day of a bar, . a blank line.
func drawn(days []gridDay) string {
	var b strings.Builder
	for _, d := range days {
		for _, s := range d.Slots {
			switch {
			case s.Blank:
				b.WriteByte('.')
			case s.Through:
				b.WriteByte('=')
			case s.Days > 0:
				fmt.Fprintf(&b, "%c%d", s.Title[0], s.Days)
			case s.Tight:
				b.WriteString(strings.ToUpper(s.Title[:1]))
			default:
				b.WriteByte(s.Title[0])
			}
		}
		if d.More != "" {
			b.WriteString("+" + d.More)
		}
		b.WriteByte('|')
	}
	return b.String()
}

func TestWeeks(t *testing.T) {
	v := newVersion(Language{Tag: "en"}, inBrussels(Options{}).withDefaults())
	first := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)
	type event = calendar.Event
	at := func(title string, from, to int) event {
		day := func(n int) time.Time { return first.AddDate(0, 0, n) }
		return event{Title: title, AllDay: true, Start: day(from), End: day(to).Add(24*time.Hour - time.Second)}
	}
	golden.Each(t, "weeks.txt", func(name, titles string, days [][2]int, want string) {
		var events []event
		for i, d := range days {
			events = append(events, at(titles[i:i+1], d[0], d[1]))
		}
		golden.Equal(t, name, drawn(v.week(first, events, categoryTree{})), want)
	})
}

// TestWeeksOfAMonth checks that weeks begin on the site's first weekday.
func TestWeeksOfAMonth(t *testing.T) {
	for day, want := range map[time.Weekday][2]string{
		time.Monday: {"2026-10-26", "2026-12-06"}, time.Sunday: {"2026-11-01", "2026-12-05"}, time.Saturday: {"2026-10-31", "2026-12-04"},
	} {
		v := newVersion(Language{Tag: "en"}, inBrussels(Options{WeekStart: &day}).withDefaults())
		first, last := v.weeks(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
		golden.Equal(t, day, [2]string{first.Format(time.DateOnly), last.Format(time.DateOnly)}, want)
	}
}

// clock parses a local time in a zone. It returns the zero time for "".
func clock(text string, zone *time.Location) time.Time {
	at, err := time.ParseInLocation(stamp, text, zone)
	if err != nil && text != "" {
		panic(err)
	}
	return at
}

// TestSpans checks that an event that ends at night ends on the previous day, as in texts.
func TestSpans(t *testing.T) {
	for times, want := range map[[2]string]string{
		{"2026-11-21 19:30:00", "2026-11-21 22:00:00"}: "21–21", {"2026-11-21 21:00:00", "2026-11-22 03:00:00"}: "21–21",
		{"2026-11-21 10:00:00", "2026-11-22 05:00:00"}: "21–21", {"2026-11-21 18:00:00", "2026-11-23 12:00:00"}: "21–23",
		{"2026-11-21 00:00:00", "2026-11-22 23:59:59"}: "21–22", {"2026-11-21 12:30:00", ""}: "21–21", {"2026-11-21 12:30:00",
			"2026-11-20 12:30:00"}: "21–21",
	} {
		first, last, ok := span(calendar.Event{Start: clock(times[0], time.UTC), End: clock(times[1], time.UTC)})
		if got := fmt.Sprintf("%d–%d", first.Day(), last.Day()); !ok || got != want {
			t.Errorf("%v: %s, want %s", times, got, want)
		}
	}
	if _, _, ok := span(calendar.Event{}); ok {
		t.Error("an event without a date has a day")
	}
}

// TestContinuedBarHasNoClock checks that only the first week of a bar shows the start time.
func TestContinuedBarHasNoClock(t *testing.T) {
	v := newVersion(Language{Tag: "en"}, inBrussels(Options{}).withDefaults())
	start := time.Date(2026, 11, 21, 19, 30, 0, 0, time.UTC)
	events := []calendar.Event{{Title: "a", Start: start, End: start.AddDate(0, 0, 3)}}
	first := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)
	begun := v.week(first, events, categoryTree{})[5].Slots[0]
	continued := v.week(first.AddDate(0, 0, 7), events, categoryTree{})[0].Slots[0]
	if begun.Clock != "19:30" || continued.Clock != "" || !continued.Before || continued.Title != "a" {
		t.Errorf("%+v, then %+v", begun, continued)
	}
}
