package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/schema"
)

// Transactions runs what writes: see Begin.
type Transactions struct {
	db           *DB
	options      *Options
	terms        *Terms
	companion    *Companion
	queue        *writeQueue
	clock        *change.Tracker // nil where the database cannot tell what changed
	longestWrite time.Duration   // of a transaction, 0 for no limit: see change.Tracker

	longestConflict time.Duration // for which a transaction is tried again beyond attempts
}

// errReadOnly is returned by Begin where nothing is written.
var errReadOnly = errors.New("store: it only reads")

// ErrOutcomeUnknown means that the connection was lost during a commit: the changes
// may or may not be stored.
var ErrOutcomeUnknown = errors.New("store: the connection was lost at commit")

// attempts is how often a transaction is tried when it conflicts with others.
const attempts = 6

// attemptsCutOff is that on a node that left its cluster: it comes back later than a client
// that goes to another node can.
const attemptsCutOff = 3

// longestConflict limits how long a transaction is tried beyond attempts that others
// end: where several nodes of a cluster write, each commit ends those that run on the
// other nodes, so many may in a row.
const longestConflict = 10 * time.Second

// longestPause limits the pause before such a transaction is tried again. It is shorter
// than a write: whoever waits longer comes back when others have begun.
const longestPause = 5 * time.Millisecond

// write is the transaction of a site in a context.
type write struct {
	of    *Transactions
	outer *write      // of another Store, in whose context it began; nil for none
	ended atomic.Bool // a context that is kept longer is that of no transaction

	tx    bun.Tx
	reads bun.IConn // of the transaction
	dirty bool      // something was written
	depth int       // of savepoints
	lost  error     // within a savepoint, after which the whole has to be run again

	shape shape // of the tables, as it was known when it began
	began time.Time

	found    map[string]foundIn           // see keptIn
	access   map[int64]PostAccess         // of posts, which the transaction has not changed since it was read
	changed  schema.Touched               // what the companion of the site is left
	places   map[int64]schema.TouchedTerm // the terms of taxonomy rows that were read or written
	unplaced map[int64]bool               // taxonomy rows that changed and were not
}

type writeKey struct{}

// writingOn returns the transaction in a context that a database belongs to, as schema.Bind
// returned it: each Store has one of its own.
func writingOn(ctx context.Context, db *bun.DB) *write {
	w, _ := ctx.Value(writeKey{}).(*write)
	for ; w != nil; w = w.outer {
		if (db == w.of.db.pool.DB || db == w.of.db.config.Users) && !w.ended.Load() {
			return w
		}
	}
	return nil
}

// errWithin means that a write would wait for the transaction in whose context it is.
var errWithin = errors.New("store: the write is within a transaction of another calendar, whose end it would wait for")

// waitsForItself reports whether a Write would wait for one of another Store that ctx is
// within: writers of one table of options come one after the other, those of a SQLite file too.
func (s *Transactions) waitsForItself(ctx context.Context) bool {
	w, _ := ctx.Value(writeKey{}).(*write)
	for ; w != nil; w = w.outer {
		if !w.ended.Load() && (w.of.queue == s.queue || !s.db.IsMySQL() && w.of.db.pool.DB.DB == s.db.pool.DB.DB) {
			return true
		}
	}
	return false
}

// Outside returns a context within no Write, with all else that ctx has.
func Outside(ctx context.Context) context.Context {
	if ctx.Value(writeKey{}) == nil {
		return ctx
	}
	return context.WithValue(ctx, writeKey{}, (*write)(nil))
}

// Reading returns a context in which all reads of the site are those of a transaction, until end.
func (s *Transactions) Reading(ctx context.Context, tx bun.Tx) (within context.Context, end func()) {
	w := &write{of: s, tx: tx, reads: s.db.pool.within(tx)}
	w.outer, _ = ctx.Value(writeKey{}).(*write)
	return context.WithValue(ctx, writeKey{}, w), func() { w.ended.Store(true) }
}

