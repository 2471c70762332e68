package celldate

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// clock is a time of day that was found in a text.
type clock struct {
	hour, minute, second int
	offset               string
	before, rest         string // the text before the time, and the whole text without the time
	weak                 bool   // the digits may also be part of a date, so other readings are tried first
}

// on combines the time with a day.
func (c clock) on(day time.Time) Moment {
	m := Moment{Day: day, Clock: fmt.Sprintf("%02d:%02d:%02d", c.hour%24, c.minute, c.second), Timed: true, Offset: c.offset}
	if m.Late = c.hour == 24; m.Late && !day.IsZero() {
		m.Day = day.AddDate(0, 0, 1)
	}
	return m
}

// Patterns for what may follow the digits of a time: "am" or "pm", and words such as "uur", "Uhr" and "hrs".
const (
	halfDay  = `(?:\s?([ap])\.?\s?(?:m\b\.?)?)`
	unit     = `(?:\s?(?:h|hrs?|hours|u|uur|uhr|godz)\b\.?)`
	hourUnit = `\s?(?:h|hrs?|u|uur|uhr|heures?|horas?)\b\.?`
)

// clockForms are the patterns of times. Their groups are hour, minute, second, and "a" or "p".
var clockForms = []struct {
	form *regexp.Regexp
	weak bool
}{
	{regexp.MustCompile(`^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:` + halfDay + `|` + unit + `)?`), false},
	{regexp.MustCompile(`^(\d{1,2})\.(\d{2})(?:\.(\d{2}))?` + halfDay), false},
	{regexp.MustCompile(`^(\d{1,2})\.(\d{2})(?:\.(\d{2}))?` + unit), false},
	{regexp.MustCompile(`^(\d{1,2})()()` + halfDay), false},
	{regexp.MustCompile(`^(\d{1,2})(\d{2})()` + halfDay), false},
	{regexp.MustCompile(`^(\d{1,2})(\d{2})()` + unit), false},
	{regexp.MustCompile(`^(\d{1,2})\s?[hu]\s?(\d{2})(?:\s?(?:m|min)\b\.?)?(?:\s?(\d{2})\s?(?:s|sec)\b\.?)?`), false},
	{regexp.MustCompile(`^(\d{1,2})` + hourUnit + `(?:\s?(\d{2})(?:\s?(?:m|min)\b\.?)?(?:\s?(\d{2})\s?(?:s|sec)\b\.?)?)?`), false},
	{regexp.MustCompile(`^(\d{1,2})\.(\d{2})(?:\.(\d{2}))?`), true},
	{regexp.MustCompile(`^(\d{2})(\d{2})(\d{2})?`), true},
}

// wordForm matches a time that is a word, such as "noon". zoneForm matches the zone after a time, fractional a part of
// a day as spreadsheets store it, yearAfter a year after the time: 2130 is rather the time of an end.
var (
	wordForm   = regexp.MustCompile(`^(?:12 )?([a-z]+(?:[ -][a-z]+)?)`)
	zoneForm   = regexp.MustCompile(`^\s?(z\b|[a-z]{2,5}\b)?(?:\s?([+-])(\d{1,2}):?(\d{2})?\b)?(?: \([^()]*\))?`)
	fractional = regexp.MustCompile(`^0?[.,](\d{1,17})$`)
	yearAfter  = regexp.MustCompile(`^,? (?:19|20)\d{2}\b`)
)

