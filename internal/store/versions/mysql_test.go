package versions

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/schema"
)

// routed is a pool whose connections lead to one server after the other, and within a transaction to writer, unless
// that is "".
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

// routedConn answers each query with the server that it leads to.
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

// TestConnectionsToSeveralServers checks that the first poll notices a router that uses several servers, whether by
// connection or by transaction.
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
		for range 2 { // the second poll uses the stored result
			if got := m.elsewhere(t.Context(), db, "a"); got != c.several {
				t.Errorf("%s: several servers: %t", c.name, got)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSetsOfOtherServers checks that behind vtgate the set is read by a separate statement, which another primary may
// have answered.
func TestSetsOfOtherServers(t *testing.T) {
	db := bun.NewDB(sql.OpenDB(&routed{servers: []string{"a"}}), mysqldialect.New())
	defer db.Close()
	for _, c := range []struct{ set, unknown string }{
		{"set a a:1-7", ""}, {"set b a:1-7,b:1", "the primary changed"}, {"read-only", "the server became read-only"},
		{"", "the server stopped logging global transaction identifiers"},
	} {
		m := mysqlServer{changes: schema.Changes{Vitess: true, Identified: true}, sampled: time.Now()} // its shards are not queried again
		found := change.Versions{Server: "a/17"}
		m.judge(t.Context(), db, &found, c.set)
		if found.Unknown != c.unknown {
			t.Errorf("%q: %q", c.set, found.Unknown)
		}
	}
}
