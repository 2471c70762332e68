package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
)

// This file contains the differences between databases: column types, CREATE statements and error codes.

func isSQLite(db bun.IDB) bool { return db.Dialect().Name() == dialect.SQLite }

// kind is a column type. On MySQL and MariaDB it is exactly that of WordPress or The Events Calendar.
//
// On SQLite, dates are TEXT, so that the driver returns them as stored, and are compared as bytes. Other strings use
// Collation, as WordPress's tables do. Columns without a default get an empty one on SQLite, which has no SQL mode that
// supplies it.
type kind struct{ mysql, sqlite string }

const siteText = "TEXT COLLATE " + Collation

var (
	autoID    = kind{"bigint(20) unsigned NOT NULL AUTO_INCREMENT", "INTEGER PRIMARY KEY AUTOINCREMENT"}
	reference = kind{"bigint(20) unsigned NOT NULL DEFAULT 0", "INTEGER NOT NULL DEFAULT 0"}
	owner     = kind{"bigint(20) unsigned NOT NULL", "INTEGER NOT NULL"}
	required  = kind{"bigint(20) NOT NULL", "INTEGER NOT NULL"}
	idOrNull  = kind{"bigint(20) DEFAULT NULL", "INTEGER DEFAULT NULL"}
	counter   = kind{"bigint(20) NOT NULL DEFAULT 0", "INTEGER NOT NULL DEFAULT 0"}
	group     = kind{"bigint(10) NOT NULL DEFAULT 0", "INTEGER NOT NULL DEFAULT 0"}
	integer   = kind{"int(11) NOT NULL DEFAULT 0", "INTEGER NOT NULL DEFAULT 0"}
	mark      = kind{"tinyint(1) DEFAULT 0", "INTEGER DEFAULT 0"}
	sequence  = kind{"bigint(20) unsigned DEFAULT 0", "INTEGER DEFAULT 0"}
	seconds   = kind{"mediumint(30) DEFAULT 7200", "INTEGER DEFAULT 7200"}

	zeroDate       = kind{"datetime NOT NULL DEFAULT '0000-00-00 00:00:00'", "TEXT NOT NULL DEFAULT '0000-00-00 00:00:00'"}
	date           = kind{"datetime NOT NULL", "TEXT NOT NULL"}
	textDate       = kind{"varchar(19) NOT NULL", "TEXT NOT NULL"}
	textDateOrNull = kind{"varchar(19) DEFAULT NULL", "TEXT DEFAULT NULL"}
	touched        = kind{"timestamp NULL DEFAULT current_timestamp() ON UPDATE current_timestamp()", "TEXT DEFAULT CURRENT_TIMESTAMP"}
	digest         = kind{"varchar(40) NOT NULL", "TEXT NOT NULL"}
	longDigest     = kind{"varchar(64) NOT NULL", "TEXT NOT NULL"}
	blob           = kind{"mediumblob DEFAULT NULL", "BLOB DEFAULT NULL"}

	text           = kind{"text NOT NULL", siteText + " NOT NULL DEFAULT ''"}
	longText       = kind{"longtext NOT NULL", siteText + " NOT NULL DEFAULT ''"}
	longTextOrNull = kind{"longtext DEFAULT NULL", siteText + " DEFAULT NULL"}
)

func word(length int, standard string) kind {
	return kind{fmt.Sprintf("varchar(%d) NOT NULL DEFAULT '%s'", length, standard), siteText + " NOT NULL DEFAULT '" + standard + "'"}
}

func wordOrNull(length int) kind {
	return kind{fmt.Sprintf("varchar(%d) DEFAULT NULL", length), siteText + " DEFAULT NULL"}
}

// checkCollation returns an error if an SQLite connection does not have the collation of text columns.
func checkCollation(ctx context.Context, conn bun.IDB) error {
	if !isSQLite(conn) {
		return nil
	}
	var equal bool
	err := conn.NewRaw("SELECT 'a' = 'A' COLLATE ?", bun.Ident(Collation)).Scan(ctx, &equal)
	if err != nil && strings.Contains(err.Error(), "no such collation") {
		return fmt.Errorf("this connection to SQLite has no collation %s: open the database by Open of package "+
			"github.com/agendahq/agenda/schema/embedded (%w)", Collation, err)
	}
	return err
}

