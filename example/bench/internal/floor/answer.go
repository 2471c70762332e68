package floor

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"sync"

	"github.com/agendahq/agenda/schema"
)

// answer is an answer under construction, with its buffers.
type answer struct {
	ctx     context.Context
	f       *Floor
	b       []byte
	text    strings.Builder
	columns [17]sql.RawBytes
	into    [17]any

	ids, linked, files []int64
}

var answers = sync.Pool{New: func() any {
	a := &answer{}
	for i := range a.columns {
		a.into[i] = &a.columns[i]
	}
	return a
}}

func (a *answer) reset(ctx context.Context, f *Floor) {
	a.ctx, a.f, a.b = ctx, f, append(a.b[:0], '{')
	a.ids, a.linked, a.files = a.ids[:0], a.linked[:0], a.files[:0]
}

func (a *answer) key(name string) {
	if len(a.b) > 1 {
		a.b = append(a.b, ',')
	}
	a.b = append(append(append(a.b, '"'), name...), `":`...)
}

func (a *answer) number(name string, n int64) {
	a.key(name)
	a.b = strconv.AppendInt(a.b, n, 10)
}

// listed writes the ids of a list.
func (a *answer) listed() {
	a.key("ids")
	a.b = append(a.b, '[')
	for i, id := range a.ids {
		if i > 0 {
			a.b = append(a.b, ',')
		}
		a.b = strconv.AppendInt(a.b, id, 10)
	}
	a.b = append(a.b, ']')
}

// withIDs returns a statement with a list of ids.
func (a *answer) withIDs(raw string, ids []int64) string {
	before, after, _ := strings.Cut(a.f.statement(raw), "{ids}")
	a.text.Reset()
	a.text.WriteString(before)
	for i, id := range ids {
		if i > 0 {
			a.text.WriteByte(',')
		}
		a.text.WriteString(strconv.FormatInt(id, 10))
	}
	a.text.WriteString(after)
	return a.text.String()
}

// rows writes the rows of a statement as they are scanned: all, or those whose second column is one of the keys. It
// calls each with every row that is written.
func (a *answer) rows(name, statement string, args []any, columns int, only keys, each func(row []sql.RawBytes)) error {
	a.key(name)
	a.b = append(a.b, '[')
	first := true
	err := a.f.query(a.ctx, statement, args, func(r *sql.Rows) error {
		if err := r.Scan(a.into[:columns]...); err != nil {
			return err
		}
		if only != nil && !only[string(a.columns[1])] {
			return nil
		}
		if !first {
			a.b = append(a.b, ',')
		}
		first = false
		a.row(a.columns[:columns])
		if each != nil {
			each(a.columns[:columns])
		}
		return nil
	})
	a.b = append(a.b, ']')
	return err
}

func (a *answer) row(columns []sql.RawBytes) {
	for i, c := range columns {
		sep := byte(',')
		if i == 0 {
			sep = '['
		}
		a.b = appendText(append(a.b, sep, '"'), c)
		a.b = append(a.b, '"')
	}
	a.b = append(a.b, ']')
}

const hex = "0123456789abcdef"

// appendText appends a string escaped for JSON.
func appendText(b []byte, text []byte) []byte {
	from := 0
	for i, c := range text {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(b, text[from:]...)
}

// meta writes the meta rows of posts and collects the ids that they link to.
func (a *answer) meta(name string, ids []int64, only keys) error {
	if len(ids) == 0 {
		return nil
	}
	return a.rows(name, a.withIDs(metaByID, ids), nil, 3, only, func(row []sql.RawBytes) {
		switch string(row[1]) {
		case schema.MetaVenueID, schema.MetaOrganizerID:
			a.linked = appendID(a.linked, row[2])
		case schema.MetaThumbnailID:
			a.files = appendID(a.files, row[2])
		}
	})
}

func appendID(ids []int64, text []byte) []int64 {
	id := int64(0)
	for _, c := range text {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + int64(c-'0')
	}
	if id <= 0 {
		return ids
	}
	for _, there := range ids {
		if there == id {
			return ids
		}
	}
	return append(ids, id)
}

func (a *answer) posts(name string, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	return a.rows(name, a.withIDs(postsByID, ids), nil, 17, nil, nil)
}
