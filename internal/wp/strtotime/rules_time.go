package strtotime

import "strings"

// timeRules returns the rules for times of day.
func timeRules() []rule {
	gap := `(?:` + blanks + `)?`
	return []rule{
		{[]string{hour12 + gap + meridian, shortTime12, longTime12}, "9", time12},
		{[]string{hour12 + `:` + minuteLZ + `:` + secondLZ + `[:.][0-9]+` + meridian}, "9", time12},
		{[]string{`[tT]` + hour24, shortTime24, longTime24, longTime24 + fracPart}, "9a", time24},
		{[]string{tee + hour24LZ + minuteLZ}, "9a", hourMinute},
		{[]string{tee + hour24LZ + minuteLZ + secondLZ}, "9a", timeDigits},
	}
}

// colon reports whether another part of the time follows.
func (c *cursor) colon() bool { return c.peek() == ':' || c.peek() == '.' }

func time12(d *components, c *cursor) bool {
	if !d.readClock(c, ":.") {
		return false
	}
	d.h += c.meridian(d.h)
	return true
}

func time24(d *components, c *cursor) bool { return d.readClock(c, ".") }

// readClock reads hours and, if present, minutes, seconds and a fraction. beforeFraction are the characters that can
// precede the fraction.
func (d *components) readClock(c *cursor, beforeFraction string) bool {
	if !d.takeTime() {
		return false
	}
	d.h = c.num(2)
	if c.colon() {
		d.i = c.num(2)
		if c.colon() {
			d.s = c.num(2)
			if strings.IndexByte(beforeFraction, c.peek()) >= 0 {
				d.us = c.fraction()
			}
		}
	}
	return true
}

// hourMinute reads four digits: a time or, after a time, a year.
func hourMinute(d *components, c *cursor) bool {
	switch d.times {
	case 0:
		d.h, d.i, d.s = c.num(2), c.num(2), 0
	case 1:
		d.y = c.num(4)
	default:
		return false
	}
	d.times++
	return true
}

func timeDigits(d *components, c *cursor) bool {
	if !d.takeTime() {
		return false
	}
	d.h, d.i, d.s = c.num(2), c.num(2), c.num(2)
	return true
}
