package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"testing"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"
)

// routed is a pool whose connections lead to one server after the other, and within a
// transaction to writer, unless that is "".
type routed struct {
	servers []string
	writer  string
	opened  int
}

func (r *routed) Driver() driver.Driver { return nil }

func (r *routed) Connect(context.Context) (driver.Conn, error) {
	server := r.servers[r.opened%len(r.servers)]
	r.opened++
	return &routedConn{routed: r, server: server}, nil
}

// routedConn answers each question with the server that it leads to.
type routedConn struct {
	*routed
	server string
	within bool
}

func (*routedConn) Prepare(string) (driver.Stmt, error) { return nil, errors.ErrUnsupported }
func (*routedConn) Close() error                        { return nil }
func (c *routedConn) Begin() (driver.Tx, error)         { c.within = true; return c, nil }
func (c *routedConn) Commit() error                     { return errors.ErrUnsupported }
func (c *routedConn) Rollback() error                   { c.within = false; return nil }

func (c *routedConn) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	if c.within && c.writer != "" {
		return &oneRow{text: c.writer}, nil
	}
	return &oneRow{text: c.server}, nil
}

type oneRow struct {
	text string
	read bool
}

func (*oneRow) Columns() []string { return []string{"@@server_uuid"} }
func (*oneRow) Close() error      { return nil }

func (r *oneRow) Next(into []driver.Value) error {
	if r.read {
		return io.EOF
	}
	r.read, into[0] = true, r.text
	return nil
}

// TestConnectionsToSeveralServers: what a router sends to several servers is noticed with the
// first look, whether it does by connections or by transactions.
func TestConnectionsToSeveralServers(t *testing.T) {
	for _, c := range []struct {
		name    string
		pool    routed
		several bool
	}{
		{"one server", routed{servers: []string{"a"}}, false},
		{"connections in turn", routed{servers: []string{"a", "b"}}, true},
		{"another one than the clock's", routed{servers: []string{"b"}}, true},
		{"transactions elsewhere", routed{servers: []string{"a"}, writer: "b"}, true},
	} {
		db := bun.NewDB(sql.OpenDB(&c.pool), mysqldialect.New())
		var m mysqlServer
		for range 2 { // the second look remembers
			if got := m.elsewhere(t.Context(), db, "a/17"); got != c.several {
				t.Errorf("%s: several servers: %t", c.name, got)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
