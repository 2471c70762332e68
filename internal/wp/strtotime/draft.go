package strtotime

import "math"

// unset marks a field that the text did not mention.
const unset = math.MinInt64

// limit keeps every sum of parsed numbers far away from overflow. Texts beyond
// it describe moments that no calendar can hold and are refused.
const limit = 1 << 58

// firstLast is the "first day of" or "last day of" a text asks for.
type firstLast int

const (
	firstLastNone firstLast = iota
	firstDayOf
	lastDayOf
)

// special is a day that is counted, not named.
type special int

const (
	specialNone special = iota
	specialWeekdays
	specialNthInMonth
	specialLastInMonth
)

// A zoneKind tells how a text named its zone.
type zoneKind int

const (
	zoneNone   zoneKind = iota
	zoneOffset          // +02:00, CEST, @…: a fixed distance from UTC
	zoneNamed           // Europe/Brussels
)

// relative collects what a text adds to the moment it starts from.
type relative struct {
	y, m, d, h, i, s, us int64
	weekday              int64
	behavior             int64 // 0: after today, 1: today counts, 2: within the week
	hasWeekday           bool
	special              special
	count                int64 // working days, for specialWeekdays
	edge                 firstLast
}

// draft is the date under construction while a text is scanned.
type draft struct {
	y, m, d, h, i, s, us int64
	hasDate              bool
	times                int // 2 once a bare year followed the time
	zones                int
	zone                 textZone
	rel                  relative
}

func newDraft() *draft {
	return &draft{y: unset, m: unset, d: unset, h: unset, i: unset, s: unset, us: unset}
}

// takeTime claims the time of day and sets it to midnight.
func (d *draft) takeTime() bool {
	if d.times > 0 {
		return false
	}
	d.dropTime()
	d.times = 1
	return true
}

// dropTime goes back to midnight and lets a later time of day in again.
func (d *draft) dropTime() {
	d.times, d.h, d.i, d.s, d.us = 0, 0, 0, 0, 0
}

// plus adds n to a relative field, false when the sum leaves the safe range.
func plus(field *int64, n int64) bool {
	if n > limit || n < -limit {
		return false
	}
	*field += n
	return *field <= limit && *field >= -limit
}
