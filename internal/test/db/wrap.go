package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// conn and stmt contain the methods that the connections and statements of the MySQL and the SQLite driver have.
type (
	conn interface {
		driver.Conn
		driver.ConnBeginTx
		driver.ConnPrepareContext
		driver.ExecerContext
		driver.QueryerContext
		driver.Pinger
		driver.SessionResetter
		driver.Validator
	}
	stmt interface {
		driver.Stmt
		driver.StmtExecContext
		driver.StmtQueryContext
	}
)

type countedConnector struct {
	driver.Connector
	c *Counter
}

func (k *countedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countedConn{conn: inner.(conn), c: k.c}, nil
}

type countedConn struct {
	conn
	c  *Counter
	tx *countedTx // the open transaction
}

func (k *countedConn) CheckNamedValue(value *driver.NamedValue) error {
	return checkValue(k.conn, value)
}

// checkValue calls the driver's check of a value, if it has one, as the MySQL driver does.
func checkValue(inner any, value *driver.NamedValue) error {
	if c, ok := inner.(driver.NamedValueChecker); ok {
		return c.CheckNamedValue(value)
	}
	return driver.ErrSkip
}

// ExecContext and QueryContext return ErrSkip for a statement with arguments, so that it is prepared, and counted when
// it is executed. The driver itself might return ErrSkip, but only after the statement was counted here.
func (k *countedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) > 0 {
		return nil, driver.ErrSkip
	}
	k.tx.sends(query)
	return send(ctx, k.c, query, func() (driver.Result, error) {
		result, err := k.conn.ExecContext(ctx, query, args)
		return k.c.boundedResult(query, result, err)
	})
}

func (k *countedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if len(args) > 0 {
		return nil, driver.ErrSkip
	}
	k.tx.sends(query)
	return send(ctx, k.c, query, func() (driver.Rows, error) { return k.c.bounded(k.conn.QueryContext(ctx, k.c.rewritten(query), args)) })
}

func (k *countedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	inner, err := k.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return &countedStmt{inner.(stmt), k, query}, nil
}

func (k *countedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := k.conn.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	k.tx = &countedTx{Tx: tx, c: k.c, end: func() { k.tx = nil }}
	return k.tx, nil
}

// countedTx is counted at its first recorded statement, or at its end. A transaction that only contains statements
// which are not recorded is not counted.
type countedTx struct {
	driver.Tx
	c         *Counter
	own, sent bool // it contains statements that are not recorded, and others
	end       func()
}

// sends counts the transaction if a statement is its first recorded one. It does nothing without a transaction.
func (k *countedTx) sends(query string) {
	switch {
	case k == nil:
	case ofACalendar(query):
		k.own = true
	case !k.sent:
		k.sent = true
		k.c.count(func(t *Transactions) { t.Begun++ })
	}
}

// ends reports whether the transaction counts.
func (k *countedTx) ends() bool {
	k.end()
	if !k.own {
		k.sends("")
	}
	return k.sent
}

func (k *countedTx) Commit() error {
	counts := k.ends()
	k.c.waitToCommit()
	failure, lost := k.c.takeCommitFailure()
	if failure != nil && !lost {
		return errors.Join(failure, k.Rollback())
	}
	err := k.Tx.Commit()
	if err == nil && counts {
		k.c.count(func(t *Transactions) { t.Committed++ })
	}
	return errors.Join(err, failure)
}

func (k *countedTx) Rollback() error {
	counts := k.ends()
	err := k.Tx.Rollback()
	if err == nil && counts {
		k.c.count(func(t *Transactions) { t.RolledBack++ })
	}
	return err
}

type countedStmt struct {
	stmt
	conn  *countedConn
	query string
}

func (k *countedStmt) CheckNamedValue(value *driver.NamedValue) error {
	return checkValue(k.stmt, value)
}

func (k *countedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	k.conn.tx.sends(k.query)
	return send(ctx, k.conn.c, k.query, func() (driver.Result, error) {
		result, err := k.stmt.ExecContext(ctx, args)
		return k.conn.c.boundedResult(k.query, result, err)
	})
}

// QueryContext records the query with its values, so that tests find them whether it was prepared or not.
func (k *countedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	k.conn.tx.sends(k.query)
	return send(ctx, k.conn.c, filled(k.query, args), func() (driver.Rows, error) {
		return k.conn.c.bounded(k.stmt.QueryContext(ctx, args))
	})
}

// filled returns a query with values in place of its parameters.
func filled(query string, values []driver.NamedValue) string {
	var text strings.Builder
	quote := byte(0)
	for i := range len(query) {
		c := query[i]
		switch {
		case c == '?' && quote == 0 && len(values) > 0:
			text.WriteString(literal(values[0].Value))
			values = values[1:]
			continue
		case quote == 0 && strings.IndexByte("'\"`", c) >= 0:
			quote = c
		case c == quote:
			quote = 0
		}
		text.WriteByte(c)
	}
	return text.String()
}

func literal(value driver.Value) string {
	switch v := value.(type) {
	case nil:
		return "NULL"
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	}
	return fmt.Sprint(value)
}

var tooManyRows = &mysql.MySQLError{Number: 1317, Message: "Row count exceeded"}

// boundedRows fails when the server returns more than the permitted number of rows.
type boundedRows struct {
	driver.Rows
	left int
}

func (r *boundedRows) Next(dest []driver.Value) error {
	err := r.Rows.Next(dest)
	if r.left--; err == nil && r.left < 0 {
		return tooManyRows
	}
	return err
}