// Again runs fn, which runs a transaction on a pool, and runs it again when others ended that.
func Again(ctx context.Context, fn func() error) (err error) {
	for try := range attempts {
		if err = fn(); err == nil || !Retryable(err) {
			return err
		}
		if err := pause(ctx, 10*time.Millisecond<<try); err != nil {
			return err
		}
	}
	return err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// conflictsUntil returns until when a transaction is tried again that others end: a third
// of what the request has left, so that its answer says why it failed.
func (s *Transactions) conflictsUntil(ctx context.Context) time.Time {
	longest := s.longestConflict
	if end, limited := ctx.Deadline(); limited {
		longest = min(longest, time.Until(end)/3)
	}
	return time.Now().Add(longest)
}

// errQueued means that other writers, of other programs, had the row that writers lock
// for as long as a statement waits.
var errQueued = errors.New("store: other programs write")

// errTooLong means that a transaction took so long that what it commits could stay
// hidden from the trackers of other processes: see change.Tracker.
var errTooLong = errors.New("store: the transaction took too long")

// mode is the sql_mode of writes: zero dates are valid in these tables, and a text
// that is too long is an error and not cut.
const mode = "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION"

// The session's settings are kept in variables while a write has others.
const (
	setSession = "SET @agenda_sql_mode = @@SESSION.sql_mode, @agenda_lock_wait = @@SESSION.innodb_lock_wait_timeout, " +
		"SESSION sql_mode = ?, SESSION innodb_lock_wait_timeout = ?"
	restoreSession = "SET SESSION sql_mode = @agenda_sql_mode, SESSION innodb_lock_wait_timeout = @agenda_lock_wait"
)

// longestLockWait limits how long a statement of a write waits for a locked row, in
// seconds: the transaction's age is what other processes see of it. Then the write is
// run again, as long as its request lasts.
const longestLockWait = 1

// shape returns the shape of the site's tables, for a write that is about to begin. Where its context has no state of the database,
// as for many writes at a time, it is looked at.
func (s *Transactions) shape(ctx context.Context) (shape, error) {
	if change.From(ctx) == nil {
		ctx = change.With(ctx, s.clock.Look(ctx))
	}
	return s.db.shape(Outside(ctx))
}

// Writing reports whether a context is that of a Write of this Store.
func (s *Transactions) Writing(ctx context.Context) bool { return s.db.writing(ctx) != nil }

// leaveServer closes the connections to a server that became read-only, as a primary does
// when another one takes its place: new ones go wherever its address leads by then. Those
// that requests use come back to the pool and end the next time. The server may as well
// stay as it is: writeQueue.mayLeave limits how often this happens.
func (s *Transactions) leaveServer(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	for range s.db.pool.DB.Stats().Idle {
		conn, err := s.db.pool.DB.Conn(ctx)
		if err != nil {
			break
		}
		discard(conn)
		_ = conn.Close()
	}
	s.clock.Reconnect()
}

// restore resets the session after a rollback. If that fails the connection is
// closed, since the pool would give it to others.
func (s *Transactions) restore(ctx context.Context, conn bun.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if !s.db.IsMySQL() {
		return
	}
	if _, err := conn.ExecContext(ctx, restoreSession); err != nil {
		discard(conn)
	}
}

// discard closes a connection for good.
func discard(conn bun.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}

// acquireWriteLock locks the row that all writers lock first, and adds it if it is
// missing.
func (s *Transactions) acquireWriteLock(ctx context.Context) error {
	q := s.db.Select().From(TableOptions, "").Column("option_id").Where("option_name = ?", schema.OptionLastSavePost)
	found, err := IDs(ctx, s.db.locked(q))
	if err != nil || len(found) > 0 {
		return err
	}
	return s.options.Set(ctx, schema.OptionLastSavePost, "", false)
}

// finishWrite records for other programs that something was written, and restores the
// session.
func (s *Transactions) finishWrite(ctx context.Context, w *write) error {
	if w.dirty {
		if err := s.options.set(ctx, schema.OptionLastSavePost, Microtime(s.db.config.Now())); err != nil {
			return err
		}
		if err := s.leaveChanges(ctx, w); err != nil {
			return err
		}
	}
	if !s.db.IsMySQL() {
		return nil
	}
	_, err := w.tx.ExecContext(ctx, restoreSession)
	return err
}

// Microtime formats a moment as other programs store it: seconds with a fraction.
func Microtime(t time.Time) string {
	return fmt.Sprintf("%d.%04d", t.Unix(), t.Nanosecond()/100_000)
}

// commit commits the transaction, and tells the tracker of changes.
func (w *write) commit(context.Context) error {
	committed := w.of.clock.Commit()
	err := w.tx.Commit()
	committed(err == nil && w.dirty)
	return err
}

// conn returns the transaction of a Write and notes that something is written: some tables, without any named all of them.
func (w *write) conn(of ...Table) bun.Tx {
	w.dirty = true
	written := change.All
	if len(of) > 0 {
		written = 0
	}
	for _, t := range of {
		written |= t.Set()
	}
	w.forget(written)
	if written&TablePosts.Set() != 0 {
		clear(w.access)
	}
	return w.tx
}

// adding is conn for rows that are added to a table of posts, and change none that is there.
func (w *write) adding(to Table) bun.Tx {
	w.dirty = true
	w.forget(to.Set())
	return w.tx
}

// forget forgets what was found in tables.
func (w *write) forget(written change.Tables) {
	maps.DeleteFunc(w.found, func(_ string, f foundIn) bool { return f.reads&written != 0 })
}

// foundIn is what was found within a Write.
type foundIn struct {
	value any
	reads change.Tables
}

// keptIn returns what find returned for a query within a Write while that has written none of its tables and undone nothing, or calls
// find. Outside of a Write it always does. The value is shared: nobody may change it.
func keptIn[T any](w *write, q *Query, find func() (T, error)) (T, error) {
	if w == nil {
		return find()
	}
	key := q.String()
	if kept, ok := w.found[key]; ok {
		return kept.value.(T), nil
	}
	v, err := find()
	if err == nil {
		if w.found == nil {
			w.found = map[string]foundIn{}
		}
		w.found[key] = foundIn{v, q.reads()}
	}
	return v, err
}
