package strtotime

import (
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// textZone is the time zone in a text.
type textZone struct {
	kind   zoneKind
	offset int64 // seconds east of UTC, for zoneOffset
	loc    *time.Location
}

// takeZone counts a zone in the text. use is false for the second one, which is ignored, since "+0200 (CEST)" contains
// the same zone twice. ok is false for the third one, which is an error.
func (d *components) takeZone() (use, ok bool) {
	d.zones++
	return d.zones == 1, d.zones <= 2
}

// readZone reads the zone at the cursor. It returns false if there is no such zone.
func (d *components) readZone(c *cursor) bool {
	for c.peek() == ' ' || c.peek() == '\t' || c.peek() == '(' {
		c.pos++
	}
	rest := c.s[c.pos:]
	if strings.HasPrefix(rest, "GMT+") || strings.HasPrefix(rest, "GMT-") {
		c.pos += len("GMT")
	}
	if sign := c.peek(); sign == '+' || sign == '-' {
		c.pos++
		offset, ok := c.zoneOffset()
		if sign == '-' {
			offset = -offset
		}
		d.zone = textZone{kind: zoneOffset, offset: offset}
		return ok
	}
	from := c.pos
	for b := c.peek(); isAlpha(b) || isDigit(b) || b != 0 && strings.IndexByte("/_-+", b) >= 0; b = c.peek() {
		c.pos++
	}
	name := c.s[from:c.pos]
	if offset, ok := abbreviations[phpval.Lower(name)]; ok {
		d.zone = textZone{kind: zoneOffset, offset: offset}
		return true
	}
	loc, ok := namedZone(name)
	d.zone = textZone{kind: zoneNamed, loc: loc}
	return ok
}

// zoneOffset reads an offset as H, HH, HMM, HHMM, HHMMSS or with colons.
func (c *cursor) zoneOffset() (seconds int64, ok bool) {
	from := c.pos
	for isDigit(c.peek()) || c.peek() == ':' {
		c.pos++
	}
	s := c.s[from:c.pos]
	if strings.Contains(s, ":") {
		parts := cursor{s: s}
		for _, scale := range []int64{3600, 60, 1} {
			if n := parts.num(2); n != unset {
				seconds += n * scale
			}
		}
		return seconds, true
	}
	n := (&cursor{s: s}).num(6)
	switch len(s) {
	case 1, 2:
		return n * 3600, true
	case 3, 4:
		return n/100*3600 + n%100*60, true
	case 6:
		return n/10000*3600 + n/100%100*60 + n%100, true
	}
	return 0, false
}
