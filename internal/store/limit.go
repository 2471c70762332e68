package store

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
)

// A server goes on with a statement whose client has gone: it notices the closed
// connection only when it sends something. So every read carries a time limit, the
// time that its request has left. SQLite runs in the process and ends with the
// context.

// dialectOfLimits is how a SELECT is given a time limit.
type dialectOfLimits int

const (
	unlimited    dialectOfLimits = iota // not at all
	setStatement                        // MariaDB: SET STATEMENT … FOR SELECT
	hinted                              // MySQL: SELECT /*+ … */
)

// limitsOf finds out how a server limits a statement. Servers and proxies that know
// no way refuse the test, and reads are sent as they are.
func limitsOf(ctx context.Context, db *bun.DB) (dialectOfLimits, error) {
	if db.Dialect().Name() != dialect.MySQL {
		return unlimited, nil
	}
	for _, probe := range []struct {
		statement string
		knows     dialectOfLimits
	}{
		{"SET STATEMENT max_statement_time = 5 FOR SELECT 1", setStatement},
		{"SELECT /*+ MAX_EXECUTION_TIME(5000) */ @@SESSION.max_execution_time", hinted},
	} {
		var answer *mysql.MySQLError
		_, err := db.ExecContext(ctx, probe.statement)
		switch {
		case err == nil:
			return probe.knows, nil
		case !errors.As(err, &answer) || FaultOf(err) != NoFault:
			return unlimited, err
		}
	}
	return unlimited, nil
}

// statement returns a SELECT with the time that ctx has left as its limit: in whole
// seconds, rounded up, so that there are few different statements.
func (d dialectOfLimits) statement(ctx context.Context, query string) string {
	end, limited := ctx.Deadline()
	if !limited || d == unlimited {
		return query
	}
	seconds := secondsUntil(end)
	if d == setStatement {
		return "SET STATEMENT max_statement_time=" + strconv.FormatInt(seconds, 10) + " FOR " + query
	}
	at := hintPlace(query)
	if at < 0 {
		return query
	}
	return query[:at] + " /*+ MAX_EXECUTION_TIME(" + strconv.FormatInt(seconds*1000, 10) + ") */" + query[at:]
}

// hintPlace returns where a hint for a whole statement stands: behind the word SELECT of
// its first query, also of a UNION, in parentheses or not, and behind the queries that
// WITH names. It returns -1 for what is no SELECT.
func hintPlace(query string) int {
	const word = "SELECT"
	text, named := query, false
	for {
		text = strings.TrimLeft(text, "( \t\n")
		switch {
		case strings.HasPrefix(text, word+" "):
			return len(query) - len(text) + len(word)
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
		case strings.HasPrefix(text, "WITH "), named && text != "":
			text, named = text[behindNamed(text):], true
		default:
			return -1
		}
	}
}

// behindNamed returns the length of a text up to behind its first parentheses.
func behindNamed(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\' && quote != '`':
			i++
		case c == quote: // a doubled one begins again at once
			quote = 0
		case quote != 0:
		case c == '\'', c == '"', c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// secondsUntil returns the whole seconds until a moment, at least one.
func secondsUntil(end time.Time) int64 {
	return int64(max(1, math.Ceil(time.Until(end).Seconds())))
}

// reads sends queries to a pool or a transaction, each with its limit.
type reads struct {
	bun.IConn
	limits dialectOfLimits
}

func (r reads) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return r.IConn.QueryContext(ctx, r.limits.statement(ctx, query), args...)
}

// database is a bun.DB whose SELECTs have a time limit. With a ConnResolver of the
// host, which sends reads to other pools, only those in transactions have one: a
// query names its connection or leaves that to the resolver.
type database struct {
	DB     *bun.DB
	limits dialectOfLimits
	routed bool
	reads  bun.IConn // of queries, nil for that of DB
}

func newDatabase(db *bun.DB, limits dialectOfLimits, routed bool) *database {
	d := &database{DB: db, limits: limits, routed: routed}
	if limits != unlimited && !routed {
		d.reads = reads{db.DB, limits}
	}
	return d
}

// Select begins a query.
func (d *database) Select() *Query {
	q := newQuery(d.DB)
	if d.reads != nil {
		q.sql.Conn(d.reads)
	}
	return q
}

// within returns the connection for the reads of a transaction.
func (d *database) within(tx bun.Tx) bun.IConn { return reads{tx.Tx, d.limits} }
