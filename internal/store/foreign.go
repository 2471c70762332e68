package store

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// noDefault and checkFailed are the numbers of a server's errors for a row that does not name a column without a default, and
// for one that a CHECK refuses.
const (
	noDefault   = 1364
	checkFailed = 4025
)

// named adds to rows of a table the columns of other programs that they have to name, with the zeros of their types.
func (db *DB) named(q *bun.InsertQuery, table string) *bun.InsertQuery {
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

// renamed reports whether an error is that of a row that does not name a column, which another program has added since
// columns were read last: then they are read again, and the row can be tried again.
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
			return before == nil || !containsColumn(*before, c)
		}
	}
	return false
}

func containsColumn(columns []schema.ForeignColumn, c schema.ForeignColumn) bool {
	for _, other := range columns {
		if other == c {
			return true
		}
	}
	return false
}

var quoted = regexp.MustCompile("['`][^'`]+['`]")

// ColumnOf returns the column of another program because of which no row can be added, as a server's error names it, "" for
// other errors.
func ColumnOf(err error) string {
	var answer *mysql.MySQLError
	if !errors.As(err, &answer) || answer.Number != noDefault && answer.Number != checkFailed {
		return ""
	}
	return strings.Trim(quoted.FindString(answer.Message), "'`")
}
