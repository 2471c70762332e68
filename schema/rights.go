package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
	bunschema "github.com/uptrace/bun/schema"
)

// written contains the privileges that writes need on a site's tables.
var written = []struct{ table, rights string }{
	{"posts", "INSERT UPDATE DELETE"}, {"postmeta", "INSERT UPDATE DELETE"}, {"options", "INSERT UPDATE"},
	{"terms", "INSERT UPDATE DELETE"}, {"term_taxonomy", "INSERT UPDATE DELETE"}, {"term_relationships", "INSERT DELETE"},
	{"termmeta", "DELETE"}, {occurrencesTable, "INSERT UPDATE DELETE"}, {eventsTable, "INSERT UPDATE DELETE"},
}

// MissingRights returns the privileges that writes need and the account lacks, such as "INSERT on wp_posts"; none on
// SQLite. Privileges may be granted to roles, for patterns of names and for single columns, so it does not read the
// grants. Instead it lets the server EXPLAIN statements, which writes nothing and requires the same privileges. Other
// errors, such as those of a read-only server or a missing table, are ignored.
func MissingRights(ctx context.Context, db *bun.DB, prefix string) (missing []string, err error) {
	bound, err := Bind(db, prefix)
	if err != nil || isSQLite(db) {
		return nil, err
	}
	for _, w := range written {
		if missing, err = appendMissing(ctx, bound, prefix, missing, w.rights, w.table); err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// MissingTermMetaRights returns the additional privileges that writes of categories and tags need if the host has
// declared fields of its own for them.
func MissingTermMetaRights(ctx context.Context, db *bun.DB, prefix string) (missing []string, err error) {
	bound, err := Bind(db, prefix)
	if err != nil || isSQLite(db) {
		return nil, err
	}
	return appendMissing(ctx, bound, prefix, nil, "INSERT UPDATE", "termmeta")
}

// appendMissing appends those of some privileges on a table that the account lacks.
func appendMissing(ctx context.Context, bound *bun.DB, prefix string, missing []string, rights, table string) ([]string, error) {
	for right := range strings.FieldsSeq(rights) {
		_, err := bound.ExecContext(ctx, "EXPLAIN ?", statementOf(right, tableOf(table), prefix))
		if _, denied := tableErrorOf(err); denied {
			missing = append(missing, right+" on "+prefix+table)
		} else if number(err) == 0 && err != nil {
			return nil, fmt.Errorf("schema: rights: %w", err)
		}
	}
	return missing, nil
}

// tableErrorOf is tableError for any error, including nil.
func tableErrorOf(err error) (absent, denied bool) {
	if number(err) == 0 {
		return false, false
	}
	return tableError(err)
}

func tableOf(name string) table {
	for _, t := range slices.Concat(tables, journalDefinitions, webhookDefinitions, companionDefinitions) {
		if t.name == name {
			return t
		}
	}
	panic("schema: no table " + name)
}

// statementOf returns a statement that requires a privilege on every column that writes set. It would not change
// anything if it were executed.
func statementOf(right string, t table, prefix string) bunschema.QueryWithArgs {
	name := bun.Ident(prefix + t.name)
	var columns []bun.Ident
	var sets []bunschema.QueryWithArgs
	for _, c := range t.columns {
		if c.kind == autoID {
			continue
		}
		column := bun.Ident(c.name)
		columns = append(columns, column)
		sets = append(sets, bun.SafeQuery("? = ?", column, column))
	}
	switch right {
	case "INSERT":
		return bun.SafeQuery("INSERT INTO ? (?) SELECT ? FROM ? WHERE 1 = 0", name, bun.List(columns), bun.List(columns), name)
	case "UPDATE":
		return bun.SafeQuery("UPDATE ? SET ? WHERE 1 = 0", name, bun.List(sets))
	}
	return bun.SafeQuery("DELETE FROM ? WHERE 1 = 0", name)
}
