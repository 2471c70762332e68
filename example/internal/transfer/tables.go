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

// table describes a table of a site according to its model.
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
	return describeTables(db, models)
}

// tableTranslations exists on sites that store languages in it, and tableSeries on sites that allow recurring events. A
// copy only has those of them that its source has, because a site with such a table is treated accordingly.
const (
	tableTranslations = "icl_translations"
	tableSeries       = "tec_series_relationships"
)

// some reports whether only some sites have a table.
func (t table) some() bool { return t.name == tableTranslations || t.name == tableSeries }

// dateColumns lists the columns that the tables of dates only have on sites that allow recurring events.
var dateColumns = []string{"rset", "has_recurrence", "sequence", "is_rdate"}

// installedTables returns the tables that a copy creates: those of a site, and the table of stored answers to
// idempotent requests, whose rows expire after a day and are not copied.
func installedTables(db *bun.DB) []table {
	return append(tablesOf(db), describeTables(db, []any{(*schema.IdempotentRequest)(nil)})...)
}

// describeTables returns the tables of models.
func describeTables(db *bun.DB, models []any) []table {
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

// found describes a table as the database has it.
type found struct {
	exists bool
	dates  bool     // some of dateColumns exist
	reads  []string // for each of the model's columns the expression that reads it, or "" if the database lacks it
	others []string // columns that the model does not have
}

// inspect determines the columns of a table.
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
// "wp_posts.colour", and missing tables and columns, as "wp_tec_events (absent)".
func Ignored(ctx context.Context, db *bun.DB, prefix string) (names []string, err error) {
	s, err := readSession(ctx, db, prefix)
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
