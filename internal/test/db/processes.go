package db

import (
	"database/sql"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
)

// Statement is a statement that a connection is executing.
type Statement struct {
	Connection int64
	Text       string
}

// Statements returns the statements that other connections are executing on a database. It uses SHOW PROCESSLIST,
// because MySQL's information_schema.PROCESSLIST fails while anybody executes a statement with characters beyond
// utf8mb3.
func Statements(t testing.TB, db *bun.DB) (list []Statement) {
	t.Helper()
	conn := must.Get(db.DB.Conn(t.Context()))(t)
	defer conn.Close()
	var own int64
	var name string
	must.Succeed(t, conn.QueryRowContext(t.Context(), "SELECT CONNECTION_ID(), DATABASE()").Scan(&own, &name))
	rows := must.Get(conn.QueryContext(t.Context(), "SHOW FULL PROCESSLIST"))(t)
	defer rows.Close()
	columns := must.Get(rows.Columns())(t)
	var s Statement
	var at, text sql.NullString
	into := map[string]any{"Id": &s.Connection, "db": &at, "Info": &text}
	fields := make([]any, len(columns))
	for i, c := range columns {
		if fields[i] = into[c]; fields[i] == nil {
			fields[i] = new(sql.RawBytes)
		}
	}
	for rows.Next() {
		must.Succeed(t, rows.Scan(fields...))
		if s.Text = text.String; text.Valid && at.String == name && s.Connection != own {
			list = append(list, s)
		}
	}
	must.Succeed(t, rows.Err())
	return list
}
