package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
)

// This file holds what differs between the engines: column types, CREATE statements and error codes.

func isSQLite(db bun.IDB) bool { return db.Dialect().Name() == dialect.SQLite }

// kind is the type of a column on each engine. On MySQL it is exactly that of the site's own software.
//
// On SQLite dates are TEXT, so that the driver returns the stored text, and are compared by bytes; other texts are
// compared by Collation, as on the site. Texts without a default get one there, since SQLite has no mode that supplies
// it.
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

// checkCollation returns an error if a connection to SQLite lacks the collation of text columns.
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

// createMySQL returns the statement that creates t with its keys.
func createMySQL(t table, prefix string) string {
	var lines []string
	for _, c := range t.columns {
		lines = append(lines, "`"+c.name+"` "+c.kind.mysql)
	}
	primary := t.primary
	if primary == "" {
		primary = t.columns[0].name
	}
	lines = append(lines, "PRIMARY KEY "+columnsMySQL(strings.Split(primary, ",")))
	for _, k := range t.keys {
		word := "KEY"
		if k.unique {
			word = "UNIQUE KEY"
		}
		lines = append(lines, word+" `"+strings.ReplaceAll(k.name, "*", prefix)+"` "+columnsMySQL(k.columns))
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

// createSQLite returns the statements that create t and its keys. Names of indexes are global there, so they have the
// table's as a prefix.
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
		word := "INDEX"
		if k.unique {
			word = "UNIQUE INDEX"
		}
		name := full + "_" + strings.ReplaceAll(k.name, "*", prefix)
		statements = append(statements, "CREATE "+word+` "`+name+`" ON "`+full+`" `+columnsSQLite(k.columns))
	}
	return statements
}

func columnsSQLite(columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		name, _, _ := strings.Cut(c, "(")
		quoted[i] = `"` + name + `"`
	}
	return "(" + strings.Join(quoted, ", ") + ")"
}

// tableError reports why a SELECT from one table failed: it does not exist, or may not be read.
func tableError(err error) (absent, denied bool) {
	var answer *mysql.MySQLError
	if !errors.As(err, &answer) {
		return strings.Contains(err.Error(), "no such table"), false
	}
	switch answer.Number {
	case 1146: // no such table
		return true, false
	case 1044, 1142, 1143: // no right to the database, the table, a column
		return false, true
	}
	return false, false
}

// attempts is how often a write is tried when another program writes to the same rows.
const attempts = 5

// repeated runs write until it succeeds or fails for a reason other than another writer. A failed write must
// change nothing.
func repeated(write func() error) (err error) {
	for range attempts {
		if err = write(); err == nil || !retryable(err) {
			return err
		}
	}
	return err
}

// retryable reports whether a write failed because of another one at the same time, so that it can be repeated: a
// row that exists by now, a deadlock, a lock wait, a node that left its cluster, a group that chose another writer.
func retryable(err error) bool {
	var answer *mysql.MySQLError
	if !errors.As(err, &answer) {
		text := err.Error()
		return strings.Contains(text, "UNIQUE constraint failed") || strings.Contains(text, "database is locked")
	}
	return slices.Contains([]uint16{1062, 1213, 1205, 1020, 1047, 1180, 3101}, answer.Number)
}
