package statements

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"modernc.org/sqlite"
)

// connection is what the connections of SQLite can do.
type connection interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	Serialize() ([]byte, error)
	Deserialize(content []byte) error
	NewBackup(to string) (*sqlite.Backup, error)
}

// conn keeps what is sent within its transactions prepared, and gives everything else on. The pool calls a connection, and the
// rows that it returned, one at a time.
type conn struct {
	connection
	within bool // a transaction
	kept   kept
	lifted lifter // of the statement that is sent
}

// Keep returns a connection of SQLite that keeps the statements of its transactions prepared.
func Keep(c driver.Conn) (driver.Conn, error) {
	inner, ok := c.(connection)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a %T is not a connection of SQLite", c), c.Close())
	}
	return &conn{connection: inner}, nil
}

// Close ends the connection and what it keeps.
func (c *conn) Close() error { return errors.Join(c.kept.close(), c.connection.Close()) }

// BeginTx begins a transaction.
func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := c.connection.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	c.within = true
	return &transaction{tx, c}, nil
}

// transaction is one of a conn.
type transaction struct {
	driver.Tx
	of *conn
}

func (t *transaction) Commit() error {
	t.of.within = false
	return t.Tx.Commit()
}

func (t *transaction) Rollback() error {
	t.of.within = false
	return t.Tx.Rollback()
}

// ExecContext runs a statement that returns no rows.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s := c.take(ctx, query, args)
	if s == nil {
		return c.connection.ExecContext(ctx, query, args)
	}
	defer c.lifted.done()
	result, err := s.stmt.ExecContext(s.watched(ctx), c.lifted.values)
	if err != nil {
		return nil, errors.Join(err, s.stmt.Close())
	}
	c.kept.put(s)
	return result, nil
}

// QueryContext runs a statement that returns rows.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s := c.take(ctx, query, args)
	if s == nil {
		return c.connection.QueryContext(ctx, query, args)
	}
	defer c.lifted.done()
	found, err := s.stmt.QueryContext(s.watched(ctx), c.lifted.values)
	if err != nil {
		return nil, errors.Join(err, s.stmt.Close())
	}
	return &rows{found, s, c}, nil
}

// rows are those of a statement, which is kept once they are closed.
type rows struct {
	driver.Rows
	of *statement
	on *conn
}

func (r *rows) Close() error {
	if err := r.Rows.Close(); err != nil {
		return errors.Join(err, r.of.stmt.Close())
	}
	r.on.kept.put(r.of)
	return nil
}

// take returns the prepared statement for a text, whose values are lifted, nil for what is not kept: what is sent outside of
// transactions, has arguments, or cannot be prepared, which SQLite then refuses as it is. So it does with what is canceled already.
func (c *conn) take(ctx context.Context, query string, args []driver.NamedValue) *statement {
	if !c.within || len(args) > 0 || ctx.Err() != nil || !c.lifted.lift(query) {
		return nil
	}
	if s := c.kept.take(c.lifted.text); s != nil {
		return s
	}
	text := string(c.lifted.text)
	prepared, err := c.PrepareContext(ctx, text)
	if err != nil {
		c.lifted.done()
		return nil
	}
	stmt, can := prepared.(preparedStmt)
	if !can {
		_ = prepared.Close()
		return nil
	}
	return &statement{text: text, stmt: stmt, short: isShort(text)}
}
