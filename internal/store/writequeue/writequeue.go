// Package writequeue lets the writers of this process wait for each other. Writers first lock one row of the database.
// Those of this process queue before they get a connection: otherwise each would hold one while it waits for the row, and
// none would be left for reads.
package writequeue

import (
	"context"
	"database/sql"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/dberr"
)

// If several nodes of a cluster write, each commit ends the transactions in progress on the other nodes, and the node
// that committed begins its next transaction before they have begun again: it would continue to win until its queue is
// empty. So a process whose transactions were recently ended by others pauses after some commits, for as long as a
// transaction of the others may take.

const (
	commitsInRow = 4                      // before a pause
	longestBreak = 200 * time.Millisecond // a pause
	contended    = time.Minute            // after a transaction was ended by others
)

// Queue lets one writer run at a time: the one that has put a token into turn. That writer owns the other fields,
// unless they say otherwise.
type Queue struct {
	turn      chan struct{}
	ended     time.Time     // when others last ended a transaction
	committed time.Time     // when the last commit ended
	row       int           // number of commits without a pause for others between them
	longest   time.Duration // maximum duration of their transactions
	left      atomic.Int64  // when connections to a read-only server were last closed; for all goroutines
}

// queues are the queues of the tables to which this process writes, *Queue by queueTable. Calendars of one site share a
// queue if they share the pool.
var queues sync.Map

// queueTable is the table, in the database of a pool, whose row writers lock.
type queueTable struct {
	pool weak.Pointer[sql.DB]
	name string
}

// ForTable returns the queue for a table, given its name without the prefix of a database that schema.Bind bound.
func ForTable(db *bun.DB, table string) *Queue {
	key := queueTable{weak.Make(db.DB), db.QueryGen().FormatQuery("?(prefix)" + table)}
	q, known := queues.LoadOrStore(key, &Queue{turn: make(chan struct{}, 1)})
	if !known {
		runtime.AddCleanup(db.DB, queues.Delete, any(key))
	}
	return q.(*Queue)
}

// Enter waits until no other writer runs, or until ctx ends.
func (q *Queue) Enter(ctx context.Context) (*Turn, error) {
	select {
	case q.turn <- struct{}{}:
		return &Turn{queue: q}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Turn is the write slot that a writer has.
type Turn struct {
	queue *Queue
	left  bool
}

// Leave gives the slot to the next writer. It may be called again.
func (t *Turn) Leave() {
	if !t.left {
		t.left = true
		<-t.queue.turn
	}
}

// Left reports whether the slot was given to the next writer.
func (t *Turn) Left() bool { return t.left }

// MayLeave reports whether connections to a read-only server may be closed, at most once per interval, and records that
// they are.
func (q *Queue) MayLeave(every time.Duration) bool {
	now, last := time.Now().UnixNano(), q.left.Load()
	return now-last >= int64(every) && q.left.CompareAndSwap(last, now)
}

// Yield pauses if it is the turn of other nodes.
func (q *Queue) Yield(ctx context.Context) error {
	now := time.Now()
	if now.Sub(q.committed) > q.longest {
		q.row, q.longest = 0, 0
	}
	if q.row < commitsInRow || now.Sub(q.ended) > contended {
		return nil
	}
	wait := min(2*q.longest, longestBreak)
	q.row, q.longest = 0, 0
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// RecordResult records the result of a transaction that began at a time.
func (q *Queue) RecordResult(began time.Time, err error) {
	now := time.Now()
	switch {
	case dberr.RolledBack(err):
		q.ended, q.row, q.longest = now, 0, 0
	case err == nil:
		q.committed, q.longest = now, max(q.longest, now.Sub(began))
		q.row++
	}
}
