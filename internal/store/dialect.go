package store

import (
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
	bunschema "github.com/uptrace/bun/schema"
)

// What differs between MySQL and SQLite stands in this file.

func (s *Store) isMySQL() bool { return s.db.Dialect().Name() == dialect.MySQL }

// locked makes a query lock the rows it reads. SQLite has one writer at a time.
func (s *Store) locked(q *bun.SelectQuery) *bun.SelectQuery {
	if s.isMySQL() {
		return q.For("UPDATE")
	}
	return q
}

// Then joins a table whose rows are looked up for those before it, and not the
// other way round.
func (s *Store) Then() bun.Safe {
	if s.isMySQL() {
		return "STRAIGHT_JOIN"
	}
	return "CROSS JOIN"
}

// plain reads a text without its collation. The parts of a statement read from
// tables whose collations may differ, and servers refuse to mix them.
func (s *Store) plain(column string) bun.Safe {
	if s.isMySQL() {
		return bun.Safe("CONVERT(" + column + " USING utf8mb4) COLLATE utf8mb4_bin")
	}
	return bun.Safe(column)
}

// weight is what a text's collation orders it by, where one part of a statement
// cannot be ordered alone. SQLite knows none; there the whole is ordered.
func (s *Store) weight(column string) bun.Safe {
	if s.isMySQL() {
		return bun.Safe("HEX(WEIGHT_STRING(" + column + "))")
	}
	return "NULL"
}

// integer is the number at the beginning of a text, 0 without one.
func (s *Store) integer(column string) bun.Safe {
	if s.isMySQL() {
		return bun.Safe("CAST(" + column + " AS UNSIGNED)")
	}
	return bun.Safe("CAST(" + column + " AS INTEGER)")
}

// Narrow says that columns of the site lack characters of four bytes, such as emoji.
func (s *Store) Narrow() { s.narrow = true }

// TextColumn is a column that a text is looked for in. One that lacks characters of the
// text cannot be compared with it before it is converted; then it does not hold it.
func (s *Store) TextColumn(column, text string) bunschema.QueryAppender {
	if s.narrow && strings.ContainsFunc(text, func(c rune) bool { return c > 0xffff }) {
		return bun.SafeQuery("CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci", bun.Ident(column))
	}
	return bun.Ident(column)
}
