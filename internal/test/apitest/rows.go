package apitest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/schema"
)

// Tables reads and changes a site's tables as another program could.
type Tables struct {
	T  testing.TB
	DB *bun.DB // with the site's prefix
}

// Exec changes rows.
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

// Meta returns the values of a post's meta rows with a key, in order.
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

// Rows are all rows of all tables of a database, as sorted texts, by table.
type Rows map[string][]string

// Rows returns all that is stored.
func (s *Tables) Rows() Rows {
	s.T.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if s.DB.Dialect().Name() == dialect.MySQL {
		query = "SHOW TABLES"
	}
	all := Rows{}
	for _, table := range s.Scan(query) {
		all[table] = s.rows(table)
	}
	if len(all) < 10 {
		s.T.Fatalf("only %d tables", len(all))
	}
	return all
}

func (s *Tables) rows(table string) (list []string) {
	s.T.Helper()
	rows, err := s.DB.DB.QueryContext(s.T.Context(), "SELECT * FROM `"+table+"`")
	if err != nil {
		s.T.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		s.T.Fatal(err)
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			s.T.Fatal(err)
		}
		var line strings.Builder
		for i, v := range values {
			if b, ok := v.([]byte); ok {
				v = string(b)
			}
			fmt.Fprintf(&line, "%s=%v ", columns[i], v)
		}
		list = append(list, line.String())
	}
	if err := rows.Err(); err != nil {
		s.T.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// Differences lists the rows that only one of two states has, each with its table and "-" or "+".
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

// Dump returns MariaDB's checksums of all tables, one a line.
func (s *Tables) Dump() string {
	s.T.Helper()
	var b strings.Builder
	for _, table := range s.Scan("SHOW TABLES") {
		var name, sum string
		if err := s.DB.DB.QueryRowContext(s.T.Context(), "CHECKSUM TABLE `"+table+"` EXTENDED").Scan(&name, &sum); err != nil {
			s.T.Fatal(err)
		}
		fmt.Fprintln(&b, table, sum)
	}
	return b.String()
}
