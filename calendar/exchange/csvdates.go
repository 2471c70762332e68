package exchange

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// dates reads when the event takes place. It returns the field that is wrong and why.
func (w *row) dates() (wrong, reason string) {
	allDay, given := w.flag(fieldAllDay)
	start, field, reason := w.date(fieldStart, fieldStartTime, "")
	if reason != "" {
		return field, reason
	}
	end := start
	if w.cells[fieldEnd] != "" || w.cells[fieldEndTime] != "" {
		if end, field, reason = w.date(fieldEnd, fieldEndTime, start.day.Format(time.DateOnly)); reason != "" {
			return field, reason
		}
		if !end.timed && start.timed {
			end.clock = start.clock
		}
	}
	if !given {
		allDay = !start.timed && !end.timed
	}
	if allDay {
		if w.s.outlook && end.timed && end.clock == "00:00:00" && end.day.After(start.day) {
			end.day = end.day.AddDate(0, 0, -1)
		}
		w.rec.Values[fieldAllDay] = true
		start.clock, end.clock = "00:00:00", "23:59:59"
		start.offset, end.offset = "", ""
	} else if given {
		w.rec.Values[fieldAllDay] = false
	}
	from, to := start.text(), end.text()
	if start.offset == end.offset && to < from {
		return fieldEnd, "the end is before the start"
	}
	w.rec.Values[fieldStart], w.rec.Values[fieldEnd] = from, to
	return w.otherDates(start, end, allDay)
}

// cellDate is a date of a row.
type cellDate struct {
	day    time.Time
	clock  string // 15:04:05
	offset string // from UTC, as +02:00, "" for none
	timed  bool
}

func (d cellDate) text() string { return d.day.Format(time.DateOnly) + " " + d.clock + d.offset }

// Forms of dates and times.
var (
	isoDate    = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$`)
	otherDate  = regexp.MustCompile(`^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})$`)
	clockForm  = regexp.MustCompile(`(?i)^(\d{1,2})(?:[:.hu](\d{2})?)?(?::(\d{2})(?:\.\d+)?)?\s*([ap])?\.?(?:m\.?)?$`)
	offsetForm = regexp.MustCompile(`^(.*\d)\s?([+-]\d{2}):?(\d{2})$`)
	fullYear   = regexp.MustCompile(`\b\d{4}\b`)
)

// date reads a date, whose time may be in a column of its own. fallback is the date if there
// is only a time. It returns the field that is wrong, and why.
func (w *row) date(field, timeField, fallback string) (d cellDate, wrong, reason string) {
	d, ofTime, reason := w.moment(cmp.Or(strings.TrimSpace(w.cells[field]), fallback), strings.TrimSpace(w.cells[timeField]))
	if ofTime {
		field = timeField
	}
	return d, field, reason
}

// moment reads a date with its time, which may be given apart. It returns why it is none, and whether that is the time.
func (w *row) moment(text, clock string) (d cellDate, ofTime bool, reason string) {
	if text == "" {
		return d, false, "is missing"
	}
	whole, beside := text, clock != ""
	if day, rest, found := cutDate(text); found {
		text = day
		if !beside {
			clock = rest
		}
	}
	if parts := offsetForm.FindStringSubmatch(clock); parts != nil {
		clock, d.offset = parts[1], parts[2]+":"+parts[3]
	} else if utc, found := strings.CutSuffix(clock, "Z"); found {
		clock, d.offset = utc, "+00:00"
	}
	if d.day, reason = w.day(text); reason != "" {
		return d, false, reason
	}
	d.clock = "00:00:00"
	if clock != "" {
		if d.clock, d.timed = readClock(clock); !d.timed {
			return d, beside, "is no time: " + clipped(clock)
		}
	}
	if !storable(d.day) {
		return d, false, "is not in the years 1 to 9999: " + clipped(whole)
	}
	return d, false, ""
}

// cutDate cuts a text after its date, if a time follows.
func cutDate(text string) (day, rest string, found bool) {
	end := strings.IndexAny(text, " T")
	if end < 0 || isoDate.FindString(text[:end]) == "" && otherDate.FindString(text[:end]) == "" {
		if i := strings.LastIndexByte(text, ' '); i > 0 && strings.Contains(text[i:], ":") && fullYear.MatchString(text[:i]) {
			return text[:i], text[i+1:], true
		}
		return text, "", false
	}
	return text[:end], strings.TrimSpace(text[end+1:]), true
}

// day reads a date.
func (w *row) day(text string) (time.Time, string) {
	numbers := func(y, m, d string) (time.Time, string) {
		year, _ := strconv.Atoi(y) // all are short and of digits
		month, _ := strconv.Atoi(m)
		day, _ := strconv.Atoi(d)
		t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if t.Month() != time.Month(month) || t.Day() != day {
			return t, "there is no such day: " + clipped(text)
		}
		return t, ""
	}
	if p := isoDate.FindStringSubmatch(text); p != nil {
		return numbers(p[1], p[2], p[3])
	}
	if m, ok := ical.ParseDateTime(text); ok && m.Day {
		return m.Wall, ""
	}
	if p := otherDate.FindStringSubmatch(text); p != nil {
		first, _ := strconv.Atoi(p[1])
		second, _ := strconv.Atoi(p[3])
		switch {
		case w.s.Dates == DayFirst || p[2] == ".":
			return numbers(p[4], p[3], p[1])
		case w.s.Dates == MonthFirst:
			return numbers(p[4], p[1], p[3])
		case first == second || first > 12:
			return numbers(p[4], p[3], p[1])
		case second > 12:
			return numbers(p[4], p[1], p[3])
		}
		return time.Time{}, fmt.Sprintf("%s has two meanings: say whether the day or the month comes first", clipped(text))
	}
	if fullYear.MatchString(text) && strings.ContainsFunc(text, unicode.IsLetter) { // the name of a month
		epoch := time.Unix(0, 0).UTC()
		again := time.Date(2000, 6, 15, 0, 0, 0, 0, time.UTC)
		m, ok := strtotime.Parse(text, epoch, time.UTC)
		// A text that means another day on another day is no date.
		if n, _ := strtotime.Parse(text, again, time.UTC); ok && n.Time.Equal(m.Time) {
			return m.Time.UTC().Truncate(24 * time.Hour), ""
		}
	}
	return time.Time{}, "is no date: " + clipped(text)
}

// readClock reads 10:00, 10:00:30, 10h, 10h30, 10 AM, 10.30 p.m.
func readClock(text string) (string, bool) {
	p := clockForm.FindStringSubmatch(text)
	if p == nil || p[4] == "" && strings.Trim(text, "0123456789") == "" {
		return "", false
	}
	hour, _ := strconv.Atoi(p[1])
	minute, _ := strconv.Atoi("0" + p[2])
	second, _ := strconv.Atoi("0" + p[3])
	if p[4] != "" {
		if hour < 1 || hour > 12 {
			return "", false
		}
		hour %= 12
		if strings.EqualFold(p[4], "p") {
			hour += 12
		}
	}
	if hour > 23 || minute > 59 || second > 59 {
		return "", false
	}
	return fmt.Sprintf("%02d:%02d:%02d", hour, minute, second), true
}
