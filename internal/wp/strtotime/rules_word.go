package strtotime

import "github.com/agendahq/agenda/internal/wp/phpval"

// wordRules returns the rules for words that move the date, names of months, and zones.
func wordRules() []rule {
	return []rule{
		{[]string{word("ago")}, "a", func(d *components, _ *cursor) bool { d.rel.negate(); return true }},
		{[]string{dayText}, "a", dayOfWeek},
		{[]string{nextWord + blanks + word("week")}, "a", nextWeek},
		{[]string{alt(ordinalWord, nextWord) + blanks + unitText}, "a", ordinalUnit},
		{[]string{monthFull, monthAbbr}, "a", func(d *components, c *cursor) bool { return d.set(d.y, c.month(), d.d) }},
		{[]string{zoneDiff, zoneName}, "a(+-", zoneRule},
	}
}

// mixedRules returns the rules for dates that are matched only together with a time, and for numbers with a unit.
func mixedRules() []rule {
	return []rule{
		{[]string{dayNoYear + shortTime12, dayNoYear + longTime12}, "a", dayTime12},
		{[]string{dayNoYear + shortTime24, dayNoYear + longTime24, dayNoYear + zonedTime}, "a", dayTime24},
		{[]string{`[+-]*[ \t]*[0-9]{1,13}(?:` + blanks + `)?` + alt(unitText, word("week"))}, "9+- \t", numberUnit},
	}
}

// negate reverses the sign of everything relative so far.
func (r *relative) negate() {
	r.y, r.m, r.d, r.h, r.i, r.s, r.us = -r.y, -r.m, -r.d, -r.h, -r.i, -r.s, -r.us
	r.weekday = -r.weekday
	if r.weekday == 0 {
		r.weekday = -7
	}
	if r.special == specialWeekdays {
		r.count = -r.count
	}
}

func dayOfWeek(d *components, c *cursor) bool {
	u, _ := c.unitName()
	d.dropTime()
	d.rel.hasWeekday = true
	d.rel.weekday = u.size // "weekday" alone means Monday, because its size is 1
	if d.rel.behavior != 2 {
		d.rel.behavior = 1
	}
	return true
}

// nextWeek moves by whole weeks, from Monday to Sunday: to the weekday that the text names elsewhere, else to Monday.
func nextWeek(d *components, c *cursor) bool {
	ord := ordinals[phpval.Lower(c.letters())]
	if !d.addUnit(c, ord.amount, ord.behavior, false) {
		return false
	}
	d.rel.behavior = 2
	if !d.rel.hasWeekday {
		d.rel.hasWeekday, d.rel.weekday = true, 1
	}
	return true
}

func ordinalUnit(d *components, c *cursor) bool {
	ord := ordinals[phpval.Lower(c.letters())]
	return d.addUnit(c, ord.amount, ord.behavior, false)
}

func numberUnit(d *components, c *cursor) bool {
	n, ok := c.signed(24)
	return ok && d.addUnit(c, n, 1, true)
}

// addUnit adds an amount of the unit at the cursor. Weekdays and working days reset the time to midnight, unless
// keepTime is set.
func (d *components) addUnit(c *cursor, amount, behavior int64, keepTime bool) bool {
	u, ok := c.unitName()
	if !ok {
		return false
	}
	r := &d.rel
	switch u.unit {
	case unitMicrosecond:
		return plus(&r.us, amount*u.size)
	case unitSecond:
		return plus(&r.s, amount)
	case unitMinute:
		return plus(&r.i, amount)
	case unitHour:
		return plus(&r.h, amount)
	case unitDay:
		return plus(&r.d, amount*u.size)
	case unitMonth:
		return plus(&r.m, amount)
	case unitYear:
		return plus(&r.y, amount)
	}
	if !keepTime {
		d.dropTime()
	}
	if u.unit == unitWorkingDay {
		r.special, r.count = specialWeekdays, amount
		return true
	}
	r.hasWeekday, r.weekday, r.behavior = true, u.size, behavior
	if amount > 0 {
		amount-- // the day itself counts as the first one
	}
	return plus(&r.d, amount*7)
}

func zoneRule(d *components, c *cursor) bool {
	if use, ok := d.takeZone(); !use {
		return ok
	}
	return d.readZone(c)
}

func dayTime12(d *components, c *cursor) bool {
	m, day := c.month(), c.num(2)
	return d.set(d.y, m, day) && time12(d, c)
}

func dayTime24(d *components, c *cursor) bool {
	m, day := c.month(), c.num(2)
	if !d.set(d.y, m, day) || !d.takeTime() {
		return false
	}
	d.h, d.i = c.num(2), c.num(2)
	if c.peek() == ':' { // seconds after a "." are not read here; they remain, and are not a valid zone
		d.s = c.num(2)
		if c.peek() == '.' {
			d.us = c.fraction()
		}
	}
	return c.done() || d.readZone(c)
}
