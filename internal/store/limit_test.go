package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/store/timelimit"
	"github.com/agendahq/agenda/internal/test/atonce"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// running counts the statements in progress on a database that contain a text.
func running(t *testing.T, db *bun.DB, text string) (n int) {
	t.Helper()
	for _, statement := range testdb.Statements(t, db) {
		if strings.Contains(statement.Text, text) {
			n++
		}
	}
	return n
}

// ends waits until no statement with a text is in progress on a database.
func ends(t *testing.T, db *bun.DB, text string) {
	t.Helper()
	for began := time.Now(); running(t, db, text) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > 2*time.Minute {
			t.Fatalf("%d statements with %q go on", running(t, db, text), text)
		}
	}
}

// TestAbandonedStatementsEnd checks that a statement for which nobody waits any more ends in the database, at its time
// limit or after its client has disconnected.
func TestAbandonedStatementsEnd(t *testing.T) {
	t.Parallel()
	_, db, _ := workbench(t)
	s := newStore(t, db, limited)
	if s.DB.pool.limits == timelimit.None {
		t.Fatal(s.DB.pool.limits)
	}
	admin := testdb.Reopen(t, db)
	slow := func(ctx context.Context) error { // MySQL's SLEEP alone returns 1 when it is interrupted
		_, err := Number(ctx, s.DB.Select().From(TableOptions, "").ColumnExpr("COUNT(*)").Where("SLEEP(600)"))
		return err
	}
	// Few, because all statements with a time limit wait while MariaDB ends sleeping ones, one after the other and each for
	// up to two seconds: other tests on the server would reach their own limits.
	atonce.Run(4, func(i int) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if i%2 == 0 {
			time.AfterFunc(100*time.Millisecond, cancel)
		}
		if err := slow(ctx); err == nil {
			t.Error("a statement of ten minutes came to its end")
		}
	})
	ends(t, admin, "SLEEP(600)")

	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	err := s.Transactions.Write(ctx, func(ctx context.Context) error { return slow(ctx) })
	if err == nil {
		t.Error("a statement of ten minutes came to its end in a transaction")
	}
	ends(t, admin, "SLEEP(600)")
}

// TestServerEndsAStatement checks the error of a statement that the server ended at its time limit.
func TestServerEndsAStatement(t *testing.T) {
	t.Parallel()
	_, db, _ := workbench(t)
	s := newStore(t, db, limited)
	past, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, err := db.ExecContext(t.Context(), s.DB.pool.limits.Statement(past, "SELECT option_id FROM wp_options WHERE SLEEP(600)"))
	if dberr.FaultOf(err) != dberr.TooSlow {
		t.Errorf("%v", err)
	}
}

// TestEveryReadIsLimited checks that every read of the site and its accounts has a limit, inside and outside of
// transactions.
func TestEveryReadIsLimited(t *testing.T) {
	_, db, counter := workbench(t)
	accounts, err := schema.Bind(db, "wp_")
	must.Succeed(t, err)
	s := newStore(t, db, limited, func(c *Config) { c.Users = accounts })
	users := s.DB.Accounts()
	byID := func(q *Query) *Query { return q.From(TableUsers, "").Column("ID").Where("ID = ?", 1) }
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	counter.Reset()
	_, err = s.Options.Values(ctx, []string{"home"})
	_, inPage := s.Links.Page(ctx, &LinkedFilter{}, 10, 0)
	_, ofUser := IDs(ctx, byID(users.Select()))
	inWrite := s.Transactions.Write(ctx, func(ctx context.Context) error {
		_, err := s.Posts.Lock(ctx, 1)
		return err
	})
	ofUserInWrite := users.DB.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		_, err := IDs(ctx, byID(users.SelectIn(tx)))
		return err
	})
	must.Succeed(t, errors.Join(err, inPage, ofUser, inWrite, ofUserInWrite))
	limited, limit := 0, map[timelimit.Syntax]string{
		timelimit.SetStatement: "SET STATEMENT max_statement_time=60 FOR SELECT ",
		timelimit.Hint:         "SELECT /*+ MAX_EXECUTION_TIME(60000) */ ",
	}[s.DB.pool.limits]
	for _, statement := range counter.Matching("SELECT ") {
		if limited++; limit == "" || !strings.HasPrefix(statement, limit) {
			t.Errorf("without a limit: %s", statement)
		}
	}
	if limited != 9 { // three of them read the shape of tables, before the transaction
		t.Errorf("%d limited: %q", limited, counter.Statements())
	}
}

// TestServersWithoutLimits checks that a server without limits gets reads unchanged, and that a server that cannot be
// queried at the moment does not count as one.
func TestServersWithoutLimits(t *testing.T) {
	_, db, counter := workbench(t)
	counter.Before(func(_ context.Context, _ int, query string) error {
		if !strings.Contains(strings.ToLower(query), "max_") {
			return nil // not one of the two ways to set a limit
		}
		return &mysql.MySQLError{Number: 1064, Message: "You have an error in your SQL syntax"}
	})
	if s := newStore(t, db, limited); s.DB.pool.limits != timelimit.None {
		t.Errorf("%v", s.DB.pool.limits)
	}
	counter.Reset()
	counter.FailAt(1, mysql.ErrInvalidConn)
	if _, err := New(t.Context(), usual(db, limited)); !errors.Is(err, mysql.ErrInvalidConn) {
		t.Errorf("%v", err)
	}
}
