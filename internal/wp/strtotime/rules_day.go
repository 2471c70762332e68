package strtotime

import "github.com/agendahq/agenda/internal/wp/phpval"

// dayWordRules returns the rules for words for a day or an hour, timestamps, and the phrases "first day of", "back of"
// and "third friday of".
func dayWordRules() []rule {
	clockHour := hour24 + `(?:(?:` + blanks + `)?` + meridian + `)?`
	return []rule{
		{[]string{word("yesterday")}, "a", func(d *components, _ *cursor) bool { return d.dayFromToday(-1) }},
		{[]string{word("now")}, "a", func(*components, *cursor) bool { return true }},
		{[]string{word("noon")}, "a", noon},
		{[]string{word("midnight", "today")}, "a", func(d *components, _ *cursor) bool { d.dropTime(); return true }},
		{[]string{word("tomorrow")}, "a", func(d *components, _ *cursor) bool { return d.dayFromToday(1) }},
		{[]string{`@-?[0-9]+`}, "@", timestamp},
		{[]string{`@-?[0-9]+\.[0-9]{0,6}`}, "@", timestamp},
		{[]string{word("first day of", "last day of")}, "a", edgeOfMonth},
		{[]string{word("back of ", "front of ") + clockHour}, "a", aroundHour},
		{[]string{alt(ordinalWord, nextWord) + blanks + dayNames + blanks + word("of")}, "a", dayOfMonth},
	}
}

// dayFromToday moves the date by days. It replaces previous relative days: "tomorrow tomorrow" is tomorrow.
func (d *components) dayFromToday(days int64) bool {
	d.dropTime()
	d.rel.d = days
	return true
}

func noon(d *components, _ *cursor) bool {
	d.dropTime()
	d.takeTime()
	d.h = 12
	return true
}

// timestamp reads @seconds with an optional fraction, which has the same sign.
func timestamp(d *components, c *cursor) bool {
	d.hasDate, d.y, d.m, d.d = false, unset, unset, unset
	d.dropTime()
	if use, ok := d.takeZone(); !use {
		return ok
	}
	negative := len(c.s) > 1 && c.s[1] == '-'
	sec, ok := c.signed(24)
	if !ok {
		return false
	}
	us := c.fraction()
	if negative {
		us = -us
	}
	d.y, d.m, d.d = 1970, 1, 1
	d.zone = textZone{kind: zoneOffset}
	return plus(&d.rel.s, sec) && plus(&d.rel.us, us)
}

func edgeOfMonth(d *components, c *cursor) bool {
	d.rel.edge = firstDayOf
	if c.peek()|0x20 == 'l' {
		d.rel.edge = lastDayOf
	}
	return true
}

// aroundHour reads a quarter past ("back of") or before ("front of") an hour. As in PHP, "Back of" with a capital B
// means "front of".
func aroundHour(d *components, c *cursor) bool {
	d.dropTime()
	d.takeTime()
	if c.peek() == 'b' {
		d.h, d.i = c.num(2), 15
	} else {
		d.h, d.i = c.num(2)-1, 45
	}
	if !c.done() {
		d.h += c.meridian(d.h)
	}
	return true
}

// dayOfMonth reads "third friday of" and "last friday of".
func dayOfMonth(d *components, c *cursor) bool {
	ord := ordinals[phpval.Lower(c.letters())]
	d.rel.special = specialLastInMonth
	behavior := ord.behavior
	if ord.amount > 0 {
		d.rel.special, behavior = specialNthInMonth, 1
	}
	return d.addUnit(c, ord.amount, behavior, false)
}
