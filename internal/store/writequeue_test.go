package store

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

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

// TestWriteQueues checks that calendars of one site in one pool share a queue, that others do not, and that no queue
// outlives its pool.
func TestWriteQueues(t *testing.T) {
	one := testdb.New(t)
	bound := func(prefix string) *writeQueue {
		db := must.Get(schema.Bind(one, prefix))(t)
		return writeQueueOf(db, TableOptions)
	}
	first, again := bound("wp_"), bound("wp_")
	if first != again || first == bound("s2_") {
		t.Error("queues are not those of the sites")
	}
	turn, err := bound("wp_").enter(t.Context())
	must.Succeed(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bound("wp_").enter(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a second writer: %v", err)
	}
	turn.leave()
	turn = must.Get(bound("wp_").enter(t.Context()))(t)
	turn.leave()
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

// TestWriteQueueYields checks that if others end transactions, a process leaves them time after a few commits in a row,
// and only then.
func TestWriteQueueYields(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	now := time.Now()
	for name, c := range map[string]struct {
		queue  *writeQueue
		yields bool
	}{
		"in a row":        {&writeQueue{ended: now, committed: now, row: commitsInRow, longest: time.Hour}, true},
		"not yet":         {&writeQueue{ended: now, committed: now, row: commitsInRow - 1, longest: time.Hour}, false},
		"nobody else":     {&writeQueue{committed: now, row: commitsInRow, longest: time.Hour}, false},
		"others had time": {&writeQueue{ended: now, committed: now.Add(-2 * time.Hour), row: commitsInRow, longest: time.Hour}, false},
	} {
		if err := c.queue.yield(canceled); (err != nil) != c.yields {
			t.Errorf("%s: %v", name, err)
		}
	}
	q := &writeQueue{}
	q.recordResult(now, nil)
	q.recordResult(now, nil)
	if q.row != 2 || q.committed.IsZero() || !q.ended.IsZero() {
		t.Errorf("after two commits: %+v", q)
	}
	q.recordResult(now, &mysql.MySQLError{Number: 1213})
	if q.row != 0 || q.ended.IsZero() {
		t.Errorf("after others ended one: %+v", q)
	}
}
