package ical

import (
	"strconv"
	"strings"
	"time"
)

// DateTime is a value of type DATE or DATE-TIME.
type DateTime struct {
	Wall time.Time // the local time, as if it were UTC
	Day  bool      // the value is a DATE, without a time
	UTC  bool
}

// ParseDateTime parses 20310501, 20310501T100000 and 20310501T100000Z. It also accepts what programs write instead:
// times without seconds, separators "-" and ":", and a UTC offset.
func ParseDateTime(text string) (d DateTime, ok bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	date, clock, timed := strings.Cut(text, "T")
	if !timed {
		date, clock, timed = strings.Cut(text, " ")
	}
	offset := 0
	if clock, d.UTC = strings.CutSuffix(clock, "Z"); !d.UTC {
		if i := strings.IndexAny(clock, "+-"); i >= 0 {
			if offset, ok = ParseOffset(strings.ReplaceAll(clock[i:], ":", "")); !ok {
				return d, false
			}
			clock, d.UTC = clock[:i], true
		}
	}
	clock, _, _ = strings.Cut(clock, ".")
	date, clock = strings.ReplaceAll(date, "-", ""), strings.ReplaceAll(clock, ":", "")
	d.Day = !timed || clock == ""
	if len(clock) == 4 || d.Day {
		clock += "000000"[len(clock):]
	}
	var parts [6]int
	if len(date) != 8 || len(clock) != 6 {
		return d, false
	}
	for i, piece := range []string{date[:4], date[4:6], date[6:], clock[:2], clock[2:4], clock[4:]} {
		n, err := strconv.ParseUint(piece, 10, 16)
		if err != nil {
			return d, false
		}
		parts[i] = int(n)
	}
	parts[5] = min(parts[5], 59) // a leap second, 60, becomes 59
	d.Wall = time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], 0, time.UTC)
	midnight := parts[3] == 24 && parts[4] == 0 && parts[5] == 0
	y, month, day := d.Wall.Date()
	if midnight {
		y, month, day = d.Wall.AddDate(0, 0, -1).Date()
	}
	if y != parts[0] || int(month) != parts[1] || day != parts[2] || parts[3] > 23 && !midnight || parts[4] > 59 {
		return d, false
	}
	d.Wall = d.Wall.Add(-time.Duration(offset) * time.Second)
	return d, true
}

// ParseOffset parses a UTC offset, such as +0200, -001730 or +02, and returns it in seconds.
func ParseOffset(text string) (int, bool) {
	text = strings.TrimSpace(text)
	if len(text) < 3 || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	digits := text[1:]
	if len(digits) < 6 {
		digits += "000000"[len(digits):]
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || len(digits) != 6 || n%100 > 59 || n/100%100 > 59 || n/10000 > 24 {
		return 0, false
	}
	seconds := int(n/10000*3600 + n/100%100*60 + n%100)
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// Duration is a value of type DURATION. Days are calendar days, which have 23 or 25 hours when clocks change, so they
// are kept apart from the time.
type Duration struct {
	Days int
	Time time.Duration
}

// ParseDuration parses durations such as P15DT5H0M20S, P7W and -PT1H30M.
func ParseDuration(text string) (d Duration, ok bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	negative := strings.HasPrefix(text, "-")
	text, ok = strings.CutPrefix(strings.TrimLeft(text, "+-"), "P")
	if !ok || text == "" {
		return d, false
	}
	units := map[byte]time.Duration{'H': time.Hour, 'M': time.Minute, 'S': time.Second}
	inTime, unit := false, byte('T')
	for text != "" {
		if text[0] == 'T' {
			inTime, unit, text = true, 'T', text[1:]
			continue
		}
		i := strings.IndexFunc(text, func(c rune) bool { return c < '0' || c > '9' })
		if i <= 0 || i > 7 {
			return d, false
		}
		n, _ := strconv.Atoi(text[:i]) // at most seven digits
		unit = text[i]
		text = text[i+1:]
		switch {
		case unit == 'W' && !inTime:
			d.Days += 7 * n
		case unit == 'D' && !inTime:
			d.Days += n
		case units[unit] != 0 && inTime:
			d.Time += time.Duration(n) * units[unit]
		default:
			return d, false
		}
	}
	if unit == 'T' { // "T" must be followed by a time
		return Duration{}, false
	}
	if negative {
		d.Days, d.Time = -d.Days, -d.Time
	}
	return d, true
}