// createMySQL returns the statement that creates t with its indexes.
func createMySQL(t table, prefix string) string {
	var lines []string
	for _, c := range t.columns {
		lines = append(lines, "`"+c.name+"` "+c.kind.mysql)
	}
	lines = append(lines, "PRIMARY KEY "+columnsMySQL(t.primaryKey().columns))
	for _, k := range t.keys {
		lines = append(lines, k.qualifier()+"KEY `"+strings.ReplaceAll(k.name, "*", prefix)+"` "+columnsMySQL(k.columns))
	}
	return "CREATE TABLE IF NOT EXISTS `" + prefix + t.name + "` (\n  " + strings.Join(lines, ",\n  ") +
		"\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci"
}

func columnsMySQL(columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		name, length, partial := strings.Cut(c, "(")
		quoted[i] = "`" + name + "`"
		if partial {
			quoted[i] += "(" + length
		}
	}
	return "(" + strings.Join(quoted, ",") + ")"
}

// createSQLite returns the statements that create t and its indexes. In SQLite, names of indexes are global, so they
// get the table's name as a prefix. It leaves out an index that another one begins with: SQLite indexes whole columns, so
// the longer index finds the same rows, and each index is one more tree that every insertion changes.
func createSQLite(t table, prefix string) []string {
	var lines []string
	for _, c := range t.columns {
		lines = append(lines, `"`+c.name+`" `+c.kind.sqlite)
	}
	if t.primary != "" {
		lines = append(lines, "PRIMARY KEY "+columnsSQLite(strings.Split(t.primary, ",")))
	}
	full := prefix + t.name
	statements := []string{`CREATE TABLE "` + full + "\" (\n  " + strings.Join(lines, ",\n  ") + "\n)"}
	for _, k := range t.keys {
		if !t.hasLonger(k) {
			statements = append(statements, addIndex(true, full, strings.ReplaceAll(k.name, "*", prefix), k, ""))
		}
	}
	return statements
}

// hasLonger reports whether another index of t begins with the columns of k and can replace it, which is not so if k is
// unique or ordered.
func (t table) hasLonger(k key) bool {
	start := strings.TrimSuffix(columnsSQLite(k.columns), ")") + ", "
	return !k.unique && !k.ordered && slices.ContainsFunc(t.keys, func(other key) bool {
		return strings.HasPrefix(columnsSQLite(other.columns), start)
	})
}

func columnsSQLite(columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		name, _, _ := strings.Cut(c, "(")
		quoted[i] = `"` + name + `"`
	}
	return "(" + strings.Join(quoted, ", ") + ")"
}

// tableError reports why a SELECT from a table failed: the table does not exist, or the account may not read it.
func tableError(err error) (absent, denied bool) {
	switch number(err) {
	case 0:
		return strings.Contains(err.Error(), "no such table"), false
	case 1146: // ER_NO_SUCH_TABLE
		return true, false
	case 1044, 1142, 1143: // no privilege for the database, the table, or a column
		return false, true
	}
	return false, false
}

// attempts is how often a write is attempted if it conflicts with another one.
const attempts = 5

// repeated calls write until it succeeds, or fails for another reason than a conflict. A write that failed must not
// have changed anything.
func repeated(write func() error) (err error) {
	for range attempts {
		if err = write(); err == nil || !retryable(err) {
			return err
		}
	}
	return err
}

// retryable reports whether a write failed because of a concurrent one, so that it can be attempted again: a duplicate
// key, a deadlock, a lock wait timeout, or a node that left its cluster or is no longer the primary.
func retryable(err error) bool {
	n, text := number(err), err.Error()
	if n == 0 {
		return strings.Contains(text, "UNIQUE constraint failed") || strings.Contains(text, "database is locked")
	}
	return slices.Contains([]uint16{1062, 1213, 1205, 1020, 1047, 1180, 3101}, n)
}
