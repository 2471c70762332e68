// Package strtotime reads dates: the date texts that callers send, the time zones that a site or an
// event may name, and the bounds of a calendar day.
//
// The text grammar is that of PHP's strtotime, because that is what clients of
// such calendars send. It is described as a list of anchored patterns
// (grammar.go); at each position the longest one wins and, of two equally long,
// the earlier one. Most of the odd readings ("2031" is half past eight in the
// evening) follow from that rule alone.
package strtotime

import (
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones must work on machines without a zone database
)

// maxText is the length in bytes beyond which a text is refused unread.
const maxText = 200

// Moment is the result of reading a date text.
type Moment struct {
	// Time is the instant, in whole seconds, shown in the zone given to Parse.
	Time time.Time
	// Zoned reports whether the text itself names an offset, a zone or a
	// timestamp, so that the instant does not depend on the zone given.
	Zoned bool
	// Offset is how far east of UTC, in seconds, the clock that the text means is.
	Offset int64
}

// Clock returns the wall-clock time in the zone of the text itself.
func (m Moment) Clock() string { return Wall(time.Unix(m.Time.Unix()+m.Offset, 0).UTC()) }

// Parse reads a date text. Relative texts count from now; a text that names no
// zone is read as wall-clock time in loc. The result is false if the text is
// not a date.
func Parse(text string, now time.Time, loc *time.Location) (Moment, bool) {
	return ParseFunc(text, func() time.Time { return now }, loc)
}

// ParseFunc is Parse with a clock, which is called only if the meaning of the text
// depends on the current time.
func ParseFunc(text string, now func() time.Time, loc *time.Location) (Moment, bool) {
	if len(text) > maxText {
		return Moment{}, false
	}
	if loc == nil {
		loc = time.UTC
	}
	d := newComponents()
	if text = trim(text); text == "" || !scan(text, d) {
		return Moment{}, false
	}
	sec, offset, ok := d.resolve(func() time.Time { return now().In(loc) }, loc)
	if !ok {
		return Moment{}, false
	}
	return Moment{Time: time.Unix(sec, 0).In(loc), Zoned: d.zone.kind != zoneNone, Offset: offset}, true
}

// trim drops white space at both ends but never the last byte: a lone space is
// a text without content (and so means now), an empty text is an error.
func trim(s string) string {
	if t := strings.Trim(s, " \t\n\v\f\r"); t != "" || s == "" {
		return t
	}
	return s[len(s)-1:]
}

// Seconds reads a number of seconds since 1970, written in digits. Other forms of numbers, with a
// point or an exponent, are refused.
func Seconds(text string) (n int64, ok bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n, err == nil
}
