// Package store holds all SQL. Queries are built by bun, dates are bound and
// selected as text, ids come first and rows follow in batches, so that the
// number of statements never grows with a page.
package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Store reads and writes the tables of one site.
type Store struct {
	db          *bun.DB
	names       schema.Names
	occurrences bool
	now         func() time.Time
	form        Form // in which the site stores languages, "" for none
	classified  bool // the site has terms of terms
	searchIndex bool // event lists look words up in a FULLTEXT index
	totals      totals
	regularity  regularity
	logger      *slog.Logger
}

// New returns a store on a database that schema.Bind bound to a table prefix.
// Without the occurrences table, dates are read from the events' meta rows.
// now is the clock.
func New(db *bun.DB, names schema.Names, occurrences bool, now func() time.Time) *Store {
	return &Store{db: db, names: names, occurrences: occurrences, now: now, logger: slog.Default()}
}

// LogTo has the panics of background work logged by logger. Default
// slog.Default().
func (s *Store) LogTo(logger *slog.Logger) { s.logger = logger }

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.PingContext(ctx) }

// turningAway are the answers of a server that takes no statements at the
// moment: too many connections (of all, of the user), not ready in its cluster,
// shutting down, connection killed.
var turningAway = []uint16{1040, 1203, 1047, 1053, 1927}

// Unavailable tells an error of the way to the database, or of others that were
// in the way until the end, from one of a statement.
func Unavailable(err error) bool {
	var network *net.OpError
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return slices.Contains(turningAway, answer.Number) || collided(answer.Number)
	}
	if err != nil && strings.Contains(err.Error(), "database is locked") {
		return true
	}
	return errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) ||
		errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF)
}

// refused are the answers of a server to a value that a column does not take:
// out of range, a date that is none, characters that its character set lacks, a
// text that is too long.
var refused = []uint16{1264, 1292, 1366, 1406}

// Unstorable tells that a column does not take a value of a write.
func Unstorable(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && slices.Contains(refused, answer.Number)
}

// each runs a query and calls scan for every row. Within a Write it reads what
// that has written.
func each(ctx context.Context, q *bun.SelectQuery, scan func(*sql.Rows) error) error {
	if w := writing(ctx); w != nil {
		q = q.Conn(w.tx)
	}
	rows, err := q.Rows(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// ids runs a query of one id column.
func ids(ctx context.Context, q *bun.SelectQuery) ([]int64, error) {
	var list []int64
	err := each(ctx, q, func(r *sql.Rows) error {
		var id int64
		err := r.Scan(&id)
		list = append(list, id)
		return err
	})
	return list, err
}

// number runs a query of one number.
func number(ctx context.Context, q *bun.SelectQuery) (int64, error) {
	var n int64
	err := each(ctx, q, func(r *sql.Rows) error { return r.Scan(&n) })
	return n, err
}

// Options returns the stored values of the named options that exist.
func (s *Store) Options(ctx context.Context, names []string) (map[string]string, error) {
	found := make(map[string]string, len(names))
	q := s.db.NewSelect().TableExpr("?(prefix)options").
		Column("option_name", "option_value").Where("option_name IN (?)", bun.List(names))
	return found, each(ctx, q, func(r *sql.Rows) error {
		var name, value string
		err := r.Scan(&name, &value)
		found[name] = value
		return err
	})
}
