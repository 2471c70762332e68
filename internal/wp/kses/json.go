package kses

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// maxNesting is the greatest depth of nested objects and lists.
const maxNesting = 512

// decodeJSON decodes the attributes of a block to nil, bool, int64, float64, string or *phpval.Array, which keeps the
// order of members. The second result is false if the text is not valid JSON.
func decodeJSON(s string) (phpval.Value, bool) {
	if !utf8.ValidString(s) {
		return nil, false
	}
	d := decoder{s: s}
	v, ok := d.value(0)
	d.space()
	return v, ok && d.i == len(s)
}

type decoder struct {
	s string
	i int
}

func (d *decoder) space() {
	for d.i < len(d.s) && strings.IndexByte(" \t\n\r", d.s[d.i]) >= 0 {
		d.i++
	}
}

// consume skips white space and then c. It returns false if another byte follows.
func (d *decoder) consume(c byte) bool {
	d.space()
	if d.i < len(d.s) && d.s[d.i] == c {
		d.i++
		return true
	}
	return false
}

func (d *decoder) value(depth int) (phpval.Value, bool) {
	d.space()
	if d.i == len(d.s) {
		return nil, false
	}
	switch c := d.s[d.i]; {
	case c == '{', c == '[':
		if depth == maxNesting {
			return nil, false
		}
		d.i++
		if c == '{' {
			return d.object(depth + 1)
		}
		return d.list(depth + 1)
	case c == '"':
		return d.readString()
	case c == '-', isDigit(c):
		return d.number()
	}
	switch {
	case d.word("true"):
		return true, true
	case d.word("false"):
		return false, true
	}
	return nil, d.word("null")
}

// word consumes a word, in upper or lower case. It returns false if something else follows.
func (d *decoder) word(w string) bool {
	end := d.i + len(w)
	if end > len(d.s) || !strings.EqualFold(d.s[d.i:end], w) {
		return false
	}
	d.i = end
	return true
}

func (d *decoder) object(depth int) (phpval.Value, bool) {
	out := &phpval.Array{}
	if d.consume('}') {
		return out, true
	}
	for {
		d.space()
		key, ok := d.readString()
		if !ok || !d.consume(':') {
			return nil, false
		}
		v, ok := d.value(depth)
		if !ok {
			return nil, false
		}
		out.Set(phpval.StrKey(key), v)
		if d.consume('}') {
			return out, true
		}
		if !d.consume(',') {
			return nil, false
		}
	}
}

func (d *decoder) list(depth int) (phpval.Value, bool) {
	out := &phpval.Array{}
	if d.consume(']') {
		return out, true
	}
	for n := int64(0); ; n++ {
		v, ok := d.value(depth)
		if !ok {
			return nil, false
		}
		out.Set(phpval.IntKey(n), v)
		if d.consume(']') {
			return out, true
		}
		if !d.consume(',') {
			return nil, false
		}
	}
}

func (d *decoder) number() (phpval.Value, bool) {
	start := d.i
	for d.i < len(d.s) && strings.IndexByte("+-.0123456789eE", d.s[d.i]) >= 0 {
		d.i++
	}
	text := d.s[start:d.i]
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && text != "-0" && json.Valid([]byte(text)) {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && json.Valid([]byte(text))
}

func (d *decoder) readString() (string, bool) {
	if d.i == len(d.s) || d.s[d.i] != '"' {
		return "", false
	}
	d.i++
	var b []byte
	for d.i < len(d.s) {
		c := d.s[d.i]
		d.i++
		switch {
		case c == '"':
			return string(b), true
		case c < ' ':
			return "", false
		case c != '\\':
			b = append(b, c)
		default:
			var ok bool
			if b, ok = d.escape(b); !ok {
				return "", false
			}
		}
	}
	return "", false
}

func (d *decoder) escape(b []byte) ([]byte, bool) {
	if d.i == len(d.s) {
		return nil, false
	}
	c := d.s[d.i]
	d.i++
	if c == 'u' {
		r, ok := d.unit()
		if ok && 0xD800 <= r && r < 0xDC00 && strings.HasPrefix(d.s[d.i:], `\u`) {
			d.i += len(`\u`)
			var low rune
			low, ok = d.unit()
			ok = ok && 0xDC00 <= low && low < 0xE000
			r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
		}
		return utf8.AppendRune(b, r), ok && utf8.ValidRune(r)
	}
	n := strings.IndexByte(`"\/bfnrt`, c)
	if n < 0 {
		return nil, false
	}
	return append(b, "\"\\/\b\f\n\r\t"[n]), true
}

// unit parses the four hexadecimal digits of an escape sequence.
func (d *decoder) unit() (rune, bool) {
	if d.i+4 > len(d.s) {
		return 0, false
	}
	n, err := strconv.ParseUint(d.s[d.i:d.i+4], 16, 16)
	d.i += 4
	return rune(n), err == nil
}

// appendJSON encodes a value for use in an HTML comment: characters that could end the comment or begin a tag are
// escaped.
func appendJSON(b []byte, v phpval.Value) []byte {
	return phpval.AppendJSON(b, v, false, appendText)
}

func appendText(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			b = append(b, `\\`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c < ' ', c == '<', c == '>', c == '&', c == '"':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c == '-' && strings.HasPrefix(s[i+1:], "-"):
			b = append(b, `\u002d\u002d`...)
			i++
		case strings.HasPrefix(s[i:], "\u2028"), strings.HasPrefix(s[i:], "\u2029"):
			b = append(b, `\u202`...)
			b = append(b, '8'+s[i+2]-0xA8)
			i += 2
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
