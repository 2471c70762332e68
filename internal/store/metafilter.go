package store

import (
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// MetaOp is the comparison of a MetaFilter.
type MetaOp int

// Comparisons of a MetaFilter.
const (
	MetaIs       MetaOp = iota // the value is one of Values
	MetaHas                    // one of the values is one of Values
	MetaContains               // the value contains the first of Values, compared by the column's collation
	MetaOn                     // the value turns something on
	MetaOff                    // the value does not turn it on, or there is none
	MetaNumber                 // the value is a number between Least and Most
	MetaDay                    // the value is a day between the first of Values and the second, "" for no limit
)

// MetaFilter selects posts or terms by the values of a meta key. If a key has several rows, its value is the first one.
type MetaFilter struct {
	Key         string
	Op          MetaOp
	Values      []string
	Least, Most *float64 // nil for no limit
	Outside     bool     // a number at most Least or at least Most instead of between them
}

// metaOwner is the table with the meta rows of posts or terms.
type metaOwner struct {
	table  Table
	column string
}

var (
	metaOfPosts = metaOwner{TablePostMeta, "post_id"}
	metaOfTerms = metaOwner{TableTermMeta, "term_id"}
)

// WhereMeta restricts a query to the posts that satisfy a filter; post is the column with their id.
func (db *DB) WhereMeta(q *Query, f MetaFilter, post bun.Ident) *Query {
	return db.whereMeta(q, f, metaOfPosts, post)
}

func (db *DB) whereMeta(q *Query, f MetaFilter, of metaOwner, id bun.Ident) *Query {
	rows := db.Select().From(of.table, "f").ColumnExpr("1").Where("f.? = ?", bun.Ident(of.column), id).
		Where("f.meta_key = ?", f.Key).Where("? = ?", db.Binary("f.meta_key"), f.Key)
	if f.Op != MetaHas {
		rows = rows.Where("NOT EXISTS (?)", db.Select().From(of.table, "g").ColumnExpr("1").
			Where("g.? = f.?", bun.Ident(of.column), bun.Ident(of.column)).Where("g.meta_id < f.meta_id").
			Where("g.meta_key = ?", f.Key).Where("? = ?", db.Binary("g.meta_key"), f.Key))
	}
	return q.Where(exists(f.Op != MetaOff), db.metaValue(rows, f))
}

// onWords are the texts that turn something on, as in wp.Truthy.
var onWords = []string{"1", "enable", "enabled", "on", "y", "yes", "true"}

// metaValue restricts a query to the rows f whose value satisfies a filter.
func (db *DB) metaValue(rows *Query, f MetaFilter) *Query {
	const value bun.Ident = "f.meta_value"
	switch f.Op {
	case MetaContains:
		return rows.Where("? LIKE ? ESCAPE '|'", db.TextColumn(string(value), f.Values[0]), Contains(f.Values[0]))
	case MetaOn, MetaOff:
		return rows.Where("LOWER(?) IN (?)", value, bun.List(onWords))
	case MetaNumber:
		number := db.number(value)
		if f.Outside {
			return rows.Where("(? <= ? OR ? >= ?)", number, *f.Least, number, *f.Most)
		}
		if f.Least != nil {
			rows = rows.Where("? >= ?", number, *f.Least)
		}
		if f.Most != nil {
			rows = rows.Where("? <= ?", number, *f.Most)
		}
		return rows
	case MetaDay:
		rows = rows.Where("? LIKE '____-__-__'", value)
		if f.Values[0] != "" {
			rows = rows.Where("? >= ?", value, f.Values[0])
		}
		if f.Values[1] != "" {
			rows = rows.Where("? <= ?", value, f.Values[1])
		}
		return rows
	}
	stored, plain := make([]string, len(f.Values)), true
	for i, text := range f.Values {
		stored[i] = phpval.StoredText(text)
		plain = plain && !strings.ContainsFunc(text, func(c rune) bool { return c > 0xffff })
	}
	if plain { // an index finds these; the collation matches more than they do
		rows = rows.Where("? IN (?)", value, bun.List(stored))
	}
	return rows.Where("? IN (?)", db.bytes(string(value)), bun.List(stored))
}

// bytes returns an expression for a column that is compared byte by byte with the texts of a statement.
func (db *DB) bytes(column string) bun.Safe {
	if db.IsMySQL() {
		return db.Binary("CONVERT(" + column + " USING utf8mb4)")
	}
	return db.Binary(column)
}

// number returns an expression for the number in a column, NULL if the text is not a number.
func (db *DB) number(column bun.Ident) bun.Safe {
	if !db.IsMySQL() {
		return bun.Safe(schema.NumberOf + "(" + string(column) + ")")
	}
	return bun.Safe("CASE WHEN " + string(column) + " REGEXP '^[[:space:]]*" +
		"[-+]{0,1}([0-9]+[.]{0,1}[0-9]*|[.][0-9]+)([eE][-+]{0,1}[0-9]+){0,1}[[:space:]]*$' THEN " + string(column) + " + 0e0 END")
}
