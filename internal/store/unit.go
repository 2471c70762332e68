package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/store/writequeue"
)

// Unit is a unit of work: one transaction, which is retried after conflicts, or a savepoint within one. Its states, in order:
//
//  1. waiting: for the write slot of this process, then for a connection. If the request ends meanwhile, the unit is over.
//  2. begun: the session variables are set and the row that all writers lock first is locked; Next returns true. If other programs
//     hold that row for too long, the unit leaves its slot to others and waits again.
//  3. decided: End commits what was changed, or rolls it back. A commit whose answer was lost is in doubt, and not tried again.
//  4. must retry: the transaction conflicted with others. If they ended it, it is retried at once in the same slot; otherwise the
//     unit pauses and waits for another slot, up to attempts times. After a rollback by a group of servers it keeps its connection.
//  5. over: Next returns false, and Err returns the result.
//
// The savepoint of a Unit within another one is tried once. An error rolls back only the savepoint, unless the whole transaction must
// be retried because of it.
type Unit struct {
	of      *Transactions
	request context.Context
	inner   context.Context // of the attempt
	shape   shape
	until   time.Time // until when it is retried beyond attempts if others end it

	tries  int              // attempts, without those that only waited
	inTurn int              // attempts in the current slot
	turn   *writequeue.Turn // nil while it has no slot
	began  time.Time
	on     *session // of the attempt
	doubt  *session // session for the retry after a rollback by a group of servers: see dberr.RolledBackByGroup
	keeps  bool     // see KeepConnection
	reads  *session // session of the committed transaction, if keeps is set
	write  *write   // of the attempt, nil between attempts

	within *write    // the transaction in which the unit is a savepoint, nil for a separate transaction
	mark   bun.Ident // name of the savepoint, "" for none: see AsOne

	over bool
	err  error
}

// Begin returns a unit of work whose attempts have not begun:
//
//	u, err := transactions.Begin(ctx)
//	if err != nil {
//		return err
//	}
//	defer u.Close()
//	for u.Next() {
//		u.End(change(u.Context()))
//	}
//	return u.Err()
//
// All of the Store's methods called with its Context read and write in the transaction.
//
// Writers are serialized: each begins by locking one row, the option that every program on these tables changes when it saves a
// post. So slugs, counts and sums stay correct without kinds of locks that clusters do not support; where nodes of a cluster
// commit at the same time, that row lets one of them win. A transaction that conflicts with another is retried for a limited
// time, so a change may be made more than once and must not use what an earlier attempt read.
//
// A unit within another one is a savepoint of its transaction. A unit of another Store is independent of it.
func (s *Transactions) Begin(ctx context.Context) (*Unit, error) {
	if s.db.config.ReadOnly {
		return nil, errReadOnly
	}
	u := &Unit{of: s, request: ctx, inner: ctx}
	if u.within = s.db.writing(ctx); u.within != nil {
		return u, nil
	}
	if s.waitsForItself(ctx) {
		return nil, errWithin
	}
	if err := s.companion.Find(ctx); err != nil {
		return nil, err
	}
	var err error
	u.shape, err = s.shape(ctx)
	u.until = s.conflictsUntil(ctx)
	return u, err
}

// Context returns the context of the current attempt.
func (u *Unit) Context() context.Context { return u.inner }

// Err returns the result of a unit that is over: nil if its changes are stored.
func (u *Unit) Err() error { return u.err }

// Next begins an attempt. It returns false when the unit is over.
func (u *Unit) Next() bool {
	for !u.over {
		err := u.start()
		if err == nil {
			return true
		}
		u.decide(err)
	}
	return false
}

// End ends an attempt with the error of what was done in it.
func (u *Unit) End(err error) {
	switch {
	case u.within != nil:
		u.finish(u.endSavepoint(err))
	case err == nil && u.write.lost == nil:
		u.decide(u.commit())
	default:
		if u.write.lost != nil {
			err = u.write.lost
		}
		u.rollBack(err)
		u.decide(err)
	}
}

// Close ends a unit that may not be over, for example after a panic, and rolls back what is not committed.
func (u *Unit) Close() {
	switch {
	case u.write == nil:
	case u.within != nil:
		u.finish(u.endSavepoint(errClosed))
	default:
		u.rollBack(errClosed)
	}
	u.over = true
	if u.turn != nil {
		u.turn.Leave()
	}
	if u.doubt != nil {
		u.doubt.close()
		u.doubt = nil
	}
	if u.reads != nil {
		u.reads.close()
		u.reads = nil
	}
}

