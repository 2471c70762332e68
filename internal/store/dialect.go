package store

import (
	"fmt"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
	bunschema "github.com/uptrace/bun/schema"
)

// This file holds what differs between MySQL and SQLite.

// IsMySQL reports whether the server is a MySQL or a MariaDB, not SQLite.
func (db *DB) IsMySQL() bool { return db.pool.DB.Dialect().Name() == dialect.MySQL }

// locked makes a query lock the rows it reads. SQLite has one writer at a time.
func (db *DB) locked(q *Query) *Query {
	if db.IsMySQL() {
		return q.For("UPDATE")
	}
	return q
}

// Binary returns a text that is compared byte by byte.
func (db *DB) Binary(expr string) bun.Safe {
	if db.IsMySQL() {
		return bun.Safe("CAST(" + expr + " AS BINARY)")
	}
	return bun.Safe(expr + " COLLATE BINARY")
}

// Then returns a join whose table is read after those before it.
func (db *DB) Then() bun.Safe {
	if db.IsMySQL() {
		return "STRAIGHT_JOIN"
	}
	return "CROSS JOIN"
}

// dayOff returns the date of a column some days later.
func (db *DB) dayOff(column string, days int) bun.Safe {
	if db.IsMySQL() {
		return bun.Safe(fmt.Sprintf("%s + INTERVAL %d DAY", column, days))
	}
	return bun.Safe(fmt.Sprintf("datetime(%s, '%+d day')", column, days))
}

// WithoutCollation returns a text without its collation: the parts of a statement read tables
// whose collations may differ, and servers refuse to mix them.
func WithoutCollation(mysql bool, column string) bun.Safe {
	if mysql {
		return bun.Safe("CONVERT(" + column + " USING utf8mb4) COLLATE utf8mb4_bin")
	}
	return bun.Safe(column)
}

// weight returns what a collation orders a text by, where one part of a statement
// cannot be ordered alone. SQLite has no such function; there the whole is ordered.
func weight(mysql bool, column string) bun.Safe {
	if mysql {
		return bun.Safe("HEX(WEIGHT_STRING(" + column + "))")
	}
	return "NULL"
}

// unindexed returns a column that rows are not looked up by: SQLite takes the index of
// another one, which has fewer rows for a value, for no better.
func (db *DB) unindexed(column string) bun.Safe {
	if db.IsMySQL() {
		return bun.Safe(column)
	}
	return bun.Safe("+" + column)
}

// TextColumn returns the column in which a text is searched. A column that lacks
// characters of the text cannot be compared with it unless it is converted.
func (db *DB) TextColumn(column, text string) bunschema.QueryAppender {
	if db.config.UTF8MB3 && strings.ContainsFunc(text, func(c rune) bool { return c > 0xffff }) {
		return bun.SafeQuery("CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci", bun.Ident(column))
	}
	return bun.Ident(column)
}
