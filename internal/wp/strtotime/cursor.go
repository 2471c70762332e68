package strtotime

import (
	"strconv"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// cursor reads the fields of one token from left to right. The token has already been matched by a pattern, so other
// characters are skipped without being checked.
type cursor struct {
	s   string
	pos int
}

// peek returns the byte at the cursor, 0 at the end.
func (c *cursor) peek() byte {
	if c.pos < len(c.s) {
		return c.s[c.pos]
	}
	return 0
}

func (c *cursor) done() bool { return c.peek() == 0 }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isAlpha(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

func (c *cursor) skipBlanks() {
	for c.peek() == ' ' || c.peek() == '\t' {
		c.pos++
	}
}

// num reads the next number of at most max digits, or returns unset if there is none.
func (c *cursor) num(max int) int64 {
	n, _ := c.numLen(max)
	return n
}

func (c *cursor) numLen(max int) (n int64, digits int) {
	for !isDigit(c.peek()) {
		if c.done() {
			return unset, 0
		}
		c.pos++
	}
	for isDigit(c.peek()) && digits < max {
		n = n*10 + int64(c.peek()-'0')
		c.pos++
		digits++
	}
	return n, digits
}

// year reads a year. Two digits from 00 to 69 are in the years from 2000, 70 to 99 in the 1900s.
func (c *cursor) year(max int) int64 {
	y, digits := c.numLen(max)
	if y == unset || digits >= 4 || y >= 100 {
		return y
	}
	if y < 70 {
		return y + 2000
	}
	return y + 1900
}

// signed reads a number after any number of signs; each minus reverses the sign. The second result is false if the
// number does not fit into 64 bits.
func (c *cursor) signed(max int) (int64, bool) {
	sign := ""
	for !isDigit(c.peek()) {
		if c.done() {
			return 0, false
		}
		if c.peek() == '-' {
			if sign == "" {
				sign = "-"
			} else {
				sign = ""
			}
		}
		c.pos++
	}
	from := c.pos
	for isDigit(c.peek()) && c.pos-from < max {
		c.pos++
	}
	n, err := strconv.ParseInt(sign+c.s[from:c.pos], 10, 64)
	return n, err == nil
}

// fraction reads ".25" as microseconds, without rounding.
func (c *cursor) fraction() int64 {
	if c.peek() == '.' || c.peek() == ':' {
		c.pos++
	}
	us, scale := int64(0), int64(100_000)
	for isDigit(c.peek()) {
		us += int64(c.peek()-'0') * scale
		scale /= 10
		c.pos++
	}
	return us
}

// meridian reads "am" or "pm" and returns what has to be added to hour.
func (c *cursor) meridian(hour int64) int64 {
	for !c.done() && c.peek()|0x20 != 'a' && c.peek()|0x20 != 'p' {
		c.pos++
	}
	pm := c.peek()|0x20 == 'p'
	switch {
	case pm && hour != 12:
		return 12
	case !pm && hour == 12:
		return -12
	}
	return 0
}

// daySuffix skips the "th" of "5th".
func (c *cursor) daySuffix() {
	if len(c.s)-c.pos < 2 {
		return
	}
	switch phpval.Lower(c.s[c.pos : c.pos+2]) {
	case "st", "nd", "rd", "th":
		c.pos += 2
	}
}

// letters skips separators and reads a word.
func (c *cursor) letters() string {
	for b := c.peek(); b == ' ' || b == '\t' || b == '-' || b == '.' || b == '/'; b = c.peek() {
		c.pos++
	}
	from := c.pos
	for isAlpha(c.peek()) {
		c.pos++
	}
	return c.s[from:c.pos]
}

func (c *cursor) month() int64 { return months[phpval.Lower(c.letters())] }

// unitName reads the name of a unit, which may contain bytes outside ASCII.
func (c *cursor) unitName() (unitSize, bool) {
	c.skipBlanks()
	from := c.pos
	for b := c.peek(); isAlpha(b) || b >= 0x80; b = c.peek() {
		c.pos++
	}
	return lookupUnit(c.s[from:c.pos])
}
