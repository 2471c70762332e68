package store

import (
	"fmt"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
	bunschema "github.com/uptrace/bun/schema"
)

// This file contains the differences between MySQL and SQLite.

// IsMySQL reports whether the server is MySQL or MariaDB, and not SQLite.
func (db *DB) IsMySQL() bool { return db.pool.DB.Dialect().Name() == dialect.MySQL }

// Locked makes a query lock the rows that it reads. SQLite needs no lock, because it has one writer at a time.
func (db *DB) Locked(q *Query) *Query {
	if db.IsMySQL() {
		return q.For("UPDATE")
	}
	return q
}

// Binary returns an expression that is compared byte by byte.
func (db *DB) Binary(expr string) bun.Safe {
	if db.IsMySQL() {
		return bun.Safe("CAST(" + expr + " AS BINARY)")
	}
	return bun.Safe(expr + " COLLATE BINARY")
}

// Then returns a join whose table is read after the tables before it.
func (db *DB) Then() bun.Safe {
	if db.IsMySQL() {
		return "STRAIGHT_JOIN"
	}
	return "CROSS JOIN"
}

// dayOff returns an expression for the date in a column plus a number of days.
func (db *DB) dayOff(column string, days int) bun.Safe {
	if db.IsMySQL() {
		return bun.Safe(fmt.Sprintf("%s + INTERVAL %d DAY", column, days))
	}
	return bun.Safe(fmt.Sprintf("datetime(%s, '%+d day')", column, days))
}

// WithoutCollation returns an expression without the column's collation: the queries of a UNION read tables whose
// collations may differ, and servers do not accept a mixture.
func WithoutCollation(mysql bool, column string) bun.Safe {
	if mysql {
		return bun.Safe("CONVERT(" + column + " USING utf8mb4) COLLATE utf8mb4_bin")
	}
	return bun.Safe(column)
}

// weight returns an expression for the sort key of a column in its collation, for one query of a UNION, which cannot be
// sorted by itself. SQLite has no such function, so there the whole result is sorted.
func weight(mysql bool, column string) bun.Safe {
	if mysql {
		return bun.Safe("HEX(WEIGHT_STRING(" + column + "))")
	}
	return "NULL"
}

// Unindexed returns a column in a form for which SQLite uses no index: it would prefer that index to a more selective
// one of another column.
func (db *DB) Unindexed(column string) bun.Safe {
	if db.IsMySQL() {
		return bun.Safe(column)
	}
	return bun.Safe("+" + column)
}

// TextColumn returns the column in which to search for a text. If the column's character set lacks characters of the
// text, it has to be converted to be compared.
func (db *DB) TextColumn(column, text string) bunschema.QueryAppender {
	if db.config.UTF8MB3 && strings.ContainsFunc(text, func(c rune) bool { return c > 0xffff }) {
		return bun.SafeQuery("CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci", bun.Ident(column))
	}
	return bun.Ident(column)
}
