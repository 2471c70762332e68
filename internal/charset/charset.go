// Package charset decodes text files that are supposed to be UTF-8 but may be in another encoding, as files from
// calendars and spreadsheets often are.
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

// BOM is the byte order mark with which some programs begin UTF-8 files. If such files were joined, it also occurs in
// the middle.
const BOM = "\uFEFF"

// NewReader returns a reader that removes a byte order mark and converts UTF-16 to UTF-8. UTF-16 is detected by its
// byte order mark, or if the first character is ASCII.
func NewReader(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	head, _ := b.Peek(3) // an error is returned again by the next read
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

// String converts a text to UTF-8. Bytes that are not valid UTF-8 are decoded as Windows-1252, of which Latin-1 is a
// subset.
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
