package schema

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
)

// timeLimit is how long one question may take.
const timeLimit = 10 * time.Second

// readOnly runs fn on one connection that cannot write, in a transaction that is rolled back. The server ends a
// statement that takes longer than limit; if it cannot, it is canceled here a little later.
func readOnly(ctx context.Context, db *bun.DB, limit time.Duration, fn func(context.Context, bun.IDB) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit+limit/2)
	defer cancel()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	restore, err := limitSession(ctx, conn, limit)
	if err != nil {
		return err
	}
	defer restore()
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	return errors.Join(fn(ctx, tx), ended(tx.Rollback()))
}

// ended ignores the error of a rollback whose transaction ended with its connection or with the context.
func ended(err error) error {
	if errors.Is(err, sql.ErrTxDone) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err,
		sql.ErrConnDone) {
		return nil
	}
	return err
}

// limitSession limits a connection and returns a function that removes the limits.
func limitSession(ctx context.Context, conn bun.Conn, limit time.Duration) (restore func(), err error) {
	if isSQLite(conn) {
		var before int
		if err := conn.NewRaw("PRAGMA query_only").Scan(ctx, &before); err != nil {
			return nil, err
		}
		if _, err := conn.ExecContext(ctx, "PRAGMA query_only = ON"); err != nil {
			return nil, err
		}
		return func() { put(ctx, conn, fmt.Sprintf("PRAGMA query_only = %d", before)) }, nil
	}
	// MariaDB counts seconds, MySQL milliseconds; an old server has neither.
	for _, v := range []struct {
		name  string
		value float64
	}{{"max_statement_time", limit.Seconds()}, {"max_execution_time", float64(limit.Milliseconds())}} {
		name, value := v.name, v.value
		var before float64 // MySQL's is a whole number, which bun does not scan into a float
		if err := conn.NewRaw("SELECT @@SESSION.? + 0e0", bun.Safe(name)).Scan(ctx, &before); err != nil {
			if number(err) == 1193 { // no such variable
				continue
			}
			return nil, err
		}
		if before > 0 && before < value {
			return func() {}, nil
		}
		if _, err := conn.ExecContext(ctx, setting(name, value)); err != nil {
			return nil, err
		}
		return func() { put(ctx, conn, setting(name, before)) }, nil
	}
	return func() {}, nil
}

func setting(name string, value float64) string {
	if value == float64(int64(value)) { // MySQL accepts no fraction
		return fmt.Sprintf("SET SESSION %s = %d", name, int64(value))
	}
	return fmt.Sprintf("SET SESSION %s = %f", name, value)
}

// put restores a setting even if ctx has ended. A connection on which that fails is closed.
func put(ctx context.Context, conn bun.Conn, statement string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, err := conn.ExecContext(ctx, statement); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// number returns the number of a server's error, 0 for other errors.
func number(err error) uint16 {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return answer.Number
	}
	return 0
}

// unanswered returns a Finding with the reason why a question has no answer. ok is false if no other question can be
// asked: without a connection, or after the caller has gone.
func unanswered(ctx context.Context, err error) (f Finding, ok bool) {
	switch n := number(err); {
	case ctx.Err() != nil:
		return f, false
	case errors.Is(err, context.DeadlineExceeded), slices.Contains([]uint16{1969, 3024, 1317}, n):
		return Finding{Level: Note, Text: fmt.Sprintf("not known: there was no answer within %s", timeLimit)}, true
	case slices.Contains([]uint16{1142, 1143, 1044, 1227, 1345, 1370}, n):
		return Finding{Level: Note, Text: "not known: the account may not look: " + oneLine(err),
			Advice: "grant SELECT on the site's tables"}, true
	case n != 0:
		return Finding{Level: Warning, Text: "not known: the database refuses the question: " + oneLine(err)}, true
	}
	return f, false
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
