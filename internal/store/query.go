package store

import (
	"context"
	"sync/atomic"

	"github.com/uptrace/bun"
	bunschema "github.com/uptrace/bun/schema"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/schema"
)

// Query is a SELECT of bun with the tables that it reads. From and Join declare a table, and a Query that is an
// argument of another one adds its own, so that no table can be read undeclared: the result of a Query may be cached
// until one of its tables changes. The methods are those of bun.SelectQuery: each changes the Query and returns it.
type Query struct {
	sql    *bun.SelectQuery
	tables change.Tables
}

// From adds a table; as is its alias, "" for none.
func (q *Query) From(t Table, as string) *Query {
	q.tables |= t.Set()
	if as == "" {
		q.sql.TableExpr("?(prefix)" + t.String())
	} else {
		q.sql.TableExpr("?(prefix)" + t.String() + " AS " + as)
	}
	return q
}

// FromQuery adds the rows of another query, with the alias as.
func (q *Query) FromQuery(rows *Query, as string) *Query {
	q.tables |= rows.tables
	q.sql.TableExpr("(?) AS "+as, rows.sql)
	return q
}

// FromExpr adds an expression that is not a table of the site.
func (q *Query) FromExpr(expr string, args ...any) *Query {
	q.declare(args)
	q.sql.TableExpr(expr, args...)
	return q
}

// Join joins a table with the alias as on a condition; kind is JOIN, LEFT JOIN or DB.Then. If on is empty, JoinOn adds
// the conditions.
func (q *Query) Join(kind bun.Safe, t Table, as, on string, args ...any) *Query {
	q.tables |= t.Set()
	q.declare(args)
	if on == "" {
		q.sql.Join(string(kind)+" ?(prefix)"+t.String()+" AS "+as, args...)
	} else {
		q.sql.Join(string(kind)+" ?(prefix)"+t.String()+" AS "+as+" ON "+on, args...)
	}
	return q
}

// JoinQuery joins the rows of another query, with the alias as, on a condition.
func (q *Query) JoinQuery(kind bun.Safe, rows *Query, as, on string) *Query {
	q.tables |= rows.tables
	q.sql.Join(string(kind)+" (?) AS "+as+" ON "+on, rows.sql)
	return q
}

// JoinOn adds a condition to the last Join.
func (q *Query) JoinOn(on string, args ...any) *Query {
	q.declare(args)
	q.sql.JoinOn(on, args...)
	return q
}

// readingDates declares the tables in a condition of package schema on the dates of events.
func (q *Query) readingDates(c schema.DateColumns) *Query {
	if c.Occurrences {
		q.tables |= TableOccurrences.Set()
	}
	if c.Rset {
		q.tables |= TableEvents.Set()
	}
	return q
}

// declare adds the tables among arguments and those of the queries among them.
func (q *Query) declare(args []any) {
	for _, arg := range args {
		switch arg := arg.(type) {
		case *Query:
			q.tables |= arg.tables
		case Table:
			q.tables |= arg.Set()
		}
	}
}

func (q *Query) Column(columns ...string) *Query {
	q.sql.Column(columns...)
	return q
}

func (q *Query) ColumnExpr(expr string, args ...any) *Query {
	q.declare(args)
	q.sql.ColumnExpr(expr, args...)
	return q
}

func (q *Query) Where(where string, args ...any) *Query {
	q.declare(args)
	q.sql.Where(where, args...)
	return q
}

func (q *Query) WhereOr(where string, args ...any) *Query {
	q.declare(args)
	q.sql.WhereOr(where, args...)
	return q
}

// WhereGroup puts the conditions that add adds in parentheses.
func (q *Query) WhereGroup(sep string, add func(*Query) *Query) *Query {
	q.sql.WhereGroup(sep, func(group *bun.SelectQuery) *bun.SelectQuery {
		add(q)
		return group
	})
	return q
}

func (q *Query) Group(columns ...string) *Query {
	q.sql.Group(columns...)
	return q
}

func (q *Query) Having(having string, args ...any) *Query {
	q.declare(args)
	q.sql.Having(having, args...)
	return q
}

func (q *Query) Order(orders ...string) *Query {
	q.sql.Order(orders...)
	return q
}

func (q *Query) OrderExpr(expr string, args ...any) *Query {
	q.declare(args)
	q.sql.OrderExpr(expr, args...)
	return q
}

func (q *Query) Limit(n int64) *Query {
	q.sql.Limit(n)
	return q
}

func (q *Query) Offset(n int64) *Query {
	q.sql.Offset(n)
	return q
}

func (q *Query) Distinct() *Query {
	q.sql.Distinct()
	return q
}

func (q *Query) UnionAll(others ...*Query) *Query {
	for _, other := range others {
		q.tables |= other.tables
		q.sql.UnionAll(other.sql)
	}
	return q
}

func (q *Query) For(lock string) *Query {
	q.sql.For(lock)
	return q
}

func (q *Query) Comment(comment string) *Query {
	q.sql.Comment(comment)
	return q
}

// Conn makes the query use a connection. With nil it keeps the one that it has.
func (q *Query) Conn(conn bun.IConn) *Query {
	if conn != nil {
		q.sql.Conn(conn)
	}
	return q
}

// clone returns a copy that can be changed independently.
func (q *Query) clone() *Query { return &Query{sql: q.sql.Clone(), tables: q.tables} }

// String returns the SQL of the statement.
func (q *Query) String() string { return q.sql.String() }

// AppendQuery implements bunschema.QueryAppender, so that a Query can be an argument of other queries and of writes.
func (q *Query) AppendQuery(gen bunschema.QueryGen, b []byte) ([]byte, error) {
	return q.sql.AppendQuery(gen, b)
}

// names returns the names of the tables that the query declares, without their prefix.
func (q *Query) names() (names []string) {
	for t, name := range tableNames {
		if q.tables&Table(t).Set() != 0 {
			names = append(names, name)
		}
	}
	return names
}

// reads returns the tables on whose changes the result depends: all tables if the query declares none.
func (q *Query) reads() change.Tables {
	if q.tables == 0 {
		return change.All
	}
	return q.tables
}

// unwatched reports whether the query reads tables whose changes are not noticed.
func (q *Query) unwatched() bool { return q.tables&^allWatched != 0 }

// within returns the statement of a query; within a Write it runs in the transaction, so that it sees the changes of
// the Write.
func (q *Query) within(ctx context.Context) *bun.SelectQuery {
	if observe := observer.Load(); observe != nil {
		(*observe)(q.String(), q.sql.DB().QueryGen().FormatQuery("?(prefix)"), q.names())
	}
	if w := writingOn(ctx, q.sql.DB()); w != nil {
		return q.sql.Conn(w.reads)
	}
	return q.sql
}

var observer atomic.Pointer[func(statement, prefix string, tables []string)]

// Observe calls f with each query of the process that is about to be run, the prefix of its tables and the tables that
// it declares, until stop is called. It is for tests.
func Observe(f func(statement, prefix string, tables []string)) (stop func()) {
	observer.Store(&f)
	return func() { observer.Store(nil) }
}
