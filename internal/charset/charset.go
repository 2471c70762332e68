// Package charset reads texts that are said to be UTF-8 and may be something else, as
// files of calendars and spreadsheets are.
package charset

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// BOM is the mark with which files in UTF-8 begin on some systems. Files that were joined
// have it in the middle.
const BOM = "\uFEFF"

// NewReader returns the bytes of a text without a byte order mark, those of UTF-16 in
// UTF-8. UTF-16 is known by its mark, or by a first character in ASCII.
func NewReader(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	head, _ := b.Peek(3) // an error comes again when it is read
	order, wide := unicode.BigEndian, true
	switch {
	case string(head) == BOM:
		_, _ = b.Discard(len(BOM))
		return b
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		order = unicode.LittleEndian
	case len(head) > 1 && head[0] == 0 && head[1] != 0:
	case len(head) > 1 && head[0] != 0 && head[1] == 0:
		order = unicode.LittleEndian
	default:
		wide = false
	}
	if !wide {
		return b
	}
	return unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(b)
}

// String returns a text in UTF-8: what is none in it is read as Windows-1252, of which
// Latin-1 is a part.
func String(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			r = charmap.Windows1252.DecodeByte(text[0])
		}
		b.WriteRune(r)
		text = text[n:]
	}
	return b.String()
}
