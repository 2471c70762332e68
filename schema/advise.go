package schema

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// Advice lists the indexes that a database lacks, compared with those that Install
// creates.
type Advice struct {
	Missing []MissingIndex `json:"missing"`
}

// MissingIndex is an index that no existing one can replace: none has the same columns first, in the same order, and
// whole wherever this one has them whole.
type MissingIndex struct {
	Table   string   `json:"table"`   // with the prefix
	Name    string   `json:"name"`    // in DDL
	Columns []string `json:"columns"` // "name(40)": the first 40 characters of a column, on MySQL
	Unique  bool     `json:"unique,omitempty"`
	Primary bool     `json:"primary,omitempty"`
	Own     bool     `json:"own,omitempty"`     // this package's; the others are those of every site of this kind
	Queries []string `json:"queries,omitempty"` // kinds of queries that it serves, as in Plan.Query
	Why     string   `json:"why"`
	DDL     string   `json:"ddl"` // the statement that adds it
}

// DDL returns the statements that add what is missing, first for tables without their
// primary keys.
func (a Advice) DDL() []string {
	var statements []string
	for _, primary := range []bool{true, false} {
		for _, m := range a.Missing {
			if m.Primary == primary {
				statements = append(statements, m.DDL)
			}
		}
	}
	return statements
}

// Advise compares the indexes of a database with those that Install creates and changes nothing: it reads only the
// catalogue, on a connection that cannot write. Tables that do not exist or that the account cannot see are left out,
// and so are views; Check names the missing ones.
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
				use.why = "every site of this kind has and its own software relies on"
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

// ownKeys is the prefix of the indexes and tables that the site's own software does not have.
const ownKeys = "agenda_"

// primaryKey returns the primary key as an index.
func (t table) primaryKey() key {
	columns := t.primary
	if columns == "" {
		columns = t.columns[0].name
	}
	return key{name: "PRIMARY", columns: strings.Split(columns, ","), unique: true}
}

// indexedTable is a table as the catalogue describes it.
type indexedTable struct {
	engine  string // empty on SQLite
	indexes []existingIndex
}

// existingIndex is an index of a table.
type existingIndex struct {
	name    string
	unique  bool
	kind    string // BTREE is sorted, FULLTEXT holds words; empty: not used
	columns []indexedColumn
}

// indexedColumn is a column of an index, with the number of indexed characters; 0:
// all.
type indexedColumn struct {
	name   string
	length int
}

// declared parses "name(40)".
func declared(column string) indexedColumn {
	name, rest, _ := strings.Cut(column, "(")
	length, _ := strconv.Atoi(strings.TrimSuffix(rest, ")"))
	return indexedColumn{name, length}
}

func (t indexedTable) covers(k key) bool {
	return slices.ContainsFunc(t.indexes, func(x existingIndex) bool { return x.covers(k) })
}

// covers reports whether x serves every query that k would serve. A unique index has to have exactly those columns.
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

// freeName returns a name that no index of the table has; an index of that name may have other columns.
func (t indexedTable) freeName(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(t.indexes, func(x existingIndex) bool { return strings.EqualFold(x.name, name) })
	}
	for i := 2; taken(name); i++ {
		name = strings.TrimSuffix(name, "_"+strconv.Itoa(i-1)) + "_" + strconv.Itoa(i)
	}
	return name
}

// OwnIndexes reports which of this package's own indexes, or equivalent ones, a database has, by "table.index" without
// the prefix: "postmeta.agenda_value". It reads the catalogue as Advise does, for as long as ctx allows where it has a
// deadline.
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
