package exchange

import (
	"strconv"
	"strings"
	"time"
)

// moment is a date or time as iCalendar has it.
type moment struct {
	wall time.Time // what the clock shows, as if it were UTC
	day  bool      // it has no time
	utc  bool
}

// parseMoment reads 20310501, 20310501T100000, the same with Z, and what programs write
// instead: without seconds, with "-" and ":", with an offset.
func parseMoment(text string) (m moment, ok bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	date, clock, timed := strings.Cut(text, "T")
	if !timed {
		date, clock, timed = strings.Cut(text, " ")
	}
	offset := 0
	if clock, m.utc = strings.CutSuffix(clock, "Z"); !m.utc {
		if i := strings.IndexAny(clock, "+-"); i >= 0 {
			if offset, ok = parseOffset(strings.ReplaceAll(clock[i:], ":", "")); !ok {
				return m, false
			}
			clock, m.utc = clock[:i], true
		}
	}
	clock, _, _ = strings.Cut(clock, ".")
	date, clock = strings.ReplaceAll(date, "-", ""), strings.ReplaceAll(clock, ":", "")
	m.day = !timed || clock == ""
	if len(clock) == 4 || m.day {
		clock += "000000"[len(clock):]
	}
	var parts [6]int
	if len(date) != 8 || len(clock) != 6 {
		return m, false
	}
	for i, piece := range []string{date[:4], date[4:6], date[6:], clock[:2], clock[2:4], clock[4:]} {
		n, err := strconv.ParseUint(piece, 10, 16)
		if err != nil {
			return m, false
		}
		parts[i] = int(n)
	}
	parts[5] = min(parts[5], 59) // leap seconds
	m.wall = time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], 0, time.UTC)
	midnight := parts[3] == 24 && parts[4] == 0 && parts[5] == 0
	y, month, d := m.wall.Date()
	if midnight {
		y, month, d = m.wall.AddDate(0, 0, -1).Date()
	}
	if y != parts[0] || int(month) != parts[1] || d != parts[2] || parts[3] > 23 && !midnight || parts[4] > 59 {
		return m, false
	}
	m.wall = m.wall.Add(-time.Duration(offset) * time.Second)
	return m, true
}

// parseOffset reads +0200, -001730 and +02 as seconds.
func parseOffset(text string) (int, bool) {
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

// span is a DURATION.
type span struct {
	days int
	time time.Duration
}

// parseSpan reads P15DT5H0M20S, P7W, PT1H30M, with a sign.
func parseSpan(text string) (s span, ok bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	negative := strings.HasPrefix(text, "-")
	text, ok = strings.CutPrefix(strings.TrimLeft(text, "+-"), "P")
	if !ok || text == "" {
		return s, false
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
			return s, false
		}
		n, _ := strconv.Atoi(text[:i]) // of up to seven digits
		unit = text[i]
		text = text[i+1:]
		switch {
		case unit == 'W' && !inTime:
			s.days += 7 * n
		case unit == 'D' && !inTime:
			s.days += n
		case units[unit] != 0 && inTime:
			s.time += time.Duration(n) * units[unit]
		default:
			return s, false
		}
	}
	if unit == 'T' { // nothing comes after it
		return span{}, false
	}
	if negative {
		s.days, s.time = -s.days, -s.time
	}
	return s, true
}

// instant returns the moment at which the clock of a zone shows a time: the first one if
// it shows it twice; if it leaves it out, the moment at which it would show it without the
// change.
func instant(wall time.Time, loc *time.Location) time.Time {
	at := func(around time.Time) (time.Time, bool) {
		_, offset := around.In(loc).Zone()
		t := wall.Add(-time.Duration(offset) * time.Second)
		_, real := t.In(loc).Zone()
		return t.In(loc), real == offset
	}
	before, ok := at(wall.Add(-24 * time.Hour))
	if ok {
		return before
	}
	if after, ok := at(wall.Add(24 * time.Hour)); ok {
		return after
	}
	return before
}

// wallOf returns what the clock of a time's zone shows, as if it were UTC.
func wallOf(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}
