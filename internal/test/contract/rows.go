package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
)

// rowsOf returns all rows of all tables of a database, as texts in an order of
// their own, by table.
func rowsOf(t testing.TB, db *bun.DB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range tablesOf(t, db) {
		all[table] = rowsIn(t, db, table)
	}
	return all
}

func tablesOf(t testing.TB, db *bun.DB) (names []string) {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if db.Dialect().Name() == dialect.MySQL {
		query = "SHOW TABLES"
	}
	if err := db.NewRaw(query).Scan(t.Context(), &names); err != nil || len(names) < 10 {
		t.Fatalf("tables %q: %v", names, err)
	}
	return names
}

func rowsIn(t testing.TB, db *bun.DB, table string) []string {
	t.Helper()
	rows, err := db.DB.QueryContext(t.Context(), "SELECT * FROM `"+table+"`")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var list []string
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
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
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// differences lists the rows that only one of two states of a database has.
func differences(was, is map[string][]string) (lines []string) {
	for _, table := range slices.Sorted(maps.Keys(is)) {
		for _, row := range was[table] {
			if _, found := slices.BinarySearch(is[table], row); !found {
				lines = append(lines, table+" - "+apitest.Clip(row))
			}
		}
		for _, row := range is[table] {
			if _, found := slices.BinarySearch(was[table], row); !found {
				lines = append(lines, table+" + "+apitest.Clip(row))
			}
		}
		if len(was[table]) != len(is[table]) && len(lines) == 0 {
			lines = append(lines, fmt.Sprintf("%s: %d rows, then %d", table, len(was[table]), len(is[table])))
		}
	}
	return lines
}
