// Package phpjson writes JSON exactly as WordPress does with PHP's json_encode: ASCII only, with "/" escaped, members
// in the order of the calls, and an empty object as []. It also selects members of finished documents and indents them.
package phpjson

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// Writer appends one JSON document to a buffer in a single pass. The caller balances Object and Array with End; the
// writer adds commas. The zero value is ready to use.
type Writer struct {
	buf   []byte
	stack []byte // closing bytes of the open containers, innermost last
	bound Bound
	room  int // how long buf may become before bound is asked again
	full  bool
}

// Bound limits the size of documents.
type Bound interface {
	// Room returns how long, in bytes, a document that needs n may become. A result below n means that it must not grow
	// to n.
	Room(n int) int
}

// Within limits the size of documents until it is called again; nil removes the limit. Values that do not fit are left
// out: see Full.
func (w *Writer) Within(b Bound) { w.bound, w.room, w.full = b, 0, false }

// Full reports whether a value was left out because of the limit. The document is then incomplete and must not be used.
func (w *Writer) Full() bool { return w.full }

// fits reports whether the limit allows n more bytes.
func (w *Writer) fits(n int) bool {
	if w.bound == nil || len(w.buf)+n <= w.room {
		return true
	}
	if !w.full {
		w.room = w.bound.Room(len(w.buf) + n)
		w.full = w.room < len(w.buf)+n
	}
	return !w.full
}

// Bytes returns the document written so far; it is valid until the next call.
func (w *Writer) Bytes() []byte { return w.buf }

// Len returns the number of bytes written so far.
func (w *Writer) Len() int { return len(w.buf) }

// Cap returns the size of the buffer.
func (w *Writer) Cap() int { return cap(w.buf) }

// Reset discards what was written. It keeps the buffer and the limit.
func (w *Writer) Reset() { w.buf, w.stack, w.full = w.buf[:0], w.stack[:0], false }

func (w *Writer) sep() {
	if n := len(w.buf); n > 0 {
		switch w.buf[n-1] {
		case '{', '[', ':':
		default:
			w.buf = append(w.buf, ',')
		}
	}
}

// Object opens an object.
func (w *Writer) Object() {
	w.sep()
	w.buf, w.stack = append(w.buf, '{'), append(w.stack, '}')
}

// Array opens a list.
func (w *Writer) Array() {
	w.sep()
	w.buf, w.stack = append(w.buf, '['), append(w.stack, ']')
}

// End closes the innermost object or array. An object without members becomes [], as PHP writes an empty array.
func (w *Writer) End() {
	n := len(w.stack) - 1
	closing := w.stack[n]
	w.stack = w.stack[:n]
	if last := len(w.buf) - 1; closing == '}' && w.buf[last] == '{' {
		w.buf = append(w.buf[:last], '[', ']')
		return
	}
	w.buf = append(w.buf, closing)
}

// Key writes the name of a member. Exactly one value has to follow.
func (w *Writer) Key(k string) {
	w.sep()
	w.quote(k)
	w.buf = append(w.buf, ':')
}

// String writes a string value.
func (w *Writer) String(s string) {
	w.sep()
	w.quote(s)
}

// Int writes a whole number.
func (w *Writer) Int(n int64) {
	w.sep()
	w.buf = strconv.AppendInt(w.buf, n, 10)
}

// Float writes a number with as many digits as are needed to read the same value back.
func (w *Writer) Float(f float64) {
	w.sep()
	w.buf = appendFloat(w.buf, f)
}

// Bool writes true or false.
func (w *Writer) Bool(b bool) {
	w.sep()
	w.buf = strconv.AppendBool(w.buf, b)
}

// Null writes null.
func (w *Writer) Null() {
	w.sep()
	w.buf = append(w.buf, "null"...)
}

// Raw writes a value that is JSON already.
func (w *Writer) Raw(b []byte) {
	w.sep()
	w.Piece(b)
}

// RawString is like Raw, for a string.
func (w *Writer) RawString(s string) {
	w.sep()
	if w.fits(len(s)) {
		w.buf = append(w.buf, s...)
	}
}

// Piece appends a part of a finished document without a comma before it. What it opens, a later piece has to close.
func (w *Writer) Piece(b []byte) {
	if w.fits(len(b)) {
		w.buf = append(w.buf, b...)
	}
}

// The methods below write a member's name together with its value, or with its opening brace.

// KeyString writes the member k with the string s.
func (w *Writer) KeyString(k, s string) { w.Key(k); w.String(s) }

// KeyInt writes the member k with the number n.
func (w *Writer) KeyInt(k string, n int64) { w.Key(k); w.Int(n) }

// KeyBool writes the member k with b.
func (w *Writer) KeyBool(k string, b bool) { w.Key(k); w.Bool(b) }

// KeyObject opens the member k as an object.
func (w *Writer) KeyObject(k string) { w.Key(k); w.Object() }

// KeyArray opens the member k as a list.
func (w *Writer) KeyArray(k string) { w.Key(k); w.Array() }

// KeyStrings writes the member k with a list of strings.
func (w *Writer) KeyStrings(k string, list ...string) {
	w.KeyArray(k)
	for _, s := range list {
		w.String(s)
	}
	w.End()
}

func appendFloat(b []byte, f float64) []byte {
	if f != f || f > 1.7e308 || f < -1.7e308 { // JSON cannot represent infinities and NaN
		return append(b, '0')
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

const hexDigits = "0123456789abcdef"

// escapes contains what follows the backslash of each escaped byte, 'u' for a Unicode escape; 0 is for bytes that strings
// contain as they are.
var escapes = func() (table [256]byte) {
	for c := range table {
		if c < 0x20 || c >= utf8.RuneSelf {
			table[c] = 'u'
		}
	}
	for i, c := range []byte("\"\\/\b\f\n\r\t") {
		table[c] = `"\/bfnrt`[i]
	}
	return table
}()

// mostEscaped is the greatest number of bytes that one byte of a string becomes: \u0000.
const mostEscaped = 6

// long is the length, in bytes, from which quote grows the buffer once to the exact size.
const long = 4 << 10

func (w *Writer) quote(s string) {
	need := mostEscaped*len(s) + 2
	if len(s) >= long || w.bound != nil && len(w.buf)+need > w.room {
		need = quotedLen(s)
	}
	if !w.fits(need) {
		return
	}
	if len(s) >= long {
		w.buf = slices.Grow(w.buf, need)
	}
	b := append(w.buf, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		escape := escapes[c]
		if escape == 0 {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		size := 1
		switch {
		case c >= utf8.RuneSelf:
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			b = appendRune(b, r)
		case escape == 'u':
			b = appendUnit(b, rune(c))
		default:
			b = append(b, '\\', escape)
		}
		i += size
		start = i
	}
	w.buf = append(append(b, s[start:]...), '"')
}

// quotedLen returns how many bytes quote writes for a string.
func quotedLen(s string) int {
	n := len(s) + 2
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case escapes[c] == 0:
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			n += 6 - size
			if r >= 0x10000 {
				n += 6
			}
			i += size - 1
		case escapes[c] == 'u':
			n += 5
		default:
			n++
		}
	}
	return n
}

func appendRune(b []byte, r rune) []byte {
	if r < 0x10000 {
		return appendUnit(b, r)
	}
	r -= 0x10000
	return appendUnit(appendUnit(b, 0xd800+r>>10), 0xdc00+r&0x3ff)
}

func appendUnit(b []byte, r rune) []byte {
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
