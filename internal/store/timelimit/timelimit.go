// Package timelimit lets a server end statements. A server continues a statement whose client has disconnected: it notices the
// closed connection only when it sends something. So every read has a time limit, which is the remaining time of its
// request. SQLite runs within the process and stops when the context ends.
package timelimit

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/internal/store/dberr"
)

// Syntax is the syntax for the time limit of a SELECT.
type Syntax int

const (
	None         Syntax = iota // no time limit
	SetStatement               // MariaDB: SET STATEMENT … FOR SELECT
	Hint                       // MySQL: SELECT /*+ … */
)

// Find finds out how a server can limit the duration of a statement. Servers and proxies that support none of the
// ways return an error to the test statements, and their reads have no limit.
func Find(ctx context.Context, db *bun.DB) (Syntax, error) {
	if db.Dialect().Name() != dialect.MySQL {
		return None, nil
	}
	for _, probe := range []struct {
		statement string
		knows     Syntax
	}{
		{"SET STATEMENT max_statement_time = 5 FOR SELECT 1", SetStatement},
		{"SELECT /*+ MAX_EXECUTION_TIME(5000) */ @@SESSION.max_execution_time", Hint},
	} {
		var answer *mysql.MySQLError
		_, err := db.ExecContext(ctx, probe.statement)
		switch {
		case err == nil:
			return probe.knows, nil
		case !errors.As(err, &answer) || dberr.FaultOf(err) != dberr.NoFault:
			return None, err
		}
	}
	return None, nil
}

// Statement returns a SELECT with the remaining time of ctx as its limit, in whole seconds, rounded up, so that there
// are few different statements.
func (d Syntax) Statement(ctx context.Context, query string) string {
	end, limited := ctx.Deadline()
	if !limited || d == None {
		return query
	}
	return d.Limited(SecondsUntil(end), query)
}

// Limited returns a SELECT with a limit in seconds, 0 for none.
func (d Syntax) Limited(seconds int64, query string) string {
	if seconds == 0 {
		return query
	}
	if d == SetStatement {
		return "SET STATEMENT max_statement_time=" + strconv.FormatInt(seconds, 10) + " FOR " + query
	}
	at := hintPlace(query)
	if at < 0 {
		return query
	}
	return query[:at] + " /*+ MAX_EXECUTION_TIME(" + strconv.FormatInt(seconds*1000, 10) + ") */" + query[at:]
}

// hintPlace returns the position for a hint that applies to the whole statement: after the word SELECT of its first
// query, which may be part of a UNION and in parentheses. It returns -1 if the statement is not a SELECT.
func hintPlace(query string) int {
	const word = "SELECT"
	for text := query; ; {
		text = strings.TrimLeft(text, "( \t\n")
		switch {
		case strings.HasPrefix(text, word+" "):
			return len(query) - len(text) + len(word)
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
		default:
			return -1
		}
	}
}

// SecondsUntil returns the whole seconds until a time, at least one.
func SecondsUntil(end time.Time) int64 {
	return int64(max(1, math.Ceil(time.Until(end).Seconds())))
}

// Reads sends queries to a pool or a transaction, each with its time limit.
type Reads struct {
	bun.IConn
	Limits Syntax
}

func (r Reads) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return r.IConn.QueryContext(ctx, r.Limits.Statement(ctx, query), args...)
}
