package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"
)

// Counter records what a pool sends to its server, and can delay it or make it fail. Statements are numbered from 1, in
// the order in which they were sent since the last Reset; begin, commit and rollback are counted separately. Its
// methods may be called at any time from any goroutine. The zero value is ready for use; pass it to a pool with
// WithCounter or Wrap.
type Counter struct {
	mu         sync.Mutex
	statements []string
	tx         Transactions
	watch      func(ctx context.Context, query string)
	before     func(ctx context.Context, n int, query string) error
	after      func(query string)
	commit     error
	lose       bool // the commit succeeds, but its response is lost
	hold       <-chan struct{}
	maxRows    int // 0 for any number
	rewrite    func(query string) string
}

// Transactions counts the transactions that began, were committed and were rolled back.
type Transactions struct{ Begun, Committed, RolledBack int }

// Counted opens a database with open (New or SiteA) whose pool is recorded. The setup of connections is not counted.
func Counted(t testing.TB, open func(testing.TB, ...Option) *bun.DB, opts ...Option) (*bun.DB, *Counter) {
	t.Helper()
	c := new(Counter)
	return open(t, append(slices.Clone(opts), WithCounter(c))...), c
}

// Reset clears what was recorded, and undoes Before, After, FailAt, BlockAt, FailCommit, LoseCommit and HoldCommit.
func (c *Counter) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.statements, c.tx, c.before, c.after, c.commit, c.lose, c.hold = nil, Transactions{}, nil, nil, nil, false, nil
}

// Statements returns the statements sent since the last Reset, including those that were made to fail.
func (c *Counter) Statements() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.statements)
}

// Matching returns the statements that contain part, ignoring case.
func (c *Counter) Matching(part string) []string {
	return slices.DeleteFunc(c.Statements(), func(s string) bool {
		return !strings.Contains(strings.ToLower(s), strings.ToLower(part))
	})
}

// Transactions returns the number of transactions that began, were committed and were rolled back since the last Reset.
func (c *Counter) Transactions() Transactions {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tx
}

// Watch calls watch with every statement from now on, including those without a number. Reset does not undo it.
func (c *Counter) Watch(watch func(ctx context.Context, query string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch = watch
}

// Before calls hook before every statement, with its number and text. If the hook returns an error, the statement is
// not sent and fails with it. The hook may block, but should then end with ctx.
func (c *Counter) Before(hook func(ctx context.Context, n int, query string) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.before = hook
}

// After calls hook with the text of every statement after the server has answered it, before the pool gets the answer.
func (c *Counter) After(hook func(query string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.after = hook
}

// FailAt makes statement n (1 is the first after Reset) fail with err. It replaces an earlier Before.
func (c *Counter) FailAt(n int, err error) {
	c.Before(func(_ context.Context, i int, _ string) error {
		if i == n {
			return err
		}
		return nil
	})
}

// BlockAt blocks statement n until release is called or the statement's context ends, whose error the statement then
// returns. reached is closed when the statement arrives. It replaces an earlier Before.
func (c *Counter) BlockAt(n int) (reached <-chan struct{}, release func()) {
	arrived, open := make(chan struct{}), make(chan struct{})
	c.Before(func(ctx context.Context, i int, _ string) error {
		if i != n {
			return nil
		}
		close(arrived)
		select {
		case <-open:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	return arrived, sync.OnceFunc(func() { close(open) })
}

// FailCommit makes the next commit fail with err after rolling the transaction back.
func (c *Counter) FailCommit(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.commit, c.lose = err, false
}

// LoseCommit makes the next commit succeed but return err, as if the response had been lost.
func (c *Counter) LoseCommit(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.commit, c.lose = err, true
}

// HoldCommit makes the next commit wait until a channel is closed, as if the server did not respond.
func (c *Counter) HoldCommit(until <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold = until
}

// MaxRows makes statements fail that return, update or delete more than n rows, like a proxy in front of several servers.
func (c *Counter) MaxRows(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.maxRows = n
}

// Rewrite replaces statements without arguments before they are sent, to imitate proxies that answer some statements
// themselves.
func (c *Counter) Rewrite(to func(query string) string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rewrite = to
}

// rewritten returns the statement that replaces another one.
func (c *Counter) rewritten(query string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rewrite == nil {
		return query
	}
	return c.rewrite(query)
}

// bounded applies the limit of MaxRows to the rows of a statement.
func (c *Counter) bounded(rows driver.Rows, err error) (driver.Rows, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || c.maxRows == 0 {
		return rows, err
	}
	return &boundedRows{rows, c.maxRows}, nil
}

// boundedResult applies the limit of MaxRows to the rows that a statement updates or deletes. It has done so, as behind
// such a proxy, until the transaction is rolled back.
func (c *Counter) boundedResult(query string, result driver.Result, err error) (driver.Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || c.maxRows == 0 || !strings.HasPrefix(query, "DELETE") && !strings.HasPrefix(query, "UPDATE") {
		return result, err
	}
	if n, err := result.RowsAffected(); err != nil || n > int64(c.maxRows) {
		return nil, errors.Join(err, tooManyRows)
	}
	return result, nil
}

// Wrap returns a connector whose connections c records, for pools that this package does not open.
func (c *Counter) Wrap(inner driver.Connector) driver.Connector {
	return &countedConnector{inner, c}
}

// OfClock is the prefix of the statements by which a calendar polls for changes. They are sent at times that depend on
// other requests, so they are not recorded, and have the number 0. The same is true of all statements with the prefix
// ofCalendar, which a calendar sends in the background.
const (
	OfClock    = ofCalendar + "clock */"
	ofCalendar = "/* agenda "
)

// ofACalendar reports whether a calendar sends a statement in the background, so that it is not recorded.
func ofACalendar(query string) bool { return strings.HasPrefix(query, ofCalendar) }

// send records a statement, calls the hooks and executes it.
func send[T any](ctx context.Context, c *Counter, query string, run func() (T, error)) (T, error) {
	c.mu.Lock()
	n, watch, before, after := 0, c.watch, c.before, c.after
	if !ofACalendar(query) {
		c.statements = append(c.statements, query)
		n = len(c.statements)
	}
	c.mu.Unlock()
	if watch != nil {
		watch(ctx, query)
	}
	if before != nil {
		if err := before(ctx, n, query); err != nil {
			var none T
			return none, err
		}
	}
	if after != nil {
		defer after(query)
	}
	return run()
}

func (c *Counter) count(add func(*Transactions)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	add(&c.tx)
}

// takeCommitFailure returns the error for the next commit, and whether the commit succeeds nevertheless.
func (c *Counter) takeCommitFailure() (err error, lost bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	err, lost = c.commit, c.lose
	c.commit, c.lose = nil, false
	return err, lost
}

// waitToCommit waits for the channel of HoldCommit.
func (c *Counter) waitToCommit() {
	c.mu.Lock()
	hold := c.hold
	c.hold = nil
	c.mu.Unlock()
	if hold != nil {
		<-hold
	}
}
