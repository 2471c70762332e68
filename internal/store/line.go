package store

import (
	"context"

	"github.com/uptrace/bun"
)

// maxLines is how many connections the clocks of a pool use at most: a look takes a fraction of a millisecond, and a program can have
// hundreds of calendars on one server.
const maxLines = 4

// line is a connection on which clocks of one pool ask in turn.
type line struct {
	turn   chan struct{} // full while one asks, or changes what follows
	conn   *bun.Conn     // nil while nobody needs it
	opened int           // connections so far
	users  int           // clocks that use the connection
}

func newLine() *line { return &line{turn: make(chan struct{}, 1)} }

// take waits until it is the clock's turn, and opens the connection where there is none. give ends the turn.
func (v *versions) take(ctx context.Context) (give func(), err error) {
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
			v.give()
			return nil, err
		}
		l.conn, l.users = &conn, 0
		l.opened++
	}
	if v.conn != l.conn {
		v.conn, v.opened = l.conn, l.opened
		l.users++
	}
	return v.give, nil
}

func (v *versions) give() { <-v.line.turn }

// Release closes the connection, whose session variables differ from those of the pool, for all clocks: they open another one. A poll that
// timed out while it waited for other clocks says nothing about the connection.
func (v *versions) Release() { v.leave(!v.waiting, nothing) }

func nothing() error { return nil }

// leave ends the clock's use of the connection, which is closed if it is spoilt, if nobody else uses it, or if what the clock has on it
// cannot be closed.
func (v *versions) leave(spoilt bool, closing func() error) {
	v.line.turn <- struct{}{}
	defer v.give()
	if l := v.line; v.conn != nil && v.conn == l.conn {
		if l.users--; spoilt || l.users == 0 || closing() != nil {
			discard(*l.conn)
			_ = l.conn.Close()
			l.conn = nil
		}
	}
	v.conn, v.waiting = nil, false
}
