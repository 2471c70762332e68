// Package budget bounds memory: that of one answer, and that of all answers in progress together. The memory of an
// answer is claimed before its data are read or rendered, and returned when the answer has been sent.
package budget

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Errors of claims.
var (
	// ErrTooLarge is the error of an answer that exceeds the limit of one answer, or whose rows do.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrFull is the error if other answers use all memory for too long.
	ErrFull = errors.New("there is not enough memory for another large response")
)

const (
	// Free is what a claim has without the pool, in bytes. Like the buffers of connections, answers of usual size are
	// bounded by the number of connections.
	Free = 64 << 10
	// least is the initial size of an answer's buffer.
	least = 16 << 10
	// A claim waits for memory for 1/patience of the remaining time of its request, at most longest.
	patience = 6
	longest  = 5 * time.Second
)

// Pool is the memory of all answers in progress together. It is safe for concurrent use.
type Pool struct {
	max int64 // negative for no limit

	mu      sync.Mutex
	used    int64
	beyond  *Claim    // the one claim that exceeds the limit
	waiting []*waiter // in order of arrival
}

// waiter is a claim that waits for memory.
type waiter struct {
	claim *Claim
	n     int64
	ready chan struct{} // closed when the memory is granted
}

// NewPool returns a Pool of about max bytes; a negative number means no limit.
func NewPool(max int64) *Pool { return &Pool{max: max} }

// Used returns the number of bytes that are claimed.
func (p *Pool) Used() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}

// grant claims n bytes if they are available. Otherwise one claim at a time may exceed the limit: claims that each hold
// a part would wait for each other for ever, and one that is larger than the pool would never be granted. The lock must
// be held.
func (p *Pool) grant(c *Claim, n int64) bool {
	switch {
	case p.max < 0 || p.used+n <= p.max || p.beyond == c || c.counted:
	case p.beyond == nil:
		p.beyond = c
	default:
		return false
	}
	p.used += n
	c.held += n
	return true
}

// crowded reports whether n more bytes exceed the limit because of other claims.
func (p *Pool) crowded(c *Claim, n int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.max >= 0 && p.used+n > p.max && p.used > c.held
}

// releaseBytes returns n bytes of a claim and wakes those that waited for them.
func (p *Pool) releaseBytes(c *Claim, n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used -= n
	c.held -= n
	if p.beyond != nil && (p.used <= p.max || p.beyond == c && c.held == 0) {
		p.beyond = nil
	}
	for len(p.waiting) > 0 && p.grant(p.waiting[0].claim, p.waiting[0].n) {
		close(p.waiting[0].ready)
		p.waiting = p.waiting[1:]
	}
}

// claimBytes claims n bytes. With wait it waits until they are available.
func (p *Pool) claimBytes(ctx context.Context, c *Claim, n int64, wait bool) error {
	p.mu.Lock()
	granted := p.grant(c, n)
	if granted || !wait {
		p.mu.Unlock()
		if granted {
			return nil
		}
		return ErrFull
	}
	w := &waiter{c, n, make(chan struct{})}
	p.waiting = append(p.waiting, w)
	p.mu.Unlock()
	timer := time.NewTimer(waitOf(ctx))
	defer timer.Stop()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
		return p.leave(w, ctx.Err())
	case <-timer.C:
		return p.leave(w, ErrFull)
	}
}

// waitOf returns how long to wait for memory. The remaining time is for the answer itself.
func waitOf(ctx context.Context) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return min(time.Until(end)/patience, longest)
	}
	return longest
}

// leave ends the waiting with an error, unless the memory has been granted.
func (p *Pool) leave(w *waiter, reason error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		return reason
	}
	return nil // the memory has been granted
}

