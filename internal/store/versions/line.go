package versions

import (
	"context"
	"database/sql/driver"
	"sync/atomic"

	"github.com/uptrace/bun"
)

// maxLines is the maximum number of connections that the clocks of a pool use: a poll takes a fraction of a
// millisecond, and a program can have hundreds of calendars on one server.
const maxLines = 4

// line is a connection that clocks of one pool use in turn.
type line struct {
	turn   chan struct{} // full while one uses the connection or changes the other fields
	conn   *bun.Conn     // nil while it is not needed
	opened int           // connections opened so far
	open   *atomic.Bool  // whether conn is still open
	users  int           // clocks that use the connection
}

func newLine() *line { return &line{turn: make(chan struct{}, 1)} }

// poller is what the sources of both databases share: the site, and the connection, which a tracker uses in turn with others.
type poller struct {
	site    *Site
	line    *line
	conn    *bun.Conn    // that of the line, nil while the tracker does not use it
	opened  int          // number of that connection
	open    *atomic.Bool // whether it is still open
	waiting bool         // the last poll ended while it waited for its turn
}

// Options reads the options on which answers depend.
func (v *poller) Options(ctx context.Context) (map[string]string, error) {
	give, err := v.takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer give()
	return v.site.Options(ctx, *v.conn)
}

// takeTurn waits for the clock's turn, and opens the connection if there is none. give ends the turn.
func (v *poller) takeTurn(ctx context.Context) (give func(), err error) {
	l := v.line
	v.waiting = true
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	v.waiting = false
	if l.conn == nil {
		conn, err := v.site.DB.Conn(ctx)
		if err != nil {
			v.endTurn()
			return nil, err
		}
		l.conn, l.users, l.open = &conn, 0, &atomic.Bool{}
		l.open.Store(true)
		l.opened++
	}
	if v.conn != l.conn {
		v.conn, v.opened, v.open = l.conn, l.opened, l.open
		l.users++
	}
	return v.endTurn, nil
}

func (v *poller) endTurn() { <-v.line.turn }

// Release closes the connection for all clocks that use it, because its session variables differ from those of the
// pool; they open another one. It does not if the poll timed out while it waited for other clocks, which says nothing
// about the connection.
func (v *poller) Release() { v.leave(!v.waiting, nothing) }

func nothing() error { return nil }

// leave ends the clock's use of the connection. The connection is closed if it is spoilt, if nobody else uses it, or if
// closing returns an error.
func (v *poller) leave(spoilt bool, closing func() error) {
	v.line.turn <- struct{}{}
	defer v.endTurn()
	if l := v.line; v.conn != nil && v.conn == l.conn {
		if l.users--; spoilt || l.users == 0 || closing() != nil {
			l.open.Store(false)
			_ = l.conn.Raw(func(any) error { return driver.ErrBadConn }) // so that the pool does not use it again
			_ = l.conn.Close()
			l.conn = nil
		}
	}
	v.conn, v.waiting = nil, false
}
