package celldate

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Order is the order of day and month in numeric dates such as 03/04/2031.
type Order int

// The orders. With Unknown, dates that have two meanings are rejected.
const (
	Unknown Order = iota
	DayFirst
	MonthFirst
)

// Moment is a date, with a time of day if there is one.
type Moment struct {
	Day    time.Time // midnight in UTC of the date
	Clock  string    // as 15:04:05
	Timed  bool      // the text contains a time
	Offset string    // from UTC, as +02:00; "" for none
	Late   bool      // the time was 24:00, so Day is the day after the date as written

	Order Order // order of day and month if the numbers determine it, unless they are separated by points
}

// Text returns the date and time in the format of the API's parameters.
func (m Moment) Text() string { return m.Day.Format(time.DateOnly) + " " + m.Clock + m.Offset }

// Wall returns the local time, as if it were UTC.
func (m Moment) Wall() time.Time {
	at, _ := time.Parse(time.TimeOnly, m.Clock)
	return m.Day.Add(at.Sub(at.Truncate(24 * time.Hour)))
}

// After returns the date and time later by length, without regard to changes of the clocks.
func (m Moment) After(length time.Duration) Moment {
	at := m.Wall().Add(length)
	m.Day, m.Clock = at.Truncate(24*time.Hour), at.Format(time.TimeOnly)
	return m
}

// Read reads a date, with a time if there is one: 2031-06-13 19:30, 6/13/2031, 7:30:00 PM, 13. Juni 2031 um 19.30 Uhr,
// or 47647.8125 from a spreadsheet. The message of the error is a predicate about the text, such as "has no year".
func Read(text string, order Order) (Moment, error) {
	m, err := readFolded(fold(text), order)
	if err == nil {
		return m, nil
	}
	if more := afterDate(text, order); more != "" && errors.Is(err, errNoDate) {
		err = fmt.Errorf("has %q after the date, which is not understood", more)
	}
	return m, fmt.Errorf("%w: %s", err, clipped(text))
}

// afterDate returns what follows the longest beginning of a short text that is a date, "" if none is.
func afterDate(text string, order Order) string {
	if len(text) > mostShown {
		return ""
	}
	for at := strings.LastIndexByte(text, ' '); at > 0; at = strings.LastIndexByte(text[:at], ' ') {
		if _, err := readFolded(fold(text[:at]), order); err == nil {
			return strings.TrimSpace(text[at:])
		}
	}
	return ""
}

// Time reads a time without a date.
func Time(text string) (Moment, bool) {
	text = fold(text)
	if c, ok := fraction(text); ok {
		return c.on(time.Time{}), true
	}
	for _, c := range clocks(text, true) {
		if c.rest == "" {
			return c.on(time.Time{}), true
		}
	}
	return Moment{}, false
}

// ReadBoth reads a date and a time from two cells. clock may be "". ofTime reports whether the error is about the
// second cell.
func ReadBoth(text, clock string, order Order) (m Moment, ofTime bool, err error) {
	if m, err = Read(text, order); err != nil || clock == "" {
		return m, false, err
	}
	t, ok := Time(clock)
	if !ok { // Spreadsheets may write a time with a date: that of the day, or the day 0 of the spreadsheet.
		t, err = Read(clock, order)
		switch {
		case err != nil || !t.Timed:
			return m, true, fmt.Errorf("is not a time: %s", clipped(clock))
		case !t.Day.Equal(m.Day) && (t.Day.Year() > 1900 || strings.HasSuffix(fold(clock), "z")):
			return m, true, fmt.Errorf("is on another day than the date: %s", clipped(clock))
		case !t.Day.Equal(m.Day): // the offset is that of 1899, as in "GMT+0017", which is not that of the date
			t.Offset = ""
		}
	}
	midnight := m.Timed && m.Clock == "00:00:00" && !m.Late // spreadsheets write dates with the time 00:00
	if m.Timed && !midnight && m.Clock != t.Clock {
		return m, true, fmt.Errorf("differs from the time of the date: %s", clipped(clock))
	}
	m.Clock, m.Timed, m.Offset = t.Clock, true, cmp.Or(t.Offset, m.Offset)
	if t.Late && !m.Late {
		m.Late, m.Day = true, m.Day.AddDate(0, 0, 1)
	}
	return m, false, nil
}

// mostShown is the maximum number of characters of a text that an error message shows.
const mostShown = 100

// clipped shortens a text for an error message.
func clipped(text string) string {
	if runes := []rune(text); len(runes) > mostShown {
		return string(runes[:mostShown]) + "…"
	}
	return text
}
