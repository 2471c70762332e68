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

// timeLimit is how long one check may take.
const timeLimit = 10 * time.Second

// readOnly runs fn on a connection that cannot write, in a transaction that is rolled back. The server cancels a
// statement that takes longer than limit. If it does not support that, the context cancels it a little later.
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

// ended returns nil for an error of a rollback that means that the transaction has already ended, with its connection
// or its context.
func ended(err error) error {
	if errors.Is(err, sql.ErrTxDone) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err,
		sql.ErrConnDone) {
		return nil
	}
	return err
}

// limitSession makes a connection read-only or limits the time of its statements, depending on the database. restore
// removes the limits.
func limitSession(ctx context.Context, conn bun.Conn, limit time.Duration) (restore func(), err error) {
	if isSQLite(conn) {
		var before int
		if err := conn.NewRaw("PRAGMA query_only").Scan(ctx, &before); err != nil {
			return nil, err
		}
		if _, err := conn.ExecContext(ctx, "PRAGMA query_only = ON"); err != nil {
			return nil, err
		}
		return func() { restoreSetting(ctx, conn, fmt.Sprintf("PRAGMA query_only = %d", before)) }, nil
	}
	// MariaDB uses seconds, MySQL milliseconds. Old servers have neither variable.
	for _, v := range []struct {
		name  string
		value float64
	}{{"max_statement_time", limit.Seconds()}, {"max_execution_time", float64(limit.Milliseconds())}} {
		name, value := v.name, v.value
		var before float64 // + 0e0, because MySQL's is an integer, which bun does not scan into a float
		if err := conn.NewRaw("SELECT @@SESSION.? + 0e0", bun.Safe(name)).Scan(ctx, &before); err != nil {
			if number(err) == 1193 { // ER_UNKNOWN_SYSTEM_VARIABLE
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
		return func() { restoreSetting(ctx, conn, setting(name, before)) }, nil
	}
	return func() {}, nil
}

func setting(name string, value float64) string {
	if value == float64(int64(value)) { // MySQL accepts integers only
		return fmt.Sprintf("SET SESSION %s = %d", name, int64(value))
	}
	return fmt.Sprintf("SET SESSION %s = %f", name, value)
}

// restoreSetting executes a statement that restores a setting, even if ctx has ended. If it fails, the connection is
// closed instead of being returned to the pool.
func restoreSetting(ctx context.Context, conn bun.Conn, statement string, values ...any) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, err := conn.ExecContext(ctx, statement, values...); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// number returns the error number of a MySQL or MariaDB server, 0 for other errors.
func number(err error) uint16 {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return answer.Number
	}
	return 0
}

// runCheck runs a check with readOnly. If the check has no result, the only Finding says why.
func runCheck(
	ctx context.Context, db *bun.DB, limit time.Duration, check func(context.Context, bun.IDB) ([]Finding, error),
) (found []Finding, err error) {
	err = readOnly(ctx, db, limit, func(ctx context.Context, conn bun.IDB) (err error) {
		found, err = check(ctx, conn)
		return err
	})
	if err != nil {
		f, ok := unanswered(ctx, err)
		if !ok {
			return nil, err
		}
		found = []Finding{f}
	}
	return found, nil
}

// unanswered returns a Finding that says why a check has no result. ok is false if further checks are pointless too:
// the connection is lost or ctx has ended.
func unanswered(ctx context.Context, err error) (f Finding, ok bool) {
	switch n := number(err); {
	case ctx.Err() != nil:
		return f, false
	case errors.Is(err, context.DeadlineExceeded), slices.Contains([]uint16{1969, 3024, 1317}, n):
		return Finding{Level: Note, Text: fmt.Sprintf("unknown: there was no response within %s", timeLimit)}, true
	case slices.Contains([]uint16{1142, 1143, 1044, 1227, 1345, 1370}, n):
		return Finding{Level: Note, Text: "unknown: the account may not read this: " + oneLine(err),
			Advice: "grant SELECT on the site's tables"}, true
	case n != 0:
		return Finding{Level: Warning, Text: "unknown: the database rejects the query: " + oneLine(err)}, true
	}
	return f, false
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
