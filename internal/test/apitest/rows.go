package apitest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// Tables reads and changes the tables of a site like another program.
type Tables struct {
	T  testing.TB
	DB *bun.DB // with the site's table prefix

	selects map[string]string // statements of Rows, by table
}

// Exec executes a statement that changes rows.
func (s *Tables) Exec(query string, args ...any) {
	s.T.Helper()
	if _, err := s.DB.NewRaw(query, args...).Exec(s.T.Context()); err != nil {
		s.T.Fatalf("%s: %v", query, err)
	}
}

// Insert inserts rows of a model.
func (s *Tables) Insert(rows any) {
	s.T.Helper()
	if _, err := s.DB.NewInsert().Model(rows).Exec(s.T.Context()); err != nil {
		s.T.Fatalf("%T: %v", rows, err)
	}
}

// Scan returns the values of one column.
func (s *Tables) Scan(query string, args ...any) []string {
	s.T.Helper()
	values := []string{}
	if err := s.DB.NewRaw(query, args...).Scan(s.T.Context(), &values); err != nil {
		s.T.Fatalf("%s: %v", query, err)
	}
	return values
}

// Meta returns a post's values of a meta key, in order.
func (s *Tables) Meta(id int64, key string) []string {
	s.T.Helper()
	return s.Scan("SELECT meta_value FROM ?(prefix)postmeta WHERE post_id = ? AND meta_key = ? ORDER BY meta_id", id, key)
}

// Post returns the row of a post.
func (s *Tables) Post(id int64) (p schema.Post) {
	s.T.Helper()
	if err := s.DB.NewSelect().Model(&p).Where("ID = ?", id).Scan(s.T.Context()); err != nil {
		s.T.Fatalf("post %d: %v", id, err)
	}
	return p
}

// Rows contains all rows of all tables of a database as sorted strings, by table.
type Rows map[string][]string

// Rows returns everything that is stored. It takes a single statement, because it is called before and after each of
// thousands of writes.
func (s *Tables) Rows() Rows {
	s.T.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if s.DB.Dialect().Name() == dialect.MySQL {
		query = "SHOW TABLES"
	}
	tables := s.Scan(query)
	if len(tables) < 10 {
		s.T.Fatalf("only %d tables", len(tables))
	}
	all, selects := Rows{}, make([]string, len(tables))
	for i, table := range tables {
		all[table], selects[i] = nil, s.selectOf(table)
	}
	rows := must.Get(s.DB.DB.QueryContext(s.T.Context(), strings.Join(selects, " UNION ALL ")))(s.T)
	defer rows.Close()
	for rows.Next() {
		var table, row string
		must.Succeed(s.T, rows.Scan(&table, &row))
		all[table] = append(all[table], row)
	}
	must.Succeed(s.T, rows.Err())
	for _, list := range all {
		slices.Sort(list)
	}
	return all
}

// selectOf returns the statement that reads a table's name and its rows as strings.
func (s *Tables) selectOf(table string) string {
	s.T.Helper()
	if s.selects[table] != "" {
		return s.selects[table]
	}
	rows := must.Get(s.DB.DB.QueryContext(s.T.Context(), "SELECT * FROM `"+table+"` LIMIT 0"))(s.T)
	defer rows.Close()
	types := must.Get(rows.ColumnTypes())(s.T)
	columns := make([]string, len(types))
	for i, column := range types {
		value := "QUOTE(`%s`)"
		switch {
		case s.DB.Dialect().Name() != dialect.MySQL:
		case strings.HasSuffix(column.DatabaseTypeName(), "BINARY"), strings.HasSuffix(column.DatabaseTypeName(), "BLOB"):
			// MySQL does not quote bytes that are not valid text.
			value = "IFNULL(HEX(`%s`), 'NULL')"
		default:
			value = "QUOTE(CAST(`%s` AS BINARY))" // strings with different collations cannot be concatenated
		}
		columns[i] = "'" + column.Name() + "', " + fmt.Sprintf(value, column.Name())
	}
	if s.selects == nil {
		s.selects = map[string]string{}
	}
	s.selects[table] = "SELECT '" + table + "', CONCAT_WS(' ', " + strings.Join(columns, ", ") + ") FROM `" + table + "`"
	return s.selects[table]
}

// Differences returns the rows that only one of two states contains, each with its table and "-" or "+".
func (was Rows) Differences(is Rows) (lines []string) {
	for _, table := range slices.Sorted(maps.Keys(is)) {
		if slices.Equal(was[table], is[table]) {
			continue
		}
		for sign, of := range map[string][2][]string{" - ": {was[table], is[table]}, " + ": {is[table], was[table]}} {
			for _, row := range of[0] {
				if _, found := slices.BinarySearch(of[1], row); !found {
					lines = append(lines, table+sign+Clip(row))
				}
			}
		}
		if len(lines) == 0 {
			lines = append(lines, fmt.Sprintf("%s: %d rows, then %d", table, len(was[table]), len(is[table])))
		}
	}
	return lines
}

// Dump returns MariaDB's checksums of all tables, one per line.
func (s *Tables) Dump() string {
	s.T.Helper()
	var b strings.Builder
	for _, table := range s.Scan("SHOW TABLES") {
		var name, sum string
		must.Succeed(s.T, s.DB.DB.QueryRowContext(s.T.Context(), "CHECKSUM TABLE `"+table+"` EXTENDED").Scan(&name, &sum))
		fmt.Fprintln(&b, table, sum)
	}
	return b.String()
}