// Claim is what one answer uses of a Pool. It belongs to one goroutine. The first error of a claim stays, because what
// is made afterwards is incomplete. A nil *Claim has no limit.
type Claim struct {
	pool    *Pool
	ctx     context.Context
	one     int64 // the limit of one answer, negative for none
	max     int64 // the limit of this answer and of the rows that it is made of; negative for none
	counted bool
	held    int64 // claimed from the pool
	free    int64 // what is left of Free
	rows    int64 // bytes of rows read
	// expected is what is claimed for rows that are not read yet.
	expected int64
	buffer   int64 // size of the answer's buffer
	reserved int64
	err      error
}

// Claim returns the claim of an answer. It waits for memory until ctx ends. max is the limit of one answer in bytes,
// negative for none; it applies after a call of Bound.
func (p *Pool) Claim(ctx context.Context, max int64) *Claim {
	return &Claim{pool: p, ctx: ctx, one: max, max: -1, free: Free}
}

// Part returns the claim of a part of what c counts. The limit of one answer applies to the part unless whole is set.
func (c *Claim) Part(whole bool) *Claim {
	if c == nil {
		return nil
	}
	part := &Claim{pool: c.pool, ctx: c.ctx, one: c.one, max: c.one, counted: true, free: Free}
	if whole {
		part.max = -1
	}
	return part
}

// Beside returns a claim of the same pool for something that is made in addition to the answer, such as a decoded
// image. It waits for memory until ctx ends, independently of c.
func (c *Claim) Beside(ctx context.Context) *Claim {
	if c == nil {
		return nil
	}
	return &Claim{pool: c.pool, ctx: ctx, one: -1, max: -1}
}

// Max returns the limit of the answer, negative for none.
func (c *Claim) Max() int64 {
	if c == nil {
		return -1
	}
	return c.max
}

// Fits reports whether n more bytes of rows are within half of the limit. It serves answers that read more than once.
func (c *Claim) Fits(n int64) bool { return c == nil || c.max < 0 || c.rows+n <= c.max/2 }

// Retry clears ErrTooLarge, so that a shorter answer can be written. It reports whether the claim has no other error.
func (c *Claim) Retry() bool {
	if c == nil || c.err != ErrTooLarge {
		return false
	}
	c.err = nil
	return true
}

// Unbound removes the limit of one answer. That of the pool stays.
func (c *Claim) Unbound() {
	if c != nil {
		c.max = -1
	}
}

// Count makes a claim only count: nothing is too large for it, and it exceeds the limit of the pool instead of waiting.
func (c *Claim) Count() {
	if c != nil {
		c.counted, c.max = true, -1
	}
}

// Bound makes the limit of one answer apply to the answer and to the rows that it is made of, unless the claim only
// counts.
func (c *Claim) Bound() {
	if c != nil && !c.counted {
		c.max = c.one
	}
}

// Reserve claims n bytes in total, without waiting, for something that is about to be stored. It returns an error if
// others use all memory; otherwise the request is answered, however much memory that needs.
func (c *Claim) Reserve(n int64) error {
	if c == nil || n <= c.reserved {
		return nil
	}
	if n -= c.reserved; c.pool.crowded(c, n) {
		return ErrFull
	}
	c.reserved += n
	return c.claimBytes(n, false)
}

// Stored returns the number of bytes of rows that were read.
func (c *Claim) Stored() int64 {
	if c == nil {
		return 0
	}
	return c.rows
}

// Err returns the first error of the claim.
func (c *Claim) Err() error {
	if c == nil {
		return nil
	}
	return c.err
}

// Fail sets the error of the claim, if it has none.
func (c *Claim) Fail(err error) error {
	if c != nil && c.err == nil {
		c.err = err
	}
	return err
}

// claimBytes claims n bytes in addition to the free ones.
func (c *Claim) claimBytes(n int64, wait bool) error {
	switch {
	case c == nil:
		return nil
	case c.err != nil:
		return c.err
	}
	free := min(n, c.free)
	if n -= free; n > 0 {
		if err := c.pool.claimBytes(c.ctx, c, n, wait); err != nil {
			return c.Fail(err)
		}
	}
	c.free -= free
	return nil
}

// Wait claims n bytes and waits until they are available.
func (c *Claim) Wait(n int64) error { return c.claimBytes(n, true) }

