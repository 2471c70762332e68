package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// ErrOutcomeUnknown says that the connection was lost while a transaction was
// committed: its changes may or may not be there.
var ErrOutcomeUnknown = errors.New("store: the connection was lost at commit")

// attempts is how often a transaction is tried when others are in its way.
const attempts = 6

// write is a transaction that a context carries.
type write struct {
	tx    bun.Tx
	dirty bool // something was written
}

type writeKey struct{}

func writing(ctx context.Context) *write {
	w, _ := ctx.Value(writeKey{}).(*write)
	return w
}

// Write runs fn in one transaction: all of the Store's methods called with fn's
// context read and write in it. What fn returns as an error undoes everything.
//
// Writers take turns: each begins by locking one row, the option that every
// program on these tables changes when it saves a post. So slugs, counts and
// sums stay right without locks that clusters do not have; where nodes of a
// cluster commit at the same time, that row lets one of them win. A transaction
// that another one stood in the way of is run again, a bounded number of times,
// so fn may be called more than once and must not keep what an earlier call read.
func (s *Store) Write(ctx context.Context, fn func(ctx context.Context) error) (err error) {
	for try := range attempts {
		if try > 0 {
			pause := time.Duration(10+rand.IntN(30)) * time.Millisecond << try
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err = s.writeOnce(ctx, fn); err == nil || !inTheWay(err) {
			return err
		}
	}
	return err
}

// mode is the sql_mode of writes: zero dates are ordinary values of these
// tables, and a text that does not fit is an error and not cut.
const mode = "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION"

const (
	setMode     = "SET @agenda_sql_mode = @@SESSION.sql_mode, SESSION sql_mode = ?"
	restoreMode = "SET SESSION sql_mode = @agenda_sql_mode"
)

// writeOnce pins a connection, so that the session's mode can be set for the
// transaction. It is restored before the commit: whatever fails, nothing was
// written then.
func (s *Store) writeOnce(ctx context.Context, fn func(ctx context.Context) error) (err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if s.isMySQL() {
		if _, err := conn.ExecContext(ctx, setMode, mode); err != nil {
			discard(conn)
			return err
		}
	}
	done := false
	// The transaction ends by commit or rollback, not by the context: what a
	// canceled request leaves behind must not depend on which is faster.
	tx, err := conn.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		discard(conn)
		return err
	}
	defer func() {
		if !done {
			_ = tx.Rollback()
			s.restore(ctx, conn)
		}
	}()
	w := &write{tx: tx}
	inner := context.WithValue(ctx, writeKey{}, w)
	if err := s.takeTurn(inner); err != nil {
		return err
	}
	if err := fn(inner); err != nil {
		return err
	}
	if err := s.endTurn(inner, w); err != nil {
		return err
	}
	if w.dirty {
		defer s.totals.forget()
	}
	if err := tx.Commit(); err != nil {
		var answer *mysql.MySQLError
		if !errors.As(err, &answer) && Unavailable(err) {
			return fmt.Errorf("%w: %w", ErrOutcomeUnknown, err)
		}
		return err
	}
	done = true
	return nil
}

// restore sets the session's mode back after a rollback. A connection on which
// that fails is closed, since others would get it from the pool.
func (s *Store) restore(ctx context.Context, conn bun.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if !s.isMySQL() {
		return
	}
	if _, err := conn.ExecContext(ctx, restoreMode); err != nil {
		discard(conn)
	}
}

// discard closes a connection for good.
func discard(conn bun.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}

// takeTurn locks the row that all writers lock first, and makes it where there
// is none.
func (s *Store) takeTurn(ctx context.Context) error {
	q := s.db.NewSelect().TableExpr("?(prefix)options").Column("option_id").Where("option_name = ?", schema.OptionLastSavePost)
	found, err := ids(ctx, s.locked(q))
	if err != nil || len(found) > 0 {
		return err
	}
	return insert(ctx, &schema.Option{Name: schema.OptionLastSavePost, Autoload: "on"})
}

// endTurn tells other programs that something was written, and restores the
// session's mode.
func (s *Store) endTurn(ctx context.Context, w *write) error {
	if w.dirty {
		if err := s.setOption(ctx, schema.OptionLastSavePost, Microtime(s.now())); err != nil {
			return err
		}
	}
	if !s.isMySQL() {
		return nil
	}
	_, err := w.tx.ExecContext(ctx, restoreMode)
	return err
}

// Microtime is a moment as other programs store it: seconds with a fraction.
func Microtime(t time.Time) string {
	return fmt.Sprintf("%d.%04d", t.Unix(), t.Nanosecond()/100_000)
}

// collisions are the answers after which a transaction can succeed when it is
// run again: deadlock, lock wait, a row that changed meanwhile, a node that left
// its cluster, a cluster that chose another writer, a key that someone else took.
var collisions = []uint16{1213, 1205, 1020, 1047, 1180, 1062}

// collided tells that others were in the way.
func collided(number uint16) bool { return number != 1062 && slices.Contains(collisions, number) }

// inTheWay tells whether a transaction failed because of others.
func inTheWay(err error) bool {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return slices.Contains(collisions, answer.Number)
	}
	text := err.Error()
	return strings.Contains(text, "database is locked") || strings.Contains(text, "UNIQUE constraint failed")
}

// conn returns the transaction of a Write and notes that it changes something.
func (w *write) conn() bun.Tx {
	w.dirty = true
	return w.tx
}

// insert adds one row and sets its id in the model.
func insert(ctx context.Context, row any) error {
	_, err := writing(ctx).tx.NewInsert().Model(row).Exec(ctx)
	return err
}
