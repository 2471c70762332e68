package transfer

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/agendahq/agenda/schema"
	"github.com/uptrace/bun"
)

// table is one table of a site, by the model of it.
type table struct {
	name    string // without the prefix
	columns []column
	keys    []int // indexes of the primary key's columns
}

type column struct {
	name    string
	integer bool
}

// tablesOf returns the tables of a site. Posts come first and the small settings late, so that the progress of the long
// ones is shown early.
func tablesOf(db *bun.DB) []table {
	models := []any{
		(*schema.Post)(nil), (*schema.PostMeta)(nil), (*schema.Term)(nil), (*schema.TermMeta)(nil),
		(*schema.TermTaxonomy)(nil), (*schema.TermRelationship)(nil), (*schema.User)(nil), (*schema.UserMeta)(nil),
		(*schema.EventDates)(nil), (*schema.OccurrenceDates)(nil), (*schema.Series)(nil), (*schema.Translation)(nil),
		(*schema.Option)(nil),
	}
	return describe(db, models)
}

// tableTranslations is of sites that store languages in it, tableSeries of sites whose events may have several dates.
// Whether they exist says so, so a copy has those that its source has.
const (
	tableTranslations = "icl_translations"
	tableSeries       = "tec_series_relationships"
)

// some reports whether only some sites have a table.
func (t table) some() bool { return t.name == tableTranslations || t.name == tableSeries }

// dateColumns are the columns of the tables of dates that only sites have whose events may have several dates.
var dateColumns = []string{"rset", "has_recurrence", "sequence", "is_rdate"}

// installedTables returns the tables that a copy makes: those of a site, and that of answers that are kept for a day,
// which no copy has.
func installedTables(db *bun.DB) []table {
	return append(tablesOf(db), describe(db, []any{(*schema.IdempotentRequest)(nil)})...)
}

// describe returns the tables of models.
func describe(db *bun.DB, models []any) []table {
	tables := make([]table, len(models))
	for i, model := range models {
		described := db.Table(reflect.TypeOf(model).Elem())
		t := table{name: strings.TrimPrefix(described.Name, "?(prefix)")}
		for place, f := range described.Fields {
			t.columns = append(t.columns, column{name: f.Name, integer: f.IndirectType.Kind() == reflect.Int64})
			if f.IsPK {
				t.keys = append(t.keys, place)
			}
		}
		tables[i] = t
	}
	return tables
}

// found are the columns of a table that a database has.
type found struct {
	exists bool
	dates  bool     // some of dateColumns are there
	reads  []string // for each of the model's columns the expression that reads it, "" where the database lacks it
	others []string // columns that are not the model's
}

// inspect returns what a table has.
func (s *session) inspect(ctx context.Context, t table) (f found, err error) {
	f.reads = make([]string, len(t.columns))
	rows, err := s.conn.QueryContext(ctx, "SELECT * FROM "+s.quoted(t)+" WHERE 1 = 0")
	if isAbsent(err) {
		return f, nil
	}
	if err != nil {
		return f, s.failed(t, err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return f, s.failed(t, err)
	}
	f.exists = true
	for _, actual := range types {
		place := slices.IndexFunc(t.columns, func(c column) bool { return strings.EqualFold(c.name, actual.Name()) })
		if place < 0 {
			f.others = append(f.others, actual.Name())
			continue
		}
		f.dates = f.dates || slices.Contains(dateColumns, t.columns[place].name)
		f.reads[place] = s.reading(t.columns[place].name, actual.DatabaseTypeName())
	}
	if rows.Next(); rows.Err() != nil {
		return f, s.failed(t, rows.Err())
	}
	for _, place := range t.keys {
		if f.reads[place] == "" {
			return f, fmt.Errorf("table %s%s has no column %s: this is not the table of a site", s.prefix, t.name, t.columns[place].name)
		}
	}
	return f, nil
}

// Ignored returns what a copy of this site leaves out or does not find: columns that other programs added, as
// "wp_posts.colour", and tables and columns of a site that do not exist, as "wp_tec_events (absent)".
func Ignored(ctx context.Context, db *bun.DB, prefix string) (names []string, err error) {
	s, err := read(ctx, db, prefix)
	if err != nil {
		return nil, err
	}
	defer s.close()
	for _, t := range tablesOf(db) {
		f, err := s.inspect(ctx, t)
		if err != nil {
			return nil, err
		}
		full := prefix + t.name
		if !f.exists {
			if !t.some() {
				names = append(names, full+" (absent)")
			}
			continue
		}
		for _, other := range f.others {
			names = append(names, full+"."+other)
		}
		for i, expression := range f.reads {
			if expression == "" && !slices.Contains(dateColumns, t.columns[i].name) {
				names = append(names, full+"."+t.columns[i].name+" (absent)")
			}
		}
	}
	return names, nil
}