// clocks returns the times that a text may contain. If alone is set, a time has to be at the beginning of the text.
func clocks(text string, alone bool) (list []clock) {
	starts := []int{0}
	if !alone {
		for i, c := range text {
			if c == ' ' || c == ',' {
				starts = append(starts, i+1)
			} else if c == 't' && i > 0 && isDigit(text[i-1]) { // as in 2031-06-13T19:30
				starts = append(starts, i+1)
			}
		}
	}
	for _, at := range starts {
		for _, f := range clockForms {
			if p := f.form.FindStringSubmatch(text[at:]); p != nil {
				if c, ok := clockOf(p, text, at); ok {
					c.weak = f.weak && !alone
					list = append(list, c)
				}
			}
		}
		if c, ok := wordClock(text, at); ok {
			list = append(list, c)
		}
	}
	return list
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// clockOf returns the time of a match of clockForms at an index of the text.
func clockOf(p []string, text string, at int) (c clock, ok bool) {
	c.hour, c.minute, c.second = number(p[1]), number(p[2]), number(p[3])
	if len(p) > 4 && p[4] != "" {
		if c.hour < 1 || c.hour > 12 {
			return c, false
		}
		c.hour %= 12
		if p[4] == "p" {
			c.hour += 12
		}
	}
	midnight := c.hour == 24 && c.minute == 0 && c.second == 0
	if c.hour > 23 && !midnight || c.minute > 59 || c.second > 59 {
		return c, false
	}
	return c.zoned(text, at, at+len(p[0]), len(p[3]) > 0)
}

// wordClock returns the time of a word such as "noon" at an index of the text.
func wordClock(text string, at int) (c clock, ok bool) {
	p := wordForm.FindStringSubmatch(text[at:])
	if p == nil {
		return c, false
	}
	word, end := p[1], at+len(p[0])
	for _, two := range []string{"meio-dia", "meia-noite", "meio dia", "meia noite"} {
		if word == two {
			return clock{hour: map[byte]int{'o': 12, 'a': 0}[word[3]]}.zoned(text, at, end, true)
		}
	}
	if first, _, several := strings.Cut(word, " "); several {
		end -= len(word) - len(first)
		word = first
	}
	_, hours := vocabulary()
	hour, known := hours[word]
	if !known {
		return c, false
	}
	return clock{hour: hour}.zoned(text, at, end, true)
}

// zoned reads the zone after a time, which ends at the index end. ok is false unless the time is then followed by a
// space, a comma or the end of the text.
func (c clock) zoned(text string, at, end int, exact bool) (clock, bool) {
	after := text[end:]
	if p := zoneForm.FindStringSubmatch(after); p != nil && (p[1] != "" || p[2] != "") {
		// "9:00-11:00" may be a range of times. So "-11:00" is an offset only after "T" or "UTC", or if it has no
		// colon.
		plainRange := p[2] == "-" && p[1] == "" && !exact && (p[4] == "" || strings.Contains(p[0], ":")) && !(at > 1 && text[at-1] == 't')
		if offset, ok := offsetOf(p); ok && !plainRange {
			c.offset, after = offset, after[len(p[0]):]
		} else if p[1] == "" || p[2] != "" {
			return c, false
		}
	}
	if after != "" && after[0] != ' ' && after[0] != ',' {
		return c, false
	}
	c.before = strings.TrimSuffix(text[:at], "t")
	if before := strings.Trim(c.before, " "); before == "" || !isDigit(before[len(before)-1]) {
		c.before = text[:at]
	}
	before := c.before
	if yearAfter.MatchString(after) {
		before = withoutLastWords(before)
	}
	c.rest = strings.Trim(before+" "+after, " ,")
	return c, true
}

// withoutLastWords removes the words before a time, such as "at", from the end of a text: in "13 June at 7pm 2031", the
// number after the time is the year.
func withoutLastWords(text string) string {
	for {
		start, last := "", strings.TrimRight(text, " ")
		if at := strings.LastIndexByte(last, ' '); at >= 0 {
			start, last = last[:at], last[at+1:]
		}
		if !slices.Contains(beforeTimes, last) {
			return text
		}
		text = start
	}
}

// offsetOf returns the UTC offset of a match of zoneForm: of an abbreviation, or of a number.
func offsetOf(p []string) (string, bool) {
	minutes, known := 0, true
	if p[1] != "" {
		minutes, known = abbreviations[p[1]]
	}
	if !known || minutes != 0 && p[2] != "" {
		return "", false
	}
	if p[2] != "" {
		hour, minute := number(p[3]), number(p[4])
		if minutes = hour*60 + minute; minute > 59 {
			return "", false
		}
		if p[2] == "-" {
			minutes = -minutes
		}
	}
	if minutes < -12*60 || minutes > 14*60 {
		return "", false
	}
	sign := '+'
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	return fmt.Sprintf("%c%02d:%02d", sign, minutes/60, minutes%60), true
}

// abbreviations are the abbreviations of zones with their UTC offsets in minutes. Ambiguous ones, such as CST and IST,
// are left out.
var abbreviations = map[string]int{
	"z": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 60, "cet": 60, "cest": 120, "mez": 60, "mesz": 120, "eet": 120, "eest": 180,
	"hnec": 60, "heec": 120, "msk": 180, "est": -300, "edt": -240, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
	"akst": -540, "akdt": -480, "hst": -600, "aest": 600, "aedt": 660, "acst": 570, "acdt": 630, "awst": 480, "nzst": 720,
	"nzdt": 780, "jst": 540, "sast": 120,
}

// fraction reads a time stored as a part of a day, as spreadsheets do: 0.8125 is 19:30. A number such as 00.25 is not
// accepted.
func fraction(text string) (c clock, ok bool) {
	if text == "0" {
		return c, true
	}
	p := fractional.FindStringSubmatch(text)
	if p == nil {
		return c, false
	}
	part, err := strconv.ParseFloat("0."+p[1], 64)
	c, next := clockOfDay(part)
	return c, err == nil && !next
}

// clockOfDay returns the time of a part of a day, rounded to seconds. next is true if that is midnight of the next day.
func clockOfDay(part float64) (c clock, next bool) {
	seconds := int(math.Round(part * 86400))
	c.hour, c.minute, c.second = seconds/3600%24, seconds/60%60, seconds%60
	return c, seconds == 86400
}

// ordered sorts times in the order in which they are tried: those that may be part of a date come last.
func ordered(list []clock) []clock {
	slices.SortStableFunc(list, func(a, b clock) int {
		return map[bool]int{true: 1}[a.weak] - map[bool]int{true: 1}[b.weak]
	})
	return list
}
