package store

import (
	"context"
	"database/sql"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/uptrace/bun"
)

// Writers lock one row of the database first. Those of this process queue before
// they take a connection: waiting for the row, each would hold one, and none would
// be left for reads.

// Where several nodes of a cluster write, each commit ends the transactions that run on
// the others, and the node that committed begins its next one before they have begun
// again: it would go on winning for as long as its queue is not empty. So a process whose
// transactions were ended by others lately pauses after some commits, for as long as
// theirs may take.

const (
	commitsInRow = 4                      // before a pause
	longestBreak = 200 * time.Millisecond // a pause
	contended    = time.Minute            // after a transaction was ended by others
)

// writeQueue lets one writer run at a time, which has put a token in turn and owns what
// is not for all.
type writeQueue struct {
	turn      chan struct{}
	ended     time.Time     // when others ended a transaction last
	committed time.Time     // when the last commit was over
	row       int           // commits with no time for others between them
	longest   time.Duration // of their transactions
	left      atomic.Int64  // when connections to a read-only server were closed last; for all goroutines
}

// writeQueues are the queues of the tables that this process writes to. Calendars of
// one site share one if they share the pool.
var writeQueues = struct {
	sync.Mutex
	of map[queueTable]*writeQueue
}{of: map[queueTable]*writeQueue{}}

// queueTable is the table, in the database of a pool, whose row writers lock.
type queueTable struct {
	pool weak.Pointer[sql.DB]
	name string
}

// writeQueueOf returns the queue for a table.
func writeQueueOf(db *bun.DB, table Table) *writeQueue {
	key := queueTable{weak.Make(db.DB), db.QueryGen().FormatQuery("?", table)}
	writeQueues.Lock()
	defer writeQueues.Unlock()
	t, known := writeQueues.of[key]
	if !known {
		t = &writeQueue{turn: make(chan struct{}, 1)}
		writeQueues.of[key] = t
		runtime.AddCleanup(db.DB, forgetWriteQueue, key)
	}
	return t
}

func forgetWriteQueue(key queueTable) {
	writeQueues.Lock()
	defer writeQueues.Unlock()
	delete(writeQueues.of, key)
}

// enter waits until no other writer runs, as long as ctx allows.
func (q *writeQueue) enter(ctx context.Context) (*turn, error) {
	select {
	case q.turn <- struct{}{}:
		return &turn{queue: q}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// turn is that of a writer.
type turn struct {
	queue *writeQueue
	left  bool
}

// leave lets the next one run. It may be called again.
func (t *turn) leave() {
	if !t.left {
		t.left = true
		<-t.queue.turn
	}
}

// mayLeave reports whether connections to a read-only server may be closed, and notes that
// they are: once within a time.
func (q *writeQueue) mayLeave(every time.Duration) bool {
	now, last := time.Now().UnixNano(), q.left.Load()
	return now-last >= int64(every) && q.left.CompareAndSwap(last, now)
}

// yield pauses if it is the turn of other nodes.
func (q *writeQueue) yield(ctx context.Context) error {
	now := time.Now()
	if now.Sub(q.committed) > q.longest {
		q.row, q.longest = 0, 0
	}
	if q.row < commitsInRow || now.Sub(q.ended) > contended {
		return nil
	}
	wait := min(2*q.longest, longestBreak)
	q.row, q.longest = 0, 0
	return pause(ctx, wait)
}

// note records how a transaction ended that began at a moment.
func (q *writeQueue) note(began time.Time, err error) {
	now := time.Now()
	switch {
	case ended(err):
		q.ended, q.row, q.longest = now, 0, 0
	case err == nil:
		q.committed, q.longest = now, max(q.longest, now.Sub(began))
		q.row++
	}
}
