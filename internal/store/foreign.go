package store

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// noDefault and checkFailed are the error numbers for a row without a value for a column that has no default, and for a
// row that violates a CHECK.
const (
	noDefault   = 1364
	checkFailed = 4025
)

// withForeign adds to rows of a table the columns of other programs that need a value, with the zero value of their types.
func (db *DB) withForeign(q *bun.InsertQuery, table string) *bun.InsertQuery {
	columns := db.foreign.Load()
	if columns == nil {
		return q
	}
	for _, c := range *columns {
		if strings.EqualFold(c.Table, db.prefix+table) && c.Zero != "" {
			q = q.Value(c.Column, c.Zero)
		}
	}
	return q
}

// renamed reports whether an error is that of a row without a value for a column that another program has added since
// the columns were last read. Then they have been read again, and the row can be tried again.
func (db *DB) renamed(ctx context.Context, err error) bool {
	var answer *mysql.MySQLError
	if !errors.As(err, &answer) || answer.Number != noDefault {
		return false
	}
	before := db.foreign.Load()
	found, err := schema.ForeignColumns(ctx, db.pool.DB, db.prefix)
	if err != nil {
		return false
	}
	db.foreign.Store(&found)
	column := quoted.FindString(answer.Message)
	for _, c := range found {
		if "'"+c.Column+"'" == column && c.Zero != "" {
			return before == nil || !slices.Contains(*before, c)
		}
	}
	return false
}

var quoted = regexp.MustCompile("['`][^'`]+['`]")

// ColumnOf returns the column of another program that keeps a row from being added, according to a server's error, ""
// for other errors.
func ColumnOf(err error) string {
	var answer *mysql.MySQLError
	if !errors.As(err, &answer) || answer.Number != noDefault && answer.Number != checkFailed {
		return ""
	}
	return strings.Trim(quoted.FindString(answer.Message), "'`")
}
