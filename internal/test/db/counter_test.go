package db_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
)

func TestCounterRecordsStatements(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	if sent := counter.Statements(); len(sent) != 0 {
		t.Fatalf("set-up is counted: %q", sent)
	}
	one[int](t, db, "SELECT COUNT(*) FROM wp_posts WHERE ID > ?", 7)
	if _, err := db.ExecContext(t.Context(), "UPDATE wp_posts SET menu_order = 0 WHERE ID = 7"); err != nil {
		t.Fatal(err)
	}
	// Through database/sql with arguments: prepared, executed, closed; one statement.
	if _, err := db.DB.ExecContext(t.Context(), "UPDATE wp_posts SET menu_order = ? WHERE ID = ?", 0, 7); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"SELECT COUNT(*) FROM wp_posts WHERE ID > 7",
		"UPDATE wp_posts SET menu_order = 0 WHERE ID = 7",
		"UPDATE wp_posts SET menu_order = ? WHERE ID = ?",
	}
	if got := counter.Statements(); !slices.Equal(got, want) {
		t.Errorf("recorded %q", got)
	}
	if got := counter.Matching("select"); !slices.Equal(got, want[:1]) {
		t.Errorf("matching %q", got)
	}
	counter.Reset()
	if got := counter.Statements(); len(got) != 0 {
		t.Errorf("after Reset: %q", got)
	}
}

func TestCounterCountsTransactionsApart(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.New)
	broken := errors.New("no")
	for _, result := range []error{nil, broken, nil} {
		err := db.RunInTx(t.Context(), nil, func(ctx context.Context, tx bun.Tx) error {
			if _, err := tx.ExecContext(ctx, "SELECT 1"); err != nil {
				return err
			}
			return result
		})
		if !errors.Is(err, result) {
			t.Fatal(err)
		}
	}
	err := db.RunInTx(t.Context(), nil, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, testdb.OfClock+" SELECT 1") // is not recorded
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := counter.Transactions(); got != (testdb.Transactions{Begun: 3, Committed: 2, RolledBack: 1}) {
		t.Errorf("%+v", got)
	}
	if got := counter.Statements(); len(got) != 3 {
		t.Errorf("statements: %q", got)
	}
}

func TestCounterFailAt(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	broken := errors.New("injected")
	counter.FailAt(2, broken)
	rename := "UPDATE wp_options SET option_value = CONCAT(option_value, '!') WHERE option_name = 'blogname'"
	for i, want := range []error{nil, broken, nil} {
		if _, err := db.ExecContext(t.Context(), rename); !errors.Is(err, want) {
			t.Errorf("statement %d: %v", i+1, err)
		}
	}
	if got := one[string](t, db, "SELECT option_value FROM wp_options WHERE option_name = 'blogname'"); got != "A calendar!!" {
		t.Errorf("the failed statement reached the server: %q", got)
	}
}

func TestCounterBlockAt(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.New)
	reached, release := counter.BlockAt(1)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	run := func(ctx context.Context) { _, err := db.ExecContext(ctx, "SELECT 1"); done <- err }
	go run(ctx)
	<-reached
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled statement: %v", err)
	}
	release()

	counter.Reset()
	reached, release = counter.BlockAt(1)
	go run(t.Context())
	<-reached
	select {
	case err := <-done:
		t.Fatalf("ran while it was held back: %v", err)
	default:
	}
	release()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestCounterFailCommit(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	broken := errors.New("connection lost")
	counter.FailCommit(broken)
	rename := func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE wp_options SET option_value = CONCAT(option_value, '!') WHERE option_name = 'blogname'")
		return err
	}
	if err := db.RunInTx(t.Context(), nil, rename); !errors.Is(err, broken) {
		t.Errorf("first commit: %v", err)
	}
	if err := db.RunInTx(t.Context(), nil, rename); err != nil {
		t.Errorf("second commit: %v", err)
	}
	if got := one[string](t, db, "SELECT option_value FROM wp_options WHERE option_name = 'blogname'"); got != "A calendar!" {
		t.Errorf("stored %q", got)
	}
}
