package schema

import (
	"fmt"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
)

// DefaultPrefix is the usual table prefix.
const DefaultPrefix = "wp_"

// maxPrefix leaves room for the longest name with a prefix in the 64 characters of an identifier.
const maxPrefix = 32

// ValidPrefix reports whether p can be a table prefix: 1 to 32 ASCII letters, digits and underscores. Only such a text
// may be used unquoted in a statement.
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

// Bind returns db with the table prefix for the models, and for ?(prefix) in other queries. It shares pool, hooks and
// counters with db, which is not changed, so two sites can use one pool in one process. It fails for an invalid prefix
// and for an engine other than MySQL, MariaDB and SQLite.
//
// bun.WithDiscardUnknownColumns is not set: it would change db for its owner too, while queries run. Select the columns
// of the models (bun's default), never *, since other programs add columns of their own.
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
