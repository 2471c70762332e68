package strtotime

import (
	"slices"
	"time"
)

// resolve converts scanned components into Unix time in seconds, and returns the UTC offset that was used. ok is false
// if the date is out of range. What the text does not set is taken from now. The order of the steps determines the
// meaning of combined relative phrases.
func (d *components) resolve(now func() time.Time, loc *time.Location) (sec, offset int64, ok bool) {
	d.fill(now)
	if !d.inRange() {
		return 0, 0, false
	}
	d.startOfMonth()
	d.moveByDays()
	d.normalize()
	d.skipWeekends()
	d.normalize()

	days := daysFromCivil(d.y, d.m, d.d)
	if days > limit/86400 || days < -limit/86400 {
		return 0, 0, false
	}
	wall := days*86400 + d.h*3600 + d.i*60 + d.s
	offset = d.offset(wall, loc)
	sec = wall - offset
	// Hours and smaller units are added to the instant, so that an hour later is an hour later even when clocks change.
	r := &d.rel
	if !plus(&sec, r.h*3600+r.i*60) || !plus(&sec, r.s) {
		return 0, 0, false
	}
	sec += floorDiv(d.us+r.us, 1_000_000)
	return sec, offset, true
}

// fill takes what the text does not set from now. A date without a time means midnight.
func (d *components) fill(now func() time.Time) {
	if d.hasDate && d.times == 0 {
		d.h, d.i, d.s, d.us = 0, 0, 0, 0
	}
	if d.us == unset {
		d.us = 0
	}
	if !slices.Contains([]int64{d.y, d.m, d.d, d.h, d.i, d.s}, unset) {
		return
	}
	at := now()
	year, month, day := at.Date()
	hour, minute, second := at.Clock()
	for _, f := range []struct {
		field *int64
		now   int
	}{{&d.y, year}, {&d.m, int(month)}, {&d.d, day}, {&d.h, hour}, {&d.i, minute}, {&d.s, second}} {
		if *f.field == unset {
			*f.field = int64(f.now)
		}
	}
}

// inRange reports whether the following computations cannot overflow.
func (d *components) inRange() bool {
	const years, days = 1 << 40, 1 << 50
	r := &d.rel
	for _, v := range []int64{d.y, r.y} {
		if v > years || v < -years {
			return false
		}
	}
	return max(r.m, r.d, r.count, r.h, r.i) <= days && min(r.m, r.d, r.count, r.h, r.i) >= -days
}

// normalize carries fields that are out of range: 24:01 is 00:01 of the next day, February 30 is in March.
func (d *components) normalize() {
	carry(&d.s, &d.i, 60)
	carry(&d.i, &d.h, 60)
	carry(&d.h, &d.d, 24)
	d.m--
	carry(&d.m, &d.y, 12)
	d.m++
	d.y, d.m, d.d = civilFromDays(daysFromCivil(d.y, d.m, d.d))
}

// startOfMonth applies "first day of" and "last day of", and moves to the month in which "third friday of" counts.
func (d *components) startOfMonth() {
	if s := d.rel.special; s == specialNthInMonth || s == specialLastInMonth {
		d.d = 1
		d.m += d.rel.m
		d.rel.m = 0
		if s == specialLastInMonth {
			d.m++
		}
	}
	d.toEdge()
	d.normalize()
}

func (d *components) toEdge() {
	switch d.rel.edge {
	case firstDayOf:
		d.d = 1
	case lastDayOf:
		d.d = 0
		d.m++
	}
}

// moveByDays moves to the weekday and adds days, months and years.
func (d *components) moveByDays() {
	if d.rel.hasWeekday {
		d.toWeekday()
	}
	d.normalize()
	d.d += d.rel.d
	d.m += d.rel.m
	d.y += d.rel.y
	d.toEdge()
}

func (d *components) toWeekday() {
	r := &d.rel
	today := weekday(d.y, d.m, d.d)
	if r.behavior == 2 { // within the week, which ends on Sunday
		if today == 0 && r.weekday != 0 {
			r.weekday -= 7
		}
		if r.weekday == 0 && today != 0 {
			r.weekday = 7
		}
		d.d += r.weekday - today
		return
	}
	ahead := r.weekday - today
	if r.d < 0 && ahead < 0 || r.d >= 0 && ahead <= -r.behavior {
		ahead += 7
	}
	if r.weekday >= 0 {
		d.d += ahead
		return
	}
	d.d -= 7 - (-r.weekday - today)
}

// skipWeekends adds working days: five of them are a week; the rest skip the weekend.
func (d *components) skipWeekends() {
	if d.rel.special != specialWeekdays {
		return
	}
	count := d.rel.count
	today, rest := weekday(d.y, d.m, d.d), count%5
	d.d += count/5*7 + rest
	switch {
	case count > 0 && rest == 0: // from a weekend back to Friday
		if today == 0 {
			d.d -= 2
		} else if today == 6 {
			d.d--
		}
	case count > 0 && today == 6:
		d.d++
	case count > 0 && today+rest > 5:
		d.d += 2
	case count <= 0 && rest == 0: // from a weekend forward to Monday
		if today == 6 {
			d.d += 2
		} else if today == 0 {
			d.d++
		}
	case count <= 0 && today == 0:
		d.d--
	case count <= 0 && today+rest < 1:
		d.d -= 2
	}
}
