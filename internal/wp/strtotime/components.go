package strtotime

import "math"

// unset marks a field that the text does not set.
const unset = math.MinInt64

// limit is the greatest absolute value of parsed numbers, chosen so that sums do not overflow. Greater ones are
// rejected.
const limit = 1 << 58

// firstLast says whether a text contains "first day of" or "last day of".
type firstLast int

const (
	firstLastNone firstLast = iota
	firstDayOf
	lastDayOf
)

// special is a way of counting days instead of naming one.
type special int

const (
	specialNone special = iota
	specialWeekdays
	specialNthInMonth
	specialLastInMonth
)

// zoneKind says how a text specifies its time zone.
type zoneKind int

const (
	zoneNone   zoneKind = iota
	zoneOffset          // a fixed UTC offset: +02:00, CEST, @…
	zoneNamed           // a zone name: Europe/Brussels
)

// relative collects what a text adds to the time to which it is relative.
type relative struct {
	y, m, d, h, i, s, us int64
	weekday              int64
	behavior             int64 // 0: after today; 1: today counts; 2: within the week
	hasWeekday           bool
	special              special
	count                int64 // number of working days, for specialWeekdays
	edge                 firstLast
}

// components are the parts of a date that scan reads from a text.
type components struct {
	y, m, d, h, i, s, us int64
	hasDate              bool
	times                int // 2 after a time that is followed by a bare year
	zones                int
	zone                 textZone
	rel                  relative
}

func newComponents() *components {
	return &components{y: unset, m: unset, d: unset, h: unset, i: unset, s: unset, us: unset}
}

// takeTime sets the time of day to midnight, for the caller to fill in. It returns false if the text already has a
// time.
func (d *components) takeTime() bool {
	if d.times > 0 {
		return false
	}
	d.dropTime()
	d.times = 1
	return true
}

// dropTime sets the time of day to midnight and allows a time to follow.
func (d *components) dropTime() {
	d.times, d.h, d.i, d.s, d.us = 0, 0, 0, 0, 0
}

// plus adds n to a relative field. It returns false if the sum exceeds limit.
func plus(field *int64, n int64) bool {
	if n > limit || n < -limit {
		return false
	}
	*field += n
	return *field <= limit && *field >= -limit
}
