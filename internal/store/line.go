package store

import (
	"context"

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
	users  int           // clocks that use the connection
}

func newLine() *line { return &line{turn: make(chan struct{}, 1)} }

// takeTurn waits for the clock's turn, and opens the connection if there is none. give ends the turn.
func (v *versions) takeTurn(ctx context.Context) (give func(), err error) {
	l := v.line
	v.waiting = true
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	v.waiting = false
	if l.conn == nil {
		conn, err := v.db.pool.DB.Conn(ctx)
		if err != nil {
			v.endTurn()
			return nil, err
		}
		l.conn, l.users = &conn, 0
		l.opened++
	}
	if v.conn != l.conn {
		v.conn, v.opened = l.conn, l.opened
		l.users++
	}
	return v.endTurn, nil
}

func (v *versions) endTurn() { <-v.line.turn }

// Release closes the connection for all clocks that use it, because its session variables differ from those of the
// pool; they open another one. It does not if the poll timed out while it waited for other clocks, which says nothing
// about the connection.
func (v *versions) Release() { v.leave(!v.waiting, nothing) }

func nothing() error { return nil }

// leave ends the clock's use of the connection. The connection is closed if it is spoilt, if nobody else uses it, or if
// closing returns an error.
func (v *versions) leave(spoilt bool, closing func() error) {
	v.line.turn <- struct{}{}
	defer v.endTurn()
	if l := v.line; v.conn != nil && v.conn == l.conn {
		if l.users--; spoilt || l.users == 0 || closing() != nil {
			discard(*l.conn)
			_ = l.conn.Close()
			l.conn = nil
		}
	}
	v.conn, v.waiting = nil, false
}