// KeepConnection makes the unit keep the connection of its committed transaction until Close, for Read. It has no effect on a
// savepoint.
func (u *Unit) KeepConnection() { u.keeps = true }

// Read calls read, once the unit is committed, with a context whose reads are in another transaction on the same connection. So they
// see what the unit stored, whichever servers a cluster or a proxy sends other reads to, and one state of the database, without the
// lock that other writers wait for. KeepConnection must have been called before the unit began.
func (u *Unit) Read(read func(context.Context) error) error {
	on := u.reads
	if err := on.step(u.request, func() {}, on.beginReading); err != nil {
		return err
	}
	defer func() {
		if on.step(u.request, func() {}, on.rollBack) != nil {
			on.drop()
		}
	}()
	within, end := u.of.Reading(u.request, on.tx)
	defer end()
	writingOn(within, u.of.db.pool.DB).shape = u.shape
	return read(within)
}

// errClosed rolls back a unit whose change did not return.
var errClosed = errors.New("store: the unit of work was closed before its end")

// start waits for a write slot and begins the transaction, or sets the savepoint.
func (u *Unit) start() error {
	if u.within != nil {
		return u.setSavepoint()
	}
	if u.turn == nil {
		var err error
		if u.turn, err = u.of.queue.Enter(u.request); err != nil {
			return err
		}
		if err := u.of.queue.Yield(u.request); err != nil {
			return err
		}
		u.tries++
		u.inTurn = 0
	}
	u.inTurn++
	u.began = time.Now()
	return u.begin()
}

// begin gets a connection, sets the session variables of writes and begins a transaction by locking the row that all
// writers lock.
func (u *Unit) begin() error {
	if u.on = u.doubt; u.on == nil {
		u.on = &session{db: u.of.db, patient: !u.of.db.IsMySQL()}
	}
	if err := u.on.step(u.request, u.turn.Leave, u.on.open); err != nil {
		u.release()
		return err
	}
	if err := u.on.step(u.request, u.turn.Leave, u.on.begin); err != nil {
		u.on.drop()
		u.release()
		return err
	}
	u.inner, u.write = u.of.newWrite(u.request, u.on.tx)
	u.write.shape = u.shape
	err := u.of.acquireWriteLock(u.inner)
	if err == nil {
		return nil
	}
	if dberr.IsLockWait(err) {
		err = errQueued
	}
	u.rollBack(err)
	return err
}

// commit records for other programs that something was written, and commits. The session is restored before: if that
// fails, nothing is committed.
func (u *Unit) commit() error {
	w, on := u.write, u.on
	err := u.of.finishWrite(u.inner, w)
	if err == nil && u.of.db.IsMySQL() && u.of.longestWrite > 0 && time.Since(w.began) > u.of.longestWrite {
		err = dberr.ErrTooLong
	}
	if err != nil {
		u.rollBack(err)
		return err
	}
	if err = on.step(u.request, u.turn.Leave, w.commit); err == nil {
		if u.keeps {
			u.reads = on
		}
		u.endAttempt()
		return nil
	}
	if !u.of.db.IsMySQL() {
		discard(on.conn) // it may still be within the transaction
	}
	if dberr.OutcomeUnknown(err) || on.running != nil {
		err = fmt.Errorf("%w: %w", ErrOutcomeUnknown, err)
	} else if dberr.RolledBackByGroup(err) {
		u.doubt = on
	}
	u.rollBack(err)
	return err
}

// rollBack rolls back an attempt that failed with an error and restores the session. A connection that may still be
// within the transaction is closed.
func (u *Unit) rollBack(err error) {
	on := u.on
	if on.running != nil { // the commit is in progress
		u.endAttempt()
		return
	}
	undone := on.step(u.request, u.turn.Leave, on.rollBack)
	switch {
	case dberr.ServerReadOnly(err):
		on.drop()
		if u.of.queue.MayLeave(time.Second) {
			u.of.leaveServer(u.request)
		}
	case undone != nil && !errors.Is(undone, sql.ErrTxDone): // as after a commit that failed
		on.drop()
	case on.running == nil:
		u.of.restore(u.request, on.conn)
	}
	u.endAttempt()
}

