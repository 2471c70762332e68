package store

import (
	"context"
	"database/sql"
	"runtime"
	"sync"
	"weak"

	"github.com/uptrace/bun"
)

// Writers lock one row of the database first. Those of this process queue before
// they take a connection: waiting for the row, each would hold one, and none would
// be left for reads.

// writeQueue lets one writer run at a time, which has put a token in it.
type writeQueue chan struct{}

// writeQueues are the queues of the tables that this process writes to. Calendars of
// one site share one if they share the pool.
var writeQueues = struct {
	sync.Mutex
	of map[queueTable]writeQueue
}{of: map[queueTable]writeQueue{}}

// queueTable is the table, in the database of a pool, whose row writers lock.
type queueTable struct {
	pool weak.Pointer[sql.DB]
	name string
}

// writeQueueOf returns the queue for a table, named without its prefix.
func writeQueueOf(db *bun.DB, table string) writeQueue {
	key := queueTable{weak.Make(db.DB), db.QueryGen().FormatQuery("?(prefix)" + table)}
	writeQueues.Lock()
	defer writeQueues.Unlock()
	t, known := writeQueues.of[key]
	if !known {
		t = make(writeQueue, 1)
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

// enter waits until no other writer runs, as long as ctx allows. leave lets the next
// one run.
func (t writeQueue) enter(ctx context.Context) (leave func(), err error) {
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
