package replay

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"regexp"
	"strings"
)

// fakeDB is a database with the given tables. It only parses the number of columns and the first table of a query.
type fakeDB map[string][][]any

var fakeQuery = regexp.MustCompile(`^select (cast\(.*\)) from (\w+)\b.*=(\d+)`)

func (f fakeDB) open() *sql.DB { return sql.OpenDB(f) }

func (f fakeDB) Connect(context.Context) (driver.Conn, error) { return fakeConn{f}, nil }
func (f fakeDB) Driver() driver.Driver                        { return nil }

type fakeConn struct{ db fakeDB }

var errFake = errors.New("not understood")

func (fakeConn) Prepare(string) (driver.Stmt, error) { return nil, errFake }
func (fakeConn) Begin() (driver.Tx, error)           { return nil, errFake }
func (fakeConn) Close() error                        { return nil }

func (c fakeConn) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	m := fakeQuery.FindStringSubmatch(query)
	if m == nil || m[3] != "12" {
		return nil, errFake
	}
	rows, ok := c.db[m[2]]
	if !ok {
		return nil, errFake
	}
	return &fakeRows{cols: strings.Split(m[1], ","), rows: rows}, nil
}

type fakeRows struct {
	cols []string
	rows [][]any
}

func (r *fakeRows) Columns() []string { return r.cols }
func (r *fakeRows) Close() error      { return nil }

func (r *fakeRows) Next(into []driver.Value) error {
	if len(r.rows) == 0 {
		return io.EOF
	}
	if len(r.rows[0]) != len(into) {
		return errFake
	}
	for i, v := range r.rows[0] {
		into[i] = v
	}
	r.rows = r.rows[1:]
	return nil
}