// endAttempt releases what the attempt used.
func (u *Unit) endAttempt() {
	u.write.ended.Store(true)
	u.write, u.inner = nil, u.request
	u.release()
}

// release returns the connection to the pool, unless the transaction is retried on it or Read will use it.
func (u *Unit) release() {
	if u.on != u.doubt && u.on != u.reads {
		u.on.close()
	}
	u.on = nil
}

// decide determines what follows after an attempt that ended with err: the unit is over, or is retried.
func (u *Unit) decide(err error) {
	if u.within != nil || u.turn == nil {
		u.finish(err)
		return
	}
	left := u.turn.Left()
	if !left {
		u.of.queue.RecordResult(u.began, err)
		if dberr.RolledBack(err) && (u.inTurn < attempts || time.Now().Before(u.until)) {
			// Transactions of its neighbours would win too, so it keeps its slot.
			if err := pause(u.request, rand.N(longestPause)); err != nil {
				u.finish(err)
			}
			return
		}
	}
	u.turn.Leave()
	u.turn = nil
	switch {
	case errors.Is(err, errQueued), left && dberr.RolledBack(err):
		u.tries--
		if err := u.request.Err(); err != nil {
			u.finish(err)
		}
	case err != nil && u.tries < attempts && (u.of.db.renamed(u.request, err) || u.of.db.reshaped(u.request, err, &u.shape)):
	case err == nil || dberr.RolledBack(err) || !dberr.Retryable(err) || u.tries >= attempts ||
		dberr.CutOff(err) && u.tries >= attemptsCutOff:
		u.finish(err)
	default:
		if err := pause(u.request, time.Duration(10+rand.IntN(30))*time.Millisecond<<u.tries); err != nil {
			u.finish(err)
		}
	}
}

// finish ends the unit. If one of its commits is in doubt, and nothing since has shown that it was rolled back, so is
// the outcome of the unit.
func (u *Unit) finish(err error) {
	if err != nil && u.doubt != nil && (dberr.FaultOf(err) != dberr.NoFault || u.request.Err() != nil) {
		err = fmt.Errorf("%w: %w", ErrOutcomeUnknown, err)
	}
	u.over, u.err = true, err
}

// oneKey is the context key of AsOne.
type oneKey struct{}

// AsOne returns a context of a Write in which nested units set no savepoints: an error in one of them rolls back the
// whole Write and is its error. It is meant for many units that rarely fail and can all be repeated, because each
// savepoint makes the database copy what is changed after it.
func (s *Transactions) AsOne(ctx context.Context) context.Context {
	return context.WithValue(ctx, oneKey{}, s.db.writing(ctx))
}

// setSavepoint begins a part of the transaction that can be rolled back separately.
func (u *Unit) setSavepoint() error {
	w := u.within
	if one, _ := u.request.Value(oneKey{}).(*write); one != w {
		u.mark = bun.Ident(fmt.Sprintf("agenda_part_%d", w.depth+1))
		if err := w.savepoint(u.request, "SAVEPOINT ?", u.mark); err != nil {
			return err
		}
	} else if w.lost != nil {
		return w.lost
	}
	w.depth++
	u.write = w
	return nil
}

// endSavepoint releases the savepoint, or rolls back to it if there is an error. After an error with which the whole
// transaction is lost it does neither.
func (u *Unit) endSavepoint(err error) error {
	w := u.within
	u.write = nil
	w.depth--
	if err != nil && w.lost == nil && (u.mark == "" || dberr.Retryable(err) || dberr.FaultOf(err) != dberr.NoFault) {
		w.lost = err
	}
	switch {
	case w.lost != nil && err != nil:
		return err
	case u.mark == "":
		return w.lost
	case err == nil:
		return w.savepoint(u.request, "RELEASE SAVEPOINT ?", u.mark)
	}
	clear(w.found)
	clear(w.access)
	for _, statement := range [...]string{"ROLLBACK TO SAVEPOINT ?", "RELEASE SAVEPOINT ?"} {
		if undone := w.savepoint(u.request, statement, u.mark); undone != nil {
			return undone
		}
	}
	return err
}

// savepoint sends a statement about a savepoint. If it fails, so does the whole transaction.
func (w *write) savepoint(ctx context.Context, statement string, mark bun.Ident) error {
	if w.lost != nil {
		return w.lost
	}
	_, err := w.tx.ExecContext(context.WithoutCancel(ctx), statement, mark)
	w.lost = err
	return err
}
