package transfer

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// These are the maximum number of rows of an INSERT and about its maximum number of bytes. With the widest table, it
// has fewer parameters than SQLite allows (32,766), and its size is far below the packet size of any server.
const (
	insertRows  = 400
	insertBytes = 512 << 10
)

// inserter collects rows of one table and writes many at a time.
type inserter struct {
	session *session
	table   table
	places  []int // of the columns that are written
	names   string
	args    []any
	rows    int
	size    int
	first   string // key of the first row that is not written yet
}

// inserter returns an inserter of those columns that the source has; the others get their defaults.
func (s *session) inserter(t table, source found) *inserter {
	in := &inserter{session: s, table: t}
	var names []string
	for i, c := range t.columns {
		if source.reads[i] != "" {
			in.places = append(in.places, i)
			names = append(names, s.ident(c.name))
		}
	}
	in.names = strings.Join(names, ", ")
	return in
}

// addRow adds a row and reports whether it wrote the collected ones.
func (in *inserter) addRow(ctx context.Context, values []sql.NullString) (written bool, err error) {
	if in.rows == 0 {
		in.first = keyOf(in.table, values)
	}
	for _, place := range in.places {
		v := values[place]
		if !v.Valid {
			in.args = append(in.args, nil)
			continue
		}
		if err := in.fits(in.table.columns[place], v.String); err != nil {
			return false, in.session.failed(in.table, fmt.Errorf("row %s: %w", keyOf(in.table, values), err))
		}
		in.args = append(in.args, v.String)
		in.size += len(v.String)
	}
	in.rows++
	if in.rows < insertRows && in.size < insertBytes {
		return false, nil
	}
	return true, in.flush(ctx, keyOf(in.table, values))
}

// fits returns an error for numbers that SQLite would store inexactly.
func (in *inserter) fits(c column, text string) error {
	if in.session.mysql || !c.integer {
		return nil
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && n > math.MaxInt64 {
		return fmt.Errorf("%s is %s: SQLite has no numbers of that size", c.name, text)
	}
	return nil
}

// flush writes the collected rows; last is the key of the last one. Values are sent as strings, never as bytes: SQLite
// would store those as BLOBs, which equal no text.
func (in *inserter) flush(ctx context.Context, last string) error {
	if in.rows == 0 {
		return nil
	}
	row := "(?" + strings.Repeat(", ?", len(in.places)-1) + ")"
	query := "INSERT INTO " + in.session.quoted(in.table) + " (" + in.names + ") VALUES " + row + strings.Repeat(", "+row, in.rows-1)
	if _, err := in.session.conn.ExecContext(ctx, query, in.args...); err != nil {
		return inTarget(in.session.failed(in.table, fmt.Errorf("rows from %s to %s cannot be written: %w", in.first, last, err)))
	}
	clear(in.args) // lets the strings of long rows be freed
	in.args, in.rows, in.size = in.args[:0], 0, 0
	return nil
}
