package exchange

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/agendahq/agenda/internal/charset"
)

// These limits keep a quote without an end from consuming the whole file.
const (
	maxRow   = 1 << 20 // in bytes
	maxCells = 1000
)

// rowReader reads the rows of a CSV file. encoding/csv reads the rest of the file as one cell if a quote has no end;
// rowReader reports the row and continues with the next line.
type rowReader struct {
	r         io.Reader
	separator byte
	buf       []byte // not parsed yet
	eof       bool
	line      int // line number of the start of buf
}

// These are the reasons why a row cannot be read.
var (
	errQuote    = errors.New("a quote is not closed, or text follows it")
	errLongRow  = errors.New("is too long")
	errManyCell = errors.New("has too many cells")
)

// newRowReader returns a reader. The separator is the most frequent one in the first line, or the one that the first
// line declares, as in "sep=;".
func newRowReader(r io.Reader) (*rowReader, error) {
	rows := &rowReader{r: charset.NewReader(r), line: 1}
	if err := rows.fill(1 << 16); err != nil {
		return nil, err
	}
	head := rows.buf[:lineEnd(rows.buf)]
	if name, found := bytes.CutPrefix(bytes.ToLower(head), []byte("sep=")); found && len(name) == 1 {
		rows.separator = name[0]
		rows.skip()
		return rows, nil
	}
	most := -1
	for _, separator := range []byte(",;\t") {
		count, quoted := 0, false
		for _, c := range head {
			if c == '"' {
				quoted = !quoted
			} else if c == separator && !quoted {
				count++
			}
		}
		if count > most {
			rows.separator, most = separator, count
		}
	}
	return rows, nil
}

// fill reads until the buffer contains n bytes or the file ends.
func (r *rowReader) fill(n int) error {
	for len(r.buf) < n && !r.eof {
		room := make([]byte, max(1<<15, n-len(r.buf)))
		got, err := r.r.Read(room)
		r.buf = append(r.buf, room[:got]...)
		if err == io.EOF {
			r.eof = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// lineEnd returns the length of the first line of a text.
func lineEnd(text []byte) int {
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		return i
	}
	return len(text)
}

// skip discards a line.
func (r *rowReader) skip() {
	n := lineEnd(r.buf)
	r.discard(n + lineBreakLength(r.buf[n:]))
}

// lineBreakLength returns the length of the line break at the start of a text.
func lineBreakLength(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case len(text) > 0 && (text[0] == '\r' || text[0] == '\n'):
		return 1
	}
	return 0
}

// discard discards bytes of the buffer and counts their lines.
func (r *rowReader) discard(n int) {
	for i := 0; i < n; i++ {
		if size := lineBreakLength(r.buf[i:]); size > 0 {
			r.line++
			i += size - 1
		}
	}
	r.buf = r.buf[n:]
}

// next returns the next row that is not empty, and the line at which it begins. If the error is one of errQuote,
// errLongRow and errManyCell, the next call continues with the next line; any other error ends the file.
func (r *rowReader) next() (cells []string, line int, err error) {
	for want := 1 << 12; ; want *= 2 {
		if err := r.fill(want); err != nil {
			return nil, r.line, err
		}
		if len(r.buf) == 0 {
			return nil, r.line, io.EOF
		}
		cells, n, err := parseRow(r.buf, r.separator, r.eof)
		switch {
		case err == nil && cells == nil && want <= maxRow:
			continue // the row is longer than the buffer
		case err == nil && cells == nil:
			err = errLongRow
		}
		line = r.line
		if err != nil {
			for lineEnd(r.buf) == len(r.buf) && !r.eof { // the line itself is too long
				r.buf = r.buf[:0]
				if err := r.fill(1); err != nil {
					return nil, line, err
				}
			}
			r.skip()
			return nil, line, err
		}
		r.discard(n)
		if strings.Join(cells, "") != "" {
			return cells, line, nil
		}
		want = 1 << 11
	}
}

// parseRow parses the row at the start of a text and returns its cells and its length. cells is nil if the row may
// continue after the text.
func parseRow(text []byte, separator byte, whole bool) (cells []string, n int, err error) {
	for {
		if len(cells) == maxCells {
			return nil, 0, errManyCell
		}
		cell, size, err := parseCell(text[n:], separator, whole)
		if err != nil || size < 0 {
			return nil, 0, err
		}
		cells, n = append(cells, cell), n+size
		switch {
		case n == len(text):
			if !whole {
				return nil, 0, nil
			}
			return cells, n, nil
		case text[n] == separator:
			n++
			if n == len(text) && !whole {
				return nil, 0, nil
			}
		case n+1 == len(text) && !whole: // the CR may be the first half of a line break
			return nil, 0, nil
		default:
			return cells, n + lineBreakLength(text[n:]), nil
		}
	}
}

// parseCell parses the cell at the start of a text and returns its length, or -1 if the cell may continue after the
// text.
func parseCell(text []byte, separator byte, whole bool) (cell string, size int, err error) {
	stop := string([]byte{separator, '\r', '\n'})
	if len(text) == 0 || text[0] != '"' {
		n := bytes.IndexAny(text, stop)
		if n < 0 {
			n = len(text)
		}
		return charset.String(text[:n]), n, nil
	}
	var b []byte
	for n := 1; ; n++ {
		end := bytes.IndexByte(text[n:], '"')
		if end < 0 {
			if whole {
				return "", 0, errQuote
			}
			return "", -1, nil
		}
		b = append(b, text[n:n+end]...)
		n += end + 1
		switch {
		case n == len(text) && !whole:
			return "", -1, nil
		case n == len(text) || strings.IndexByte(stop, text[n]) >= 0:
			return strings.ReplaceAll(strings.ReplaceAll(charset.String(b), "\r\n", "\n"), "\r", "\n"), n, nil
		case text[n] != '"':
			return "", 0, errQuote
		}
		b = append(b, '"')
	}
}
