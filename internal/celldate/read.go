package celldate

import (
	"cmp"
	"fmt"
	"time"
)

// Order is the order of day and month in dates such as 03/04/2031.
type Order int

// The orders. With Unknown, dates are refused that have two meanings.
const (
	Unknown Order = iota
	DayFirst
	MonthFirst
)

// Moment is a date, with its time if one is given.
type Moment struct {
	Day    time.Time // midnight in UTC
	Clock  string    // 15:04:05
	Timed  bool      // a time is given
	Offset string    // from UTC, as +02:00, "" for none
	Late   bool      // the time is 24:00, and Day the day after the one that is given

	Order Order // that of day and month, where their numbers show it, and no point separates them
}

// Text returns the date as the API reads it.
func (m Moment) Text() string { return m.Day.Format(time.DateOnly) + " " + m.Clock + m.Offset }

// Wall returns the date as the clock shows it, as if it were UTC.
func (m Moment) Wall() time.Time {
	at, _ := time.Parse(time.TimeOnly, m.Clock)
	return m.Day.Add(at.Sub(at.Truncate(24 * time.Hour)))
}

// After returns the date that is so much later on the clock.
func (m Moment) After(length time.Duration) Moment {
	at := m.Wall().Add(length)
	m.Day, m.Clock = at.Truncate(24*time.Hour), at.Format(time.TimeOnly)
	return m
}

// Read reads a date, with a time if it has one: 2031-06-13 19:30, 6/13/2031, 7:30:00 PM, 13. Juni 2031 um
// 19.30 Uhr, the 47647.8125 of a spreadsheet. The error is a sentence about the text without its subject.
func Read(text string, order Order) (Moment, error) {
	m, err := readFolded(fold(text), order)
	if err != nil {
		return m, fmt.Errorf("%w: %s", err, clipped(text))
	}
	return m, nil
}

// Time reads a time alone.
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

// ReadBoth reads a date and a time that are in cells of their own, of which clock may be "". The error is
// about the time if ofTime.
func ReadBoth(text, clock string, order Order) (m Moment, ofTime bool, err error) {
	if m, err = Read(text, order); err != nil || clock == "" {
		return m, false, err
	}
	t, ok := Time(clock)
	if !ok { // spreadsheets write times with a date, too: that of the day, or the one on which theirs begin
		t, err = Read(clock, order)
		switch {
		case err != nil || !t.Timed:
			return m, true, fmt.Errorf("is no time: %s", clipped(clock))
		case !t.Day.Equal(m.Day) && t.Day.Year() > 1900:
			return m, true, fmt.Errorf("is of another day than the date: %s", clipped(clock))
		}
	}
	midnight := m.Timed && m.Clock == "00:00:00" && !m.Late // as spreadsheets write dates
	if m.Timed && !midnight && m.Clock != t.Clock {
		return m, true, fmt.Errorf("is another time than that of the date: %s", clipped(clock))
	}
	m.Clock, m.Timed, m.Offset = t.Clock, true, cmp.Or(t.Offset, m.Offset)
	if t.Late && !m.Late {
		m.Late, m.Day = true, m.Day.AddDate(0, 0, 1)
	}
	return m, false, nil
}

// clipped returns the beginning of a text.
func clipped(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
