package pages

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
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
	for name, c := range map[string]struct {
		events []event
		want   string
	}{
		"nothing":            {nil, "|||||||"},
		"one day":            {[]event{at("a", 2, 2)}, "||a|||||"},
		"a bar":              {[]event{at("a", 1, 3)}, "|a3|=|=||||"},
		"from before":        {[]event{at("a", -9, 1)}, "a2|=||||||"},
		"beyond":             {[]event{at("a", 5, 30)}, "|||||a2|=|"},
		"another week":       {[]event{at("a", -9, -1), at("b", 7, 9)}, "|||||||"},
		"two bars":           {[]event{at("a", 0, 2), at("b", 1, 4), at("c", 3, 5)}, "a3|=b4|==|c3=|==|=||"},
		"a day below a bar":  {[]event{at("a", 0, 6), at("x", 2, 2)}, "a7|=|=x|=|=|=|=|"},
		"a day over a bar":   {[]event{at("a", 0, 1), at("b", 1, 3), at("x", 3, 3)}, "a2|=b3|.=|X=||||"},
		"a day beside a bar": {[]event{at("a", 0, 1), at("x", 3, 3)}, "a2|=||x||||"},
		"four fit":           {[]event{at("v", 0, 0), at("x", 0, 0), at("y", 0, 0), at("z", 0, 0)}, "vxyz|||||||"},
		"a fifth does not":   {[]event{at("v", 0, 0), at("w", 0, 0), at("x", 0, 0), at("y", 0, 0), at("z", 0, 0)}, "vwx+2|||||||"},
		"bars and days":      {[]event{at("a", 0, 1), at("b", 0, 1), at("x", 0, 0), at("y", 0, 0), at("z", 1, 1)}, "a2b2xy|==z||||||"},
		"a bar too many":     {[]event{at("a", 0, 1), at("b", 0, 1), at("c", 0, 1), at("d", 1, 2)}, "a2b2c2|===+1|+1|||||"},
		"a bar and too many": {[]event{at("a", 0, 1), at("w", 0, 0), at("x", 0, 0), at("y", 0, 0), at("z", 0, 0)}, "a2wx+2|=||||||"},
	} {
		if got := drawn(v.week(first, c.events, categoryTree{})); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestWeeksOfAMonth checks that weeks begin on the site's first weekday.
func TestWeeksOfAMonth(t *testing.T) {
	for day, want := range map[time.Weekday][2]string{
		time.Monday: {"2026-10-26", "2026-12-06"}, time.Sunday: {"2026-11-01", "2026-12-05"}, time.Saturday: {"2026-10-31", "2026-12-04"},
	} {
		v := newVersion(Language{Tag: "en"}, inBrussels(Options{WeekStart: &day}).withDefaults())
		first, last := v.weeks(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
		if got := [2]string{first.Format(time.DateOnly), last.Format(time.DateOnly)}; got != want {
			t.Errorf("%s: %v, want %v", day, got, want)
		}
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
