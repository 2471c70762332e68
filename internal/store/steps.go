package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"
)

// The beginning and the end of a transaction are not cancelled: what a cancelled request leaves must not depend on
// timing. On a connection that no longer responds, each of them would last until the driver gives up.

// longestTurn is how long a commit, or getting a connection, keeps other writers of this process waiting. After that
// they try other connections; the row that they lock still serializes them.
const longestTurn = 2 * time.Second

// grace is how long such a step is waited for after its request has ended.
const grace = 250 * time.Millisecond

// session is a connection for one transaction.
type session struct {
	db      *DB
	conn    bun.Conn
	tx      bun.Tx
	patient bool            // wait for every step without limit
	running <-chan struct{} // closed when the step ends that is no longer waited for, nil if there is none
}

// step runs a step and waits for it until the deadline of ctx plus grace. If that is exceeded, the error is
// context.DeadlineExceeded, and the connection is closed when the step ends. slow is called after longestTurn.
func (c *session) step(ctx context.Context, slow func(), run func(context.Context) error) error {
	end, limited := ctx.Deadline()
	if c.patient || !limited {
		return run(ctx)
	}
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = run(ctx)
	}()
	turn, late := time.NewTimer(longestTurn), time.NewTimer(max(0, time.Until(end))+grace)
	defer turn.Stop()
	defer late.Stop()
	for {
		select {
		case <-ended:
			return err
		case <-turn.C:
			slow()
		case <-late.C:
			c.running = ended
			return context.DeadlineExceeded
		}
	}
}

// open gets a connection, unless there is one, and sets the session variables of writes.
func (c *session) open(ctx context.Context) (err error) {
	if c.conn.Conn == nil {
		if c.conn, err = c.db.pool.DB.Conn(ctx); err != nil {
			return err
		}
	}
	if !c.db.IsMySQL() {
		return nil
	}
	if _, err = c.conn.ExecContext(ctx, setSession, mode, longestLockWait); err != nil {
		discard(c.conn)
	}
	return err
}

// begin begins the transaction, which is not cancelled with its request.
func (c *session) begin(ctx context.Context) (err error) {
	c.tx, err = c.conn.BeginTx(context.WithoutCancel(ctx), nil)
	return err
}

// beginReading begins a transaction that only reads. Where proxies may send such transactions to a replica, it begins like one that
// writes.
func (c *session) beginReading(ctx context.Context) (err error) {
	var options *sql.TxOptions
	if !c.db.IsMySQL() {
		options = &sql.TxOptions{ReadOnly: true} // otherwise it would lock the file
	}
	c.tx, err = c.conn.BeginTx(context.WithoutCancel(ctx), options)
	return err
}

func (c *session) rollBack(context.Context) error { return c.tx.Rollback() }

// drop makes the pool close the connection.
func (c *session) drop() {
	if c.running == nil {
		discard(c.conn)
	}
}

// close returns the connection to the pool, or closes it when no step runs on it. It does nothing if the first step
// failed, so that there is no connection.
func (c *session) close() {
	if c.running == nil {
		if c.conn.Conn != nil {
			_ = c.conn.Close()
		}
		return
	}
	go func() {
		<-c.running
		if c.conn.Conn == nil {
			return
		}
		if c.tx.Tx != nil {
			_ = c.tx.Rollback() //nolint:errcheck // if it began late; the connection is closed next
		}
		discard(c.conn)
		_ = c.conn.Close()
	}()
}
