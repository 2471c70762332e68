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
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/store/writequeue"
	"github.com/agendahq/agenda/schema"
)

// Transactions runs writes: see Begin.
type Transactions struct {
	db           *DB
	options      *Options
	terms        *Terms
	companion    *Companion
	queue        *writequeue.Queue
	clock        *change.Tracker // nil if the database cannot report changes
	longestWrite time.Duration   // maximum duration of a transaction, 0 for no limit: see change.Tracker

	longestConflict time.Duration // how long a transaction is retried beyond attempts
}

// errReadOnly is returned by Begin if the store is read-only.
var errReadOnly = errors.New("store: it only reads")

// ErrOutcomeUnknown means that the connection was lost during a commit: the changes may or may not be stored.
var ErrOutcomeUnknown = errors.New("store: the connection was lost at commit")

// attempts is how often a transaction is tried when it conflicts with others.
const attempts = 6

// attemptsCutOff is attempts on a node that left its cluster: the node needs longer to return than a client needs to
// connect to another node.
const attemptsCutOff = 3

// longestConflict limits how long a transaction that others end is retried beyond attempts: if several nodes of a
// cluster write, each commit ends the transactions in progress on the other nodes, which may happen many times in a
// row.
const longestConflict = 10 * time.Second

// longestPause limits the pause before such a transaction is retried. It is shorter than a write, because after a
// longer pause other transactions would have begun.
const longestPause = 5 * time.Millisecond

// write is the transaction of a site in a context.
type write struct {
	of    *Transactions
	outer *write      // of another Store, in whose context it began; nil for none
	ended atomic.Bool // set after the end, because the context may be kept longer

	tx    bun.Tx
	reads bun.IConn // of the transaction
	dirty bool      // something was written
	depth int       // of savepoints
	lost  error     // an error within a savepoint after which the whole transaction must be retried

	shape shape // of the tables, as known when it began
	began time.Time

	found    map[any]foundIn              // see keptIn
	access   map[int64]PostAccess         // of posts that the transaction has not changed since they were read
	changed  schema.Touched               // to be recorded for the companion of the site
	places   map[int64]schema.TouchedTerm // the terms of term_taxonomy rows that were read or written
	unplaced map[int64]bool               // changed term_taxonomy rows whose terms are not known
}

type writeKey struct{}

// writingOn returns the transaction in a context that belongs to a database returned by schema.Bind. Each Store has a
// database of its own.
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

// waitsForItself reports whether a Write would wait for a Write of another Store that ctx is within: writers to one
// table of options are serialized, and so are those to one SQLite file.
func (s *Transactions) waitsForItself(ctx context.Context) bool {
	w, _ := ctx.Value(writeKey{}).(*write)
	for ; w != nil; w = w.outer {
		if !w.ended.Load() && (w.of.queue == s.queue || !s.db.IsMySQL() && w.of.db.pool.DB.DB == s.db.pool.DB.DB) {
			return true
		}
	}
	return false
}

// Outside returns a context that is within no Write but otherwise equals ctx.
func Outside(ctx context.Context) context.Context {
	if ctx.Value(writeKey{}) == nil {
		return ctx
	}
	return context.WithValue(ctx, writeKey{}, (*write)(nil))
}

// Reading returns a context in which all reads of the site are made in a transaction, until end is called.
func (s *Transactions) Reading(ctx context.Context, tx bun.Tx) (within context.Context, end func()) {
	within, w := s.newWrite(ctx, tx)
	return within, func() { w.ended.Store(true) }
}

// newWrite returns the state of a transaction, and a context with it. Its shape is the caller's to set.
func (s *Transactions) newWrite(ctx context.Context, tx bun.Tx) (within context.Context, w *write) {
	w = &write{
		of: s, tx: tx, reads: s.db.pool.within(tx), began: time.Now(),
		found: map[any]foundIn{}, access: map[int64]PostAccess{}, places: map[int64]schema.TouchedTerm{}, unplaced: map[int64]bool{},
	}
	w.outer, _ = ctx.Value(writeKey{}).(*write)
	return context.WithValue(ctx, writeKey{}, w), w
}