// Give returns n bytes.
func (c *Claim) Give(n int64) {
	if c == nil || n <= 0 {
		return
	}
	back := min(n, c.held)
	c.free = min(c.free+n-back, Free)
	if back > 0 {
		c.pool.releaseBytes(c, back)
	}
}

// Keep returns all but n bytes, which is what is left when the answer has been made.
func (c *Claim) Keep(n int64) {
	if c != nil {
		c.Give(c.held - max(0, n-Free))
	}
}

// Release returns everything.
func (c *Claim) Release() { c.Keep(0) }

// Rows claims n bytes for rows that are about to be read, and waits until they are available.
func (c *Claim) Rows(n int64) error {
	if c == nil {
		return nil
	}
	if c.rows += n; c.max >= 0 && c.rows > c.max {
		return c.Fail(ErrTooLarge)
	}
	return c.claimBytes(n, true)
}

// Expect claims about n bytes for rows whose lengths are not known yet, and waits until they are available.
func (c *Claim) Expect(n int64) error {
	if c == nil || n <= c.expected {
		return nil
	}
	err := c.claimBytes(n-c.expected, true)
	c.expected = n
	return err
}

// Row counts n bytes of a row that was read. More than was expected is claimed without waiting, because others would
// have to wait for the database connection meanwhile.
func (c *Claim) Row(n int64) error {
	if c == nil {
		return nil
	}
	if c.rows += n; c.max >= 0 && c.rows > c.max {
		return c.Fail(ErrTooLarge)
	}
	if c.expected -= n; c.expected >= 0 {
		return nil
	}
	more := Free - c.expected
	c.expected = Free
	return c.claimBytes(more, false)
}

// Room returns the size to which the buffer of an answer that needs n bytes may grow. It is less than n if the buffer
// may not grow that much.
func (c *Claim) Room(n int) int {
	if c == nil {
		return 2 * n
	}
	if c.max >= 0 && int64(n) > c.max {
		_ = c.Fail(ErrTooLarge)
		return 0
	}
	room := max(2*int64(n), least)
	if c.max >= 0 {
		room = min(room, c.max)
	}
	if c.claimBytes(max(0, room-c.buffer), true) != nil {
		return 0
	}
	c.buffer = max(c.buffer, room)
	return int(room)
}

// Reserve claims n bytes until ctx ends, and waits until they are available. A nil Pool has no limit.
func (p *Pool) Reserve(ctx context.Context, n int64) error {
	if p == nil {
		return nil
	}
	c := &Claim{pool: p, ctx: ctx, one: -1, max: -1}
	err := c.Wait(n)
	context.AfterFunc(ctx, c.Release)
	return err
}

type mostKey struct{}

// AtMost returns a context in which an answer, and the rows that it is made of, may have at most n bytes: a larger one
// is rejected before it is read.
func AtMost(ctx context.Context, n int64) context.Context {
	return context.WithValue(ctx, mostKey{}, n)
}

// Most returns the limit of an answer of a context: max, unless the context has a lower one.
func Most(ctx context.Context, max int64) int64 {
	n, lower := ctx.Value(mostKey{}).(int64)
	if !lower || max >= 0 && max < n {
		return max
	}
	return n
}

type claimKey struct{}

// With returns a context with a claim.
func With(ctx context.Context, c *Claim) context.Context {
	return context.WithValue(ctx, claimKey{}, c)
}

// From returns the claim of ctx, nil if it has none.
func From(ctx context.Context) *Claim {
	c, _ := ctx.Value(claimKey{}).(*Claim)
	return c
}

type countedKey struct{}

// Counted returns a context in which requests only count what they use, because they are part of something longer, such
// as a transaction or an export.
func Counted(ctx context.Context) context.Context { return context.WithValue(ctx, countedKey{}, true) }

// OnlyCounts reports whether requests of ctx only count what they use.
func OnlyCounts(ctx context.Context) bool { return ctx.Value(countedKey{}) != nil }
