package db

import (
	"context"
	"database/sql/driver"
	"errors"
)

// The types below pass everything on to the driver that they wrap. Where a driver lacks an optional interface they
// answer as database/sql expects of a connection without it.

type countedConnector struct {
	driver.Connector
	c *Counter
}

func (k *countedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countedConn{conn, k.c}, nil
}

type countedConn struct {
	driver.Conn
	c *Counter
}

func (k *countedConn) Ping(ctx context.Context) error {
	if p, ok := k.Conn.(driver.Pinger); ok {
		return p.Ping(ctx)
	}
	return nil
}

func (k *countedConn) ResetSession(ctx context.Context) error {
	if r, ok := k.Conn.(driver.SessionResetter); ok {
		return r.ResetSession(ctx)
	}
	return nil
}

func (k *countedConn) IsValid() bool {
	v, ok := k.Conn.(driver.Validator)
	return !ok || v.IsValid()
}

func (k *countedConn) CheckNamedValue(value *driver.NamedValue) error {
	if c, ok := k.Conn.(driver.NamedValueChecker); ok {
		return c.CheckNamedValue(value)
	}
	return driver.ErrSkip
}

func (k *countedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	e, ok := k.Conn.(driver.ExecerContext)
	if !ok || !k.direct(args) {
		return nil, driver.ErrSkip
	}
	return send(ctx, k.c, query, func() (driver.Result, error) { return e.ExecContext(ctx, query, args) })
}

func (k *countedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	q, ok := k.Conn.(driver.QueryerContext)
	if !ok || !k.direct(args) {
		return nil, driver.ErrSkip
	}
	return send(ctx, k.c, query, func() (driver.Rows, error) { return q.QueryContext(ctx, query, args) })
}

// direct says whether a statement may go out without being prepared. With arguments the driver may answer ErrSkip only
// after the statement was counted, so those are always prepared, and counted when executed.
func (k *countedConn) direct(args []driver.NamedValue) bool { return len(args) == 0 }

func (k *countedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	var stmt driver.Stmt
	var err error
	if p, ok := k.Conn.(driver.ConnPrepareContext); ok {
		stmt, err = p.PrepareContext(ctx, query)
	} else {
		stmt, err = k.Conn.Prepare(query)
	}
	if err != nil {
		return nil, err
	}
	return &countedStmt{stmt, k.c, query}, nil
}

func (k *countedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	b, ok := k.Conn.(driver.ConnBeginTx)
	if !ok {
		return nil, errors.New("test/db: the driver has no transactions with context")
	}
	tx, err := b.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	k.c.begun()
	return &countedTx{tx, k.c}, nil
}

type countedTx struct {
	driver.Tx
	c *Counter
}

func (k *countedTx) Commit() error {
	if err := k.c.takeCommitFailure(); err != nil {
		return errors.Join(err, k.Rollback())
	}
	err := k.Tx.Commit()
	if err == nil {
		k.c.ended(true)
	}
	return err
}

func (k *countedTx) Rollback() error {
	err := k.Tx.Rollback()
	if err == nil {
		k.c.ended(false)
	}
	return err
}

type countedStmt struct {
	driver.Stmt
	c     *Counter
	query string
}

func (k *countedStmt) CheckNamedValue(value *driver.NamedValue) error {
	if c, ok := k.Stmt.(driver.NamedValueChecker); ok {
		return c.CheckNamedValue(value)
	}
	return driver.ErrSkip
}

func (k *countedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	e, ok := k.Stmt.(driver.StmtExecContext)
	if !ok {
		return nil, errors.New("test/db: the driver executes no statement with context")
	}
	return send(ctx, k.c, k.query, func() (driver.Result, error) { return e.ExecContext(ctx, args) })
}

func (k *countedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	q, ok := k.Stmt.(driver.StmtQueryContext)
	if !ok {
		return nil, errors.New("test/db: the driver queries no statement with context")
	}
	return send(ctx, k.c, k.query, func() (driver.Rows, error) { return q.QueryContext(ctx, args) })
}
