package schema

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// Advice lists the indexes that a database lacks, compared with those that Install creates.
type Advice struct {
	Missing []MissingIndex `json:"missing"`

	embedded bool
}

// MissingIndex is an index that a table lacks. No existing index can replace it: none begins with the same columns in
// the same order, and indexes them to at least the same length.
type MissingIndex struct {
	Table   string   `json:"table"`   // with the table prefix
	Name    string   `json:"name"`    // of the index that DDL creates
	Columns []string `json:"columns"` // "name(40)" means the first 40 characters of a column (MySQL and MariaDB only)
	Unique  bool     `json:"unique,omitempty"`
	Primary bool     `json:"primary,omitempty"`
	Own     bool     `json:"own,omitempty"`     // added by Agenda; the others exist on every WordPress site with The Events Calendar
	Queries []string `json:"queries,omitempty"` // the queries that need it, as in Plan.Query
	Why     string   `json:"why"`
	DDL     string   `json:"ddl"` // the statement that adds it
}

// DDL returns the statements that add what is missing, to be run on one connection. Primary keys come first. On MySQL
// and MariaDB, the first statement sets the sql_mode of the session.
func (a Advice) DDL() []string {
	var statements []string
	if len(a.Missing) > 0 && !a.embedded {
		statements = append(statements, definitionMode)
	}
	for _, primary := range []bool{true, false} {
		for _, m := range a.Missing {
			if m.Primary == primary {
				statements = append(statements, m.DDL)
			}
		}
	}
	return statements
}

// Advise compares the indexes of a database with those that Install creates. It changes nothing: it only reads the
// catalogue, on a read-only connection. Tables that do not exist or that the account cannot see are ignored, and so are
// views; Check reports missing tables.
func Advise(ctx context.Context, db *bun.DB, prefix string) (Advice, error) {
	bound, err := Bind(db, prefix)
	if err != nil {
		return Advice{}, err
	}
	var advice Advice
	err = readOnly(ctx, bound, timeLimit, func(ctx context.Context, conn bun.IDB) error {
		advice, err = advise(ctx, conn, prefix)
		return err
	})
	if err != nil {
		return Advice{}, fmt.Errorf("schema: advise: %w", err)
	}
	return advice, nil
}

func advise(ctx context.Context, conn bun.IDB, prefix string) (advice Advice, err error) {
	advice.embedded = isSQLite(conn)
	there, err := readIndexes(ctx, conn, prefix)
	if err != nil {
		return advice, err
	}
	for _, t := range tables {
		full := prefix + t.name
		indexed, ok := there[strings.ToLower(full)]
		if !ok {
			continue
		}
		if primary := t.primaryKey(); !isSQLite(conn) && !indexed.covers(primary) {
			advice.Missing = append(advice.Missing, MissingIndex{
				Table: full, Name: primary.name, Columns: primary.columns, Unique: true, Primary: true,
				Why: "finds a row by its number, and keeps two from having the same", DDL: addPrimary(full, primary),
			})
		}
		for _, k := range t.keys {
			if indexed.covers(k) {
				continue
			}
			use := purposes[t.name+"."+k.name]
			if use.why == "" {
				use.why = "every site of The Events Calendar has and relies on"
			}
			k.name = strings.ReplaceAll(k.name, "*", prefix)
			name := indexed.freeName(k.name)
			advice.Missing = append(advice.Missing, MissingIndex{
				Table: full, Name: name, Columns: k.columns, Unique: k.unique,
				Own:     strings.HasPrefix(k.name, ownKeys) || strings.HasPrefix(t.name, ownKeys),
				Queries: use.queries, Why: use.why, DDL: addIndex(isSQLite(conn), full, name, k, indexed.engine),
			})
		}
	}
	return advice, nil
}

// ownKeys is the prefix of the names of indexes and tables that Agenda adds to those of WordPress and The Events
// Calendar.
const ownKeys = "agenda_"

// primaryKey returns the primary key as an index.
func (t table) primaryKey() key {
	return key{name: "PRIMARY", columns: strings.Split(cmp.Or(t.primary, t.columns[0].name), ","), unique: true}
}

// indexedTable is a table as the database's catalogue describes it.
type indexedTable struct {
	engine  string // storage engine; "" on SQLite
	indexes []existingIndex
}

type existingIndex struct {
	name    string
	unique  bool
	kind    string // BTREE or FULLTEXT; "" if the optimizer does not use it
	columns []indexedColumn
}

// indexedColumn is a column of an index. length is the number of indexed characters, 0 for all.
type indexedColumn struct {
	name   string
	length int
}

// declared parses a column of a declaration, such as "name(40)".
func declared(column string) indexedColumn {
	name, rest, _ := strings.Cut(column, "(")
	length, _ := strconv.Atoi(strings.TrimSuffix(rest, ")"))
	return indexedColumn{name, length}
}

func (t indexedTable) covers(k key) bool {
	return slices.ContainsFunc(t.indexes, func(x existingIndex) bool { return x.covers(k) })
}

// covers reports whether x can serve every query that k would serve. If k is unique, x has to be unique on exactly the
// same columns.
func (x existingIndex) covers(k key) bool {
	if x.kind != btree || len(x.columns) < len(k.columns) || k.unique && (!x.unique || len(x.columns) > len(k.columns)) {
		return false
	}
	for i, c := range k.columns {
		want, has := declared(c), x.columns[i]
		whole := has.length == 0
		if !strings.EqualFold(has.name, want.name) || !whole && (want.length == 0 || has.length < want.length) {
			return false
		}
	}
	return true
}

// freeName returns name, or name with a number if the table has an index with that name, which may have other columns.
func (t indexedTable) freeName(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(t.indexes, func(x existingIndex) bool { return strings.EqualFold(x.name, name) })
	}
	for i := 2; taken(name); i++ {
		name = strings.TrimSuffix(name, "_"+strconv.Itoa(i-1)) + "_" + strconv.Itoa(i)
	}
	return name
}

// OwnIndexes reports which of the indexes that Agenda adds, or equivalent ones, a database has. The keys are
// "table.index" without the table prefix, such as "postmeta.agenda_value". Like Advise it only reads the catalogue. The
// deadline of ctx, if it has one, is the time limit.
func OwnIndexes(ctx context.Context, db *bun.DB, prefix string) (map[string]bool, error) {
	bound, err := Bind(db, prefix)
	if err != nil {
		return nil, err
	}
	limit := timeLimit
	if end, ok := ctx.Deadline(); ok {
		limit = time.Until(end)
	}
	own := map[string]bool{}
	err = readOnly(ctx, bound, limit, func(ctx context.Context, conn bun.IDB) error {
		there, err := readIndexes(ctx, conn, prefix)
		for _, t := range tables {
			for _, k := range t.keys {
				if strings.HasPrefix(k.name, ownKeys) {
					own[t.name+"."+k.name] = there[strings.ToLower(prefix+t.name)].covers(k)
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("schema: indexes: %w", err)
	}
	return own, nil
}
