package store

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/store/dberr"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestWaitingWritersTakeNoConnections checks that waiting writers, however many there are, use one connection so that
// reads get another one, and that each waits no longer than its request lasts, here and in the server.
func TestWaitingWritersTakeNoConnections(t *testing.T) {
	t.Parallel()
	_, db, _ := workbench(t)
	s := newStore(t, db, limited)
	put := func(ctx context.Context, title string) error {
		return s.Transactions.Write(ctx, func(ctx context.Context) error { return s.Posts.Insert(ctx, row(title)) })
	}
	must.Succeed(t, put(t.Context(), "before"))
	db.SetMaxOpenConns(2)
	other := testdb.Reopen(t, db) // another process, whose write takes long
	tx := must.Get(other.BeginTx(t.Context(), nil))(t)
	must.Get(tx.ExecContext(t.Context(), "SELECT option_id FROM wp_options WHERE option_name = ? FOR UPDATE", schema.OptionLastSavePost))(t)
	const writers = 64
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	failures := make([]error, writers)
	for i := range writers {
		wg.Go(func() { failures[i] = put(ctx, "waits") })
	}
	for running(t, other, "FOR UPDATE") == 0 && ctx.Err() == nil {
		runtime.Gosched()
	}
	least := writers // at one time: before they wait, writers can read which columns there are
	for range 20 {
		if _, err := s.Options.Values(t.Context(), []string{"home"}); err != nil {
			t.Fatal("a read beside waiting writers: ", err)
		}
		least = min(least, db.Stats().InUse)
	}
	if least > 1 {
		t.Fatalf("%d connections are in use for %d waiting writers", least, writers)
	}
	wg.Wait()
	for _, err := range failures {
		if !errors.Is(err, context.DeadlineExceeded) && dberr.FaultOf(err) == dberr.NoFault {
			t.Errorf("a write past its time: %v", err)
		}
	}
	ends(t, other, "FOR UPDATE")
	must.Succeed(t, tx.Rollback())
	if err := put(t.Context(), "after"); err != nil || titled(t, db, "waits") != 0 || titled(t, db, "after") != 1 {
		t.Errorf("afterwards: %v", err)
	}
}

// TestLockWaitIsBounded checks that the lock wait is limited only in the session of a write.
func TestLockWaitIsBounded(t *testing.T) {
	s, db, _ := workbench(t)
	db.SetMaxOpenConns(1)
	wait := func(ctx context.Context) int64 {
		return must.Get(Number(ctx, s.DB.Select().ColumnExpr("@@SESSION.innodb_lock_wait_timeout")))(t)
	}
	usual := wait(t.Context())
	var within int64
	err := s.Transactions.Write(t.Context(), func(ctx context.Context) error { within = wait(ctx); return nil })
	if err != nil || within != longestLockWait || within == usual {
		t.Errorf("%d s, %v", within, err)
	}
	if n := wait(t.Context()); n != usual {
		t.Errorf("afterwards %d s, before %d", n, usual)
	}
}
