package db

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
)

// IsMySQL reports whether the server of db is MySQL rather than MariaDB. The expected results must not depend on it,
// but the way in which a test causes something may, if one of the servers lacks a statement or a setting.
func IsMySQL(t testing.TB, db *bun.DB) bool {
	t.Helper()
	var version string
	must.Succeed(t, db.DB.QueryRowContext(t.Context(), "SELECT VERSION()").Scan(&version))
	return !strings.Contains(version, "MariaDB")
}

// Explain returns the rows of a statement's plan, by column name. NULL becomes "".
func Explain(t testing.TB, db *bun.DB, query string) (plan []map[string]string) {
	t.Helper()
	rows, err := db.DB.QueryContext(t.Context(), "EXPLAIN FORMAT=TRADITIONAL "+query)
	if err != nil {
		t.Fatalf("%v: %s", err, query)
	}
	defer rows.Close()
	columns := must.Get(rows.Columns())(t)
	for rows.Next() {
		cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		must.Succeed(t, rows.Scan(into...))
		line := make(map[string]string, len(columns))
		for i, name := range columns {
			line[name] = cells[i].String
		}
		plan = append(plan, line)
	}
	if err := rows.Err(); err != nil || len(plan) == 0 {
		t.Fatalf("%d lines: %v: %s", len(plan), err, query)
	}
	return plan
}
