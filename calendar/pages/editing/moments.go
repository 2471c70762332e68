package editing

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	dayFirst  = regexp.MustCompile(`^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$`)
	isoDay    = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$`)
	clockTime = regexp.MustCompile(`^(?i)(\d{1,2})(?:(?:[:.]|\s?[uh]\s?)(\d{2}))?(?::(\d{2}))?\s?(uur|u|h|heures?|am|pm|a\.m\.|p\.m\.)?$`)
)

// readDay parses a day: 2031-05-01, the form that date inputs send, or with the day first. In English, where some
// people write the month first, an ambiguous day is rejected.
func readDay(text, language string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if m := isoDay.FindStringSubmatch(text); m != nil {
		return dayOf(m[1], m[2], m[3])
	}
	m := dayFirst.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, false
	}
	day, ok := dayOf(m[3], m[2], m[1])
	other, also := dayOf(m[3], m[1], m[2])
	if strings.HasPrefix(language, "en") {
		switch {
		case ok && also && !day.Equal(other):
			return time.Time{}, false
		case also:
			return other, true
		}
	}
	return day, ok
}

func dayOf(year, month, day string) (time.Time, bool) {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return t, t.Year() == y && t.Month() == time.Month(m) && t.Day() == d && y > 0
}

// readClock parses a time of day: 20:00, 20.30, 20u30, 8 pm.
func readClock(text string) (time.Duration, bool) {
	m := clockTime.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0, false
	}
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	second, _ := strconv.Atoi(m[3])
	switch half := strings.ToLower(strings.ReplaceAll(m[4], ".", "")); {
	case half != "am" && half != "pm":
	case hour < 1 || hour > 12:
		return 0, false
	default:
		hour %= 12
		if half == "pm" {
			hour += 12
		}
	}
	at := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	return at, hour < 24 && minute < 60 && second < 60
}

// clockText formats a time of day for a time input.
func clockText(t time.Time) string {
	if t.Second() != 0 {
		return t.Format(time.TimeOnly)
	}
	return t.Format("15:04")
}

const longestNight = 12 * time.Hour // maximal duration of an event that ends after midnight, if the form has no last day

// endOf returns the end of an event, given its start and the time of day of its end: on the same day, or in the night
// after it.
func endOf(start time.Time, clock time.Duration) (time.Time, bool) {
	day := start.Truncate(24 * time.Hour)
	end := day.Add(clock)
	if end.Before(start) {
		end = end.AddDate(0, 0, 1)
		return end, end.Sub(start) <= longestNight
	}
	return end, true
}
