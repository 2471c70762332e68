package statements

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"modernc.org/sqlite"

	"github.com/agendahq/agenda/internal/store/parameters"
)

// connection is the interface of SQLite's connections.
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

// conn keeps the statements within its transactions prepared, and passes on everything else. The pool calls a
// connection, and the rows that it returned, one at a time.
type conn struct {
	connection
	within bool // within a transaction
	kept   kept
	lifted parameters.Lifter // the current statement without its values
}

// Keep returns a connection that keeps the statements of its transactions prepared.
func Keep(c driver.Conn) (driver.Conn, error) {
	inner, ok := c.(connection)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a %T is not a connection of SQLite", c), c.Close())
	}
	return &conn{connection: inner}, nil
}

// Close closes the connection and its prepared statements.
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

// transaction is a transaction of a conn.
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

// ExecContext executes a statement that returns no rows.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s := c.takeStatement(ctx, query, args)
	if s == nil {
		return c.connection.ExecContext(ctx, query, args)
	}
	defer c.lifted.Done()
	result, err := s.stmt.ExecContext(s.watched(ctx), c.lifted.Values)
	if err != nil {
		return nil, errors.Join(err, s.stmt.Close())
	}
	c.kept.keepStatement(s)
	return result, nil
}

// QueryContext executes a statement that returns rows.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s := c.takeStatement(ctx, query, args)
	if s == nil {
		return c.connection.QueryContext(ctx, query, args)
	}
	defer c.lifted.Done()
	found, err := s.stmt.QueryContext(s.watched(ctx), c.lifted.Values)
	if err != nil {
		return nil, errors.Join(err, s.stmt.Close())
	}
	return &rows{found, s, c}, nil
}

// rows are the rows of a statement, which is kept when they are closed.
type rows struct {
	driver.Rows
	of *statement
	on *conn
}

func (r *rows) Close() error {
	if err := r.Rows.Close(); err != nil {
		return errors.Join(err, r.of.stmt.Close())
	}
	r.on.kept.keepStatement(r.of)
	return nil
}

// takeStatement returns the prepared statement for a query, and collects the query's values in c.lifted. It returns nil if the
// query must be executed unchanged: outside of transactions, with arguments, if it cannot be prepared (SQLite then
// returns the error for the unchanged query), and if ctx has ended.
func (c *conn) takeStatement(ctx context.Context, query string, args []driver.NamedValue) *statement {
	if !c.within || len(args) > 0 || ctx.Err() != nil || !c.lifted.Lift(query) {
		return nil
	}
	if s := c.kept.takeStatement(c.lifted.Text); s != nil {
		return s
	}
	text := string(c.lifted.Text)
	prepared, err := c.PrepareContext(ctx, text)
	if err != nil {
		c.lifted.Done()
		return nil
	}
	stmt, can := prepared.(preparedStmt)
	if !can {
		_ = prepared.Close()
		return nil
	}
	return &statement{text: text, stmt: stmt, short: isShort(text)}
}
