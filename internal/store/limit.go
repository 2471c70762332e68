package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
)

// A server goes on with a statement whose client has left: the driver closes the
// connection, which the server finds out only when it has something to say. So
// every read carries how long it may take, which is how long its request may take
// yet. SQLite runs in the process and ends with the context.

// dialectOfLimits is how a server is told how long a SELECT may take.
type dialectOfLimits int

const (
	unlimited    dialectOfLimits = iota // it cannot be told
	setStatement                        // MariaDB: SET STATEMENT … FOR SELECT
	hinted                              // MySQL: SELECT /*+ … */
)

// limitsOf finds out which way of limiting a statement a server knows. Servers
// and proxies that know none refuse the statement, and reads are sent as they are.
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

// statement returns a SELECT with the limit that ctx leaves it. The limit is in
// whole seconds, rounded up, so that the texts of statements stay few.
func (d dialectOfLimits) statement(ctx context.Context, query string) string {
	end, limited := ctx.Deadline()
	if !limited || d == unlimited {
		return query
	}
	seconds := secondsUntil(end)
	switch {
	case d == setStatement:
		return "SET STATEMENT max_statement_time=" + strconv.FormatInt(seconds, 10) + " FOR " + query
	case strings.HasPrefix(query, "SELECT "):
		return "SELECT /*+ MAX_EXECUTION_TIME(" + strconv.FormatInt(seconds*1000, 10) + ") */ " + query[len("SELECT "):]
	}
	return query
}

// secondsUntil returns the whole seconds that a moment lies ahead, at least one.
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

// database is a bun.DB all of whose SELECTs are limited. Where its host has a
// ConnResolver, which sends reads to pools of its own, those outside of
// transactions are not: a query says where it goes, or lets the resolver say it.
type database struct {
	*bun.DB
	limits dialectOfLimits
	routed bool
}

func (d *database) NewSelect() *bun.SelectQuery {
	if d.limits == unlimited || d.routed {
		return d.DB.NewSelect()
	}
	return d.DB.NewSelect().Conn(reads{d.DB.DB, d.limits})
}

// hasResolver reports whether a bun.DB has a ConnResolver, about which bun says
// nothing. Where that cannot be found out it is taken to have one.
func hasResolver(db *bun.DB) bool {
	resolver := reflect.ValueOf(db).Elem().FieldByName("resolver")
	return !resolver.IsValid() || resolver.Kind() != reflect.Interface || !resolver.IsNil()
}

// within returns a transaction as what its reads are sent to.
func (d *database) within(tx bun.Tx) bun.IConn { return reads{tx.Tx, d.limits} }
