package store

import (
	"context"
	"slices"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// TestShapeIsAskedOutsideOfTransactions checks that a write does not read the shape of tables within its transaction.
// If a column turns out to be gone, the shape is read again before the transaction is retried.
func TestShapeIsAskedOutsideOfTransactions(t *testing.T) {
	s, db, counter := workbench(t)
	var had []bool
	alter := func(column bool) string {
		if column {
			return "ALTER TABLE wp_tec_events DROP COLUMN rset"
		}
		return "ALTER TABLE wp_tec_events ADD COLUMN rset longtext"
	}
	err := s.Transactions.Write(t.Context(), func(ctx context.Context) error {
		counter.Reset()
		c, err := s.Events.DateColumns(ctx)
		if err == nil {
			err = s.Events.LeaveSeries(ctx, 7)
		}
		if sent := counter.Statements(); len(sent) > 0 || err != nil {
			t.Errorf("asked in the transaction: %q, %v", sent, err)
		}
		if had = append(had, c.Rset); len(had) == 1 {
			execute(t, db, alter(c.Rset))
			return &mysql.MySQLError{Number: 1054, Message: "Unknown column 'rset'"}
		}
		return nil
	})
	if err != nil || len(had) != 2 || had[0] == had[1] {
		t.Errorf("%v, known in turn: %v", err, had)
	}
	// An error that is not caused by such a change is returned.
	had = nil
	if err := s.Transactions.Write(t.Context(), func(context.Context) error {
		had = append(had, true)
		return &mysql.MySQLError{Number: 1054}
	}); err == nil || !slices.Equal(had, []bool{true}) {
		t.Errorf("%v after %d runs", err, len(had))
	}
}
