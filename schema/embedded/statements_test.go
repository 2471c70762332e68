package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// statementsDB is a database of one connection, with a few posts.
func statementsDB(t *testing.T) *bun.DB {
	t.Helper()
	db := memory(t)
	db.SetMaxOpenConns(1)
	must.Succeed(t, schema.Install(ctx, db, "wp_"))
	return db
}

func begin(t *testing.T, db *bun.DB) bun.Tx {
	t.Helper()
	tx := must.Get(db.BeginTx(ctx, nil))(t)
	t.Cleanup(func() { _ = tx.Rollback() })
	return tx
}

// texts returns the rows of a query, each as a string, and its error.
func texts(t *testing.T, db bun.IConn, query string) (list []string) {
	t.Helper()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return []string{err.Error()}
	}
	defer rows.Close()
	names := must.Get(rows.Columns())(t)
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		must.Succeed(t, rows.Scan(into...))
		list = append(list, fmt.Sprintf("%v", values))
	}
	if err := rows.Err(); err != nil {
		list = append(list, err.Error())
	}
	return list
}

// TestStatementsGiveTheSameInATransaction checks that a statement has the same result in a transaction, where it is
// kept prepared, as outside of one, whichever statements preceded it.
func TestStatementsGiveTheSameInATransaction(t *testing.T) {
	db := statementsDB(t)
	for i, title := range []string{"It's", "été", "ETE ", "", "5", "a%b", "?:@$;"} {
		exec(t, db, "INSERT INTO wp_posts (post_title, post_name, post_type, menu_order) VALUES (?, ?, 'a', ?)", title, fmt.Sprint(i), i)
	}
	var queries []string
	for _, title := range []string{"It''s", "ete", "", "5", "a%b", "?:@$;", "none"} {
		for _, condition := range []string{
			"= '%[1]s'", "<> '%[1]s'", "> '%[1]s'", "IN ('%[1]s', '5')", "LIKE '%[1]s%%'", "NOT LIKE '%%%[1]s' ESCAPE '|'",
		} {
			query := "SELECT ID, post_title, '%[1]s' FROM wp_posts WHERE post_title " + condition + " ORDER BY 1"
			queries = append(queries, fmt.Sprintf(query, title))
		}
	}
	for _, number := range []string{"0", "3", "03", "-1", "2.5", "'3'", "9223372036854775807", "9223372036854775808"} {
		for _, condition := range []string{"menu_order = %s", "menu_order IN (1, %s)", "menu_order >= %s", "post_name = %s", "'5' = %s",
			"menu_order IN (SELECT 1, %s)"} {
			query := "SELECT ID, typeof(menu_order = 1) FROM wp_posts WHERE " + condition + " ORDER BY ID LIMIT 9"
			queries = append(queries, fmt.Sprintf(query, number))
		}
	}
	queries = append(queries, "SELECT no_column FROM wp_posts WHERE ID = 1", "SELECT ID FROM wp_posts WHERE ID = 'x",
		"SELECT COUNT(*) AS n, post_type = 'a' FROM wp_posts GROUP BY post_type = 'a', 2")
	want := map[string][]string{}
	for _, q := range queries {
		want[q] = texts(t, db, q)
	}
	tx := begin(t, db)
	for range 2 {
		for _, q := range queries {
			if got := texts(t, tx, q); !slices.Equal(got, want[q]) {
				t.Errorf("%s:\n got  %q\n want %q", q, got, want[q])
			}
		}
		slices.Reverse(queries)
	}
}

// TestStatementsAreKept checks that prepared statements remain usable after the end of a transaction or savepoint,
// after a failed statement, after changes of the tables, and if the same text is executed while its rows are being
// read.
func TestStatementsAreKept(t *testing.T) {
	db := statementsDB(t)
	insert := func(tx bun.Tx, id int, value string) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (?, 1, 'k', ?)", id, value)
		return err
	}
	want := func(tx bun.Tx, values ...string) {
		t.Helper()
		if got := texts(t, tx, "SELECT meta_value FROM wp_postmeta WHERE post_id = 1 ORDER BY meta_id"); !slices.Equal(got, values) {
			t.Errorf("stored %q, want %q", got, values)
		}
	}
	steps := func(tx bun.Tx, statements ...string) {
		t.Helper()
		for _, s := range statements {
			if _, err := tx.ExecContext(ctx, s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
	}
	tx := begin(t, db)
	steps(tx, "SAVEPOINT a")
	for id, value := range []string{"one", "two"} {
		must.Succeed(t, insert(tx, id+1, value))
	}
	steps(tx, "ROLLBACK TO SAVEPOINT a", "RELEASE SAVEPOINT a")
	want(tx)
	must.Succeed(t, insert(tx, 1, "three"))
	if err := insert(tx, 1, "again"); err == nil {
		t.Error("two rows have one id")
	}
	must.Succeed(t, insert(tx, 2, "four"))
	want(tx, "[three]", "[four]")
	steps(tx, "ALTER TABLE wp_postmeta ADD COLUMN more text")
	must.Succeed(t, insert(tx, 3, "five"))
	want(tx, "[three]", "[four]", "[five]")
	must.Succeed(t, tx.Rollback())
	tx = begin(t, db)
	want(tx)
	must.Succeed(t, insert(tx, 1, "six"))
	rows := must.Get(tx.QueryContext(ctx, "SELECT meta_value FROM wp_postmeta WHERE post_id = 1 ORDER BY meta_id"))(t)
	want(tx, "[six]") // changed by another statement with this text
	var value string
	if !rows.Next() || rows.Scan(&value) != nil || value != "six" || rows.Next() || rows.Close() != nil || rows.Err() != nil {
		t.Errorf("read %q while another statement was", value)
	}
	must.Succeed(t, tx.Commit())
	tx = begin(t, db)
	want(tx, "[six]")
}

// TestStatementsOfManyForms checks that statements are executed even if there are more of them than are kept, and that
// canceled ones are not.
func TestStatementsOfManyForms(t *testing.T) {
	db := statementsDB(t)
	tx := begin(t, db)
	for range 2 {
		for i := range 200 {
			q := fmt.Sprintf("SELECT %d FROM wp_posts WHERE ID = 5 UNION SELECT %[1]d", i)
			if got := texts(t, tx, q); !slices.Equal(got, []string{fmt.Sprintf("[%d]", i)}) {
				t.Errorf("%s: %q", q, got)
			}
		}
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	_, err := tx.ExecContext(over, "INSERT INTO wp_postmeta (post_id, meta_key) VALUES (1, 'k')")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if n := texts(t, tx, "SELECT COUNT(*) FROM wp_postmeta"); !slices.Equal(n, []string{"[0]"}) {
		t.Errorf("%s rows", n)
	}
	if err := tx.Commit(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		t.Error(err)
	}
}
