package store

import (
	"context"
	"database/sql"
	"runtime"
	"sync"
	"weak"

	"github.com/uptrace/bun"
)

// Writers take turns on a row of the database. Those of this process queue up
// before they take a connection for it: waiting on the row, each would hold one,
// and reads would find none left.

// turnstile lets one writer in at a time; it holds the token of the one that is in.
type turnstile chan struct{}

// turnstiles are those of the tables that this process writes to. Calendars on one
// site share one as long as they share the pool.
var turnstiles = struct {
	sync.Mutex
	of map[turnTable]turnstile
}{of: map[turnTable]turnstile{}}

// turnTable is the table, in the database of a pool, on a row of which writers take
// turns.
type turnTable struct {
	pool weak.Pointer[sql.DB]
	name string
}

// turnstileOf returns the turnstile of a table without its prefix.
func turnstileOf(db *bun.DB, table string) turnstile {
	key := turnTable{weak.Make(db.DB), db.QueryGen().FormatQuery("?(prefix)" + table)}
	turnstiles.Lock()
	defer turnstiles.Unlock()
	t, known := turnstiles.of[key]
	if !known {
		t = make(turnstile, 1)
		turnstiles.of[key] = t
		runtime.AddCleanup(db.DB, forgetTurnstile, key)
	}
	return t
}

func forgetTurnstile(key turnTable) {
	turnstiles.Lock()
	defer turnstiles.Unlock()
	delete(turnstiles.of, key)
}

// enter waits for the writer that is in, as long as ctx allows. leave lets the
// next one in.
func (t turnstile) enter(ctx context.Context) (leave func(), err error) {
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
