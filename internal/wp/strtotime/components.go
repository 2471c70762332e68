package strtotime

import "math"

// unset marks a field that the text does not give.
const unset = math.MinInt64

// limit bounds parsed numbers, so that no sum of them overflows. Larger ones
// are refused.
const limit = 1 << 58

// firstLast is the "first day of" or "last day of" in a text.
type firstLast int

const (
	firstLastNone firstLast = iota
	firstDayOf
	lastDayOf
)

// special is a way in which a text counts days instead of naming one.
type special int

const (
	specialNone special = iota
	specialWeekdays
	specialNthInMonth
	specialLastInMonth
)

// zoneKind is the way in which a text gives its zone.
type zoneKind int

const (
	zoneNone   zoneKind = iota
	zoneOffset          // +02:00, CEST, @…: a fixed distance from UTC
	zoneNamed           // Europe/Brussels
)

// relative collects what a text adds to the moment that it is relative to.
type relative struct {
	y, m, d, h, i, s, us int64
	weekday              int64
	behavior             int64 // 0: after today, 1: today counts, 2: within the week
	hasWeekday           bool
	special              special
	count                int64 // working days, for specialWeekdays
	edge                 firstLast
}

// components are the parts of a date as scan reads them from a text.
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

// takeTime sets the time of day to midnight for the caller to fill. The result
// is false if the text has one already.
func (d *components) takeTime() bool {
	if d.times > 0 {
		return false
	}
	d.dropTime()
	d.times = 1
	return true
}

// dropTime sets midnight, and allows the text to give a time of day after it.
func (d *components) dropTime() {
	d.times, d.h, d.i, d.s, d.us = 0, 0, 0, 0, 0
}

// plus adds n to a relative field. The result is false if the sum is beyond
// limit.
func plus(field *int64, n int64) bool {
	if n > limit || n < -limit {
		return false
	}
	*field += n
	return *field <= limit && *field >= -limit
}
