package transfer

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/agendahq/agenda/schema"
)

// readBatch is the number of rows that one statement reads: few enough to finish soon on a busy server.
const readBatch = 2000

// each calls fn with every row of a table in the order of the primary key, with one value for each of the model's
// columns. Values of columns that the database lacks are NULL. fn must not retain the slice.
func (s *session) each(ctx context.Context, t table, f found, fn func(values []sql.NullString) error) error {
	if !f.exists {
		return nil
	}
	expressions := make([]string, len(f.reads))
	for i, expression := range f.reads {
		if expressions[i] = expression; expression == "" {
			expressions[i] = "NULL"
		}
	}
	order := make([]string, len(t.keys))
	for i, place := range t.keys {
		order[i] = s.ident(t.columns[place].name)
	}
	start := "SELECT " + strings.Join(expressions, ", ") + " FROM " + s.quoted(t)
	end := fmt.Sprintf(" ORDER BY %s LIMIT %d", strings.Join(order, ", "), readBatch)
	for after := ""; ; {
		n, last, err := s.batch(ctx, t, start+where(s.copied(t), after)+end, fn)
		if err != nil || n < readBatch {
			return err
		}
		if after, err = s.after(t, order, last); err != nil {
			return s.failed(t, err)
		}
	}
}

// batch reads the rows of one statement and returns their number and the key of the last one. The statement has no
// arguments, since MySQL's driver then returns strings.
func (s *session) batch(ctx context.Context, t table, query string, fn func([]sql.NullString) error) (n int, last []string, err error) {
	rows, err := s.conn.QueryContext(ctx, query)
	if err != nil {
		return 0, nil, s.failed(t, err)
	}
	defer rows.Close()
	values, into := make([]sql.NullString, len(t.columns)), make([]any, len(t.columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return n, nil, s.failed(t, err)
		}
		if err := fn(values); err != nil {
			return n, nil, err
		}
		n++
	}
	if err := rows.Err(); err != nil {
		return n, nil, s.failed(t, err)
	}
	for _, place := range t.keys {
		last = append(last, values[place].String)
	}
	return n, last, nil
}

// copied returns the condition for the rows of a table that are copied, or "" for all of them. The sessions of users
// are not copied, so that nobody is signed in to the copy.
func (s *session) copied(t table) string {
	if t.name != "usermeta" {
		return ""
	}
	key := s.ident("meta_key")
	return "(" + key + " IS NULL OR " + key + " <> '" + schema.UserMetaSessionTokens + "')"
}

// where returns a WHERE clause of conditions that must all hold. Empty conditions are ignored.
func where(conditions ...string) string {
	conditions = slices.DeleteFunc(conditions, func(c string) bool { return c == "" })
	if len(conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(conditions, " AND ")
}

// after returns the condition for the rows after a key, in a form for which MySQL uses the index even if the key has
// two columns.
func (s *session) after(t table, names, last []string) (string, error) {
	for i, text := range last {
		if _, ok := new(big.Int).SetString(text, 10); !ok {
			return "", fmt.Errorf("%s holds %q, which is not a number", t.columns[t.keys[i]].name, text)
		}
	}
	if len(names) == 1 {
		return names[0] + " > " + last[0], nil
	}
	return fmt.Sprintf("%[1]s >= %[3]s AND (%[1]s > %[3]s OR %[2]s > %[4]s)", names[0], names[1], last[0], last[1]), nil
}

// keyOf returns the key of a row for an error.
func keyOf(t table, values []sql.NullString) string {
	var parts []string
	for _, place := range t.keys {
		parts = append(parts, t.columns[place].name+" "+values[place].String)
	}
	return strings.Join(parts, ", ")
}
