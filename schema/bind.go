package schema

import (
	"fmt"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
)

// DefaultPrefix is WordPress's default table prefix.
const DefaultPrefix = "wp_"

// maxPrefix is the greatest length of a prefix with which the longest table name is still a valid identifier (64
// characters).
const maxPrefix = 32

// ValidPrefix reports whether p can be a table prefix: 1 to 32 ASCII letters, digits and underscores. Only such a
// string may be used unquoted in a statement.
func ValidPrefix(p string) bool {
	if p == "" || len(p) > maxPrefix {
		return false
	}
	for _, c := range []byte(p) {
		if c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// Bind returns db with the table prefix for the models, and for ?(prefix) in other queries. The result shares the
// connection pool, hooks and counters with db, which is not changed. So two sites can use one pool in a process. Bind
// fails if the prefix is invalid, or if the database is not MySQL, MariaDB or SQLite.
//
// It does not set bun.WithDiscardUnknownColumns, because that would change db for its owner too, even while queries
// run. So select the columns of the models (bun's default), never *, since plugins add columns to these tables.
func Bind(db *bun.DB, prefix string) (*bun.DB, error) {
	if db == nil {
		return nil, fmt.Errorf("schema: no database")
	}
	if !ValidPrefix(prefix) {
		return nil, fmt.Errorf("schema: table prefix %q: it must be 1 to %d letters, digits or underscores", prefix, maxPrefix)
	}
	if name := db.Dialect().Name(); name != dialect.MySQL && name != dialect.SQLite {
		return nil, fmt.Errorf("schema: %s is not supported: use MySQL, MariaDB or SQLite", name)
	}
	return db.WithNamedArg("prefix", bun.Safe(prefix)), nil
}
