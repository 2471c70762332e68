// Package strtotime parses dates that clients send, finds the time zones that a site or an event may name, and computes
// the bounds of a calendar day.
//
// The grammar is that of PHP's strtotime, since that is what clients of The Events Calendar's API use. It consists of
// anchored patterns (grammar.go). At each position the longest match wins; of two matches with the same length, the
// first. Most surprising results follow from this rule, such as "2031" being 20:31.
package strtotime

import (
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones must work on machines without a zone database
)

// maxText is the length in bytes above which a text is rejected without being parsed.
const maxText = 200

// Moment is a parsed date.
type Moment struct {
	// Time is the instant, in whole seconds, in the zone that was passed to Parse.
	Time time.Time
	// Zoned reports whether the text contains an offset, a zone or a timestamp, so that the instant does not depend on
	// the zone that was passed.
	Zoned bool
	// Offset is the UTC offset, in seconds east of UTC, of the local time in the text.
	Offset int64
}

// Clock returns the local time in the zone of the text.
func (m Moment) Clock() string { return Wall(time.Unix(m.Time.Unix()+m.Offset, 0).UTC()) }

// Parse parses a date. Relative dates are relative to now. If the text contains no zone, it is a local time in loc. The
// second result is false if the text is not a date.
func Parse(text string, now time.Time, loc *time.Location) (Moment, bool) {
	return ParseFunc(text, func() time.Time { return now }, loc)
}

// ParseFunc is Parse with a function that returns the current time. It is called only if the date depends on it.
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

// trim removes surrounding white space, but never the last byte: as in PHP, a single space means now, and an empty
// string is an error.
func trim(s string) string {
	if t := strings.Trim(s, " \t\n\v\f\r"); t != "" || s == "" {
		return t
	}
	return s[len(s)-1:]
}

// Seconds parses a Unix time in seconds, consisting of digits only.
func Seconds(text string) (n int64, ok bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n, err == nil
}