// Again calls fn, which runs a transaction on a pool, and calls it again if the transaction conflicted with others.
func Again(ctx context.Context, fn func() error) (err error) {
	for try := range attempts {
		if err = fn(); err == nil || !dberr.Retryable(err) {
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

// conflictsUntil returns the time until which a transaction that others end is retried: a third of the request's
// remaining time, so that its answer can still say why it failed.
func (s *Transactions) conflictsUntil(ctx context.Context) time.Time {
	longest := s.longestConflict
	if end, limited := ctx.Deadline(); limited {
		longest = min(longest, time.Until(end)/3)
	}
	return time.Now().Add(longest)
}

// errQueued means that writers of other programs held the row that writers lock for as long as a statement waits.
var errQueued = errors.New("store: other programs write")

// mode is the sql_mode of writes: zero dates are valid in these tables, and a text that is too long is an error instead
// of being truncated.
const mode = "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION"

// The session's settings are saved in variables while a write uses others.
const (
	setSession = "SET @agenda_sql_mode = @@SESSION.sql_mode, @agenda_lock_wait = @@SESSION.innodb_lock_wait_timeout, " +
		"SESSION sql_mode = ?, SESSION innodb_lock_wait_timeout = ?"
	restoreSession = "SET SESSION sql_mode = @agenda_sql_mode, SESSION innodb_lock_wait_timeout = @agenda_lock_wait"
)

// longestLockWait limits how long a statement of a write waits for a locked row, in seconds, because the duration of
// the transaction matters to the trackers of other processes. After that the write is retried, as long as its request
// lasts.
const longestLockWait = 1

// shape returns the shape of the site's tables, for a write that is about to begin. If its context has no state of the
// database, as for many writes at once, it polls.
func (s *Transactions) shape(ctx context.Context) (shape, error) {
	if change.From(ctx) == nil {
		ctx = change.With(ctx, s.clock.Poll(ctx))
	}
	return s.db.shape(Outside(ctx))
}

// Writing reports whether a context is within a Write of this Store.
func (s *Transactions) Writing(ctx context.Context) bool { return s.db.writing(ctx) != nil }

// leaveServer closes the idle connections to a server that became read-only, as a primary does when another one
// replaces it: new connections lead to the server that its address refers to by then. Connections in use are returned
// to the pool and closed the next time. Since the server may also stay read-only, writequeue.Queue.MayLeave limits how often
// this is done.
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

// restore restores the session after a rollback. If that fails, the connection is closed, so that the pool does not use
// it again.
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

// discard closes a connection instead of returning it to the pool.
func discard(conn bun.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}

// acquireWriteLock locks the row that all writers lock first, and adds it if it is missing.
func (s *Transactions) acquireWriteLock(ctx context.Context) error {
	q := s.db.Select().From(TableOptions, "").Column("option_id").Where("option_name = ?", schema.OptionLastSavePost)
	found, err := IDs(ctx, s.db.Locked(q))
	if err != nil || len(found) > 0 {
		return err
	}
	return s.options.Set(ctx, schema.OptionLastSavePost, "", false)
}

// finishWrite records for other programs that something was written, and restores the session.
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

// Microtime formats a time as other programs store it: seconds with a fraction.
func Microtime(t time.Time) string {
	return fmt.Sprintf("%d.%04d", t.Unix(), t.Nanosecond()/100_000)
}

// commit commits the transaction and notifies the tracker of changes.
func (w *write) commit(context.Context) error {
	committed := w.of.clock.Commit()
	err := w.tx.Commit()
	committed(err == nil && w.dirty)
	return err
}

// conn returns the transaction of a Write and records that some tables are written; without arguments it assumes all
// tables.
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

// adding is conn for rows that are added to a table of posts without changing existing ones.
func (w *write) adding(to Table) bun.Tx {
	w.dirty = true
	w.forget(to.Set())
	return w.tx
}

// forget removes cached results of queries that read some tables.
func (w *write) forget(written change.Tables) {
	maps.DeleteFunc(w.found, func(_ any, f foundIn) bool { return f.reads&written != 0 })
}

// foundIn is a query result that is cached within a Write.
type foundIn struct {
	value any
	reads change.Tables
}

// keptIn returns the result of find that is cached with a key within a Write, if the Write has not written any table that
// find read and has not been rolled back to a savepoint since; otherwise it calls find. Outside of a Write it always calls
// find. The value is shared and must not be changed.
func keptIn[T any](w *write, key any, find func() (T, change.Tables, error)) (T, error) {
	if w != nil {
		if kept, ok := w.found[key]; ok {
			return kept.value.(T), nil
		}
	}
	v, reads, err := find()
	if w != nil && err == nil {
		w.found[key] = foundIn{v, reads}
	}
	return v, err
}
