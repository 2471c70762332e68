// Package budget bounds memory: that of one answer, and that of all answers in the making
// together. What an answer is made of is claimed before it is read or rendered, and given
// back when the answer was sent.
package budget

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Errors of claims.
var (
	// ErrTooLarge is the error of an answer, or of what it is made of, beyond the bound of one.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrFull is the error where other answers left no room for long.
	ErrFull = errors.New("there is no room for the answer beside others in the making")
)

const (
	// Free is what a claim has without the pool, in bytes: like the buffers of its connection,
	// an answer of usual size is bounded by how many connections there are.
	Free = 64 << 10
	// least is the room of an answer that begins.
	least = 16 << 10
	// patience is the part of its remaining time, and longest how long, a claim waits for room.
	patience = 6
	longest  = 5 * time.Second
)

// Pool is the memory of all answers in the making together. It is safe for concurrent use.
type Pool struct {
	max int64 // negative for no bound

	mu      sync.Mutex
	used    int64
	beyond  *Claim    // the one that goes beyond the bound
	waiting []*waiter // in turn
}

// waiter is a claim that waits for room.
type waiter struct {
	claim *Claim
	n     int64
	ready chan struct{} // closed when it has the room
}

// NewPool returns a Pool of about max bytes, a negative number for no bound.
func NewPool(max int64) *Pool { return &Pool{max: max} }

// Used returns the bytes that are claimed now.
func (p *Pool) Used() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}

// grant claims n bytes if there is room. Where there is none, one claim at a time may go
// beyond the bound: claims that each hold a part would wait for each other for ever, and one
// that is larger than the pool would never get through. The lock is held when it is called.
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

// crowded reports whether n bytes more go beyond the bound because of other claims.
func (p *Pool) crowded(c *Claim, n int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.max >= 0 && p.used+n > p.max && p.used > c.held
}

// give returns n bytes of a claim, and lets those go on that waited for them.
func (p *Pool) give(c *Claim, n int64) {
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

// take claims n bytes. With wait it waits for room.
func (p *Pool) take(ctx context.Context, c *Claim, n int64, wait bool) error {
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

// waitOf returns how long to wait for room. What is left of the time is for the answer.
func waitOf(ctx context.Context) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return min(time.Until(end)/patience, longest)
	}
	return longest
}

// leave ends the waiting for a reason, unless it has ended.
func (p *Pool) leave(w *waiter, reason error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, other := range p.waiting {
		if other == w {
			p.waiting = append(p.waiting[:i:i], p.waiting[i+1:]...)
			return reason
		}
	}
	return nil // it has the room
}

// Claim is what one answer takes of a Pool. It belongs to one goroutine. The first error
// of a claim stays: what is made afterwards is not whole. A nil *Claim has no bound.
type Claim struct {
	pool    *Pool
	ctx     context.Context
	one     int64 // the bound of one answer, negative for none
	max     int64 // of this one, and of the rows that it is made of; negative for no bound
	counted bool
	held    int64 // of the pool
	free    int64 // left of Free
	rows    int64 // read
	// expected is what is claimed for rows that are not read yet.
	expected int64
	buffer   int64 // room of the answer
	reserved int64
	err      error
}

// Claim returns the claim of an answer. It waits for room until ctx ends. max is the bound
// of one answer in bytes, negative for none; it holds from Bound on.
func (p *Pool) Claim(ctx context.Context, max int64) *Claim {
	return &Claim{pool: p, ctx: ctx, one: max, max: -1, free: Free}
}

// Part returns the claim of a part of what a claim counts: the part is within the bound of
// one answer, unless it is whole.
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

// Beside returns a claim of the same pool for something that is made in addition to the answer, such as a decoded picture. It waits
// for room until ctx ends, whatever c does.
func (c *Claim) Beside(ctx context.Context) *Claim {
	if c == nil {
		return nil
	}
	return &Claim{pool: c.pool, ctx: ctx, one: -1, max: -1}
}

// Max returns the bound of the answer, negative for none.
func (c *Claim) Max() int64 {
	if c == nil {
		return -1
	}
	return c.max
}

// Fits reports whether rows of n bytes more are within half of the bound: the answer is made of more than one reading.
func (c *Claim) Fits(n int64) bool { return c == nil || c.max < 0 || c.rows+n <= c.max/2 }

// Retry forgets that the answer was too large, so that a shorter one is written. It reports whether that was all.
func (c *Claim) Retry() bool {
	if c == nil || c.err != ErrTooLarge {
		return false
	}
	c.err = nil
	return true
}

// Unbound lifts the bound of one answer. The pool's stays.
func (c *Claim) Unbound() {
	if c != nil {
		c.max = -1
	}
}

// Count makes a claim only count: nothing is too large for it, and it goes beyond the bound
// of the pool rather than wait.
func (c *Claim) Count() {
	if c != nil {
		c.counted, c.max = true, -1
	}
}

// Bound makes an answer beyond the bound of one too large, and one that is made of more bytes
// of rows, unless the claim only counts.
func (c *Claim) Bound() {
	if c != nil && !c.counted {
		c.max = c.one
	}
}

// Reserve claims n bytes in all for what is about to be stored, without waiting. It refuses
// that where others leave no room; what it does not refuse is answered, whatever that takes.
func (c *Claim) Reserve(n int64) error {
	if c == nil || n <= c.reserved {
		return nil
	}
	if n -= c.reserved; c.pool.crowded(c, n) {
		return ErrFull
	}
	c.reserved += n
	return c.take(n, false)
}

// Stored returns the bytes of the rows that were read.
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

// Fail gives the claim an error, if it has none.
func (c *Claim) Fail(err error) error {
	if c != nil && c.err == nil {
		c.err = err
	}
	return err
}

// take claims n bytes beyond those that are free.
func (c *Claim) take(n int64, wait bool) error {
	switch {
	case c == nil:
		return nil
	case c.err != nil:
		return c.err
	}
	free := min(n, c.free)
	if n -= free; n > 0 {
		if err := c.pool.take(c.ctx, c, n, wait); err != nil {
			return c.Fail(err)
		}
	}
	c.free -= free
	return nil
}

// Take claims n bytes, and waits for room.
func (c *Claim) Take(n int64) error { return c.take(n, true) }

// Give returns n bytes.
func (c *Claim) Give(n int64) {
	if c == nil || n <= 0 {
		return
	}
	back := min(n, c.held)
	c.free = min(c.free+n-back, Free)
	if back > 0 {
		c.pool.give(c, back)
	}
}

// Keep gives back all but n bytes: when the answer is made, it is all that is left.
func (c *Claim) Keep(n int64) {
	if c != nil {
		c.Give(c.held - max(0, n-Free))
	}
}

// Release gives everything back.
func (c *Claim) Release() { c.Keep(0) }

// Rows claims n bytes of rows that are about to be read, and waits for room.
func (c *Claim) Rows(n int64) error {
	if c == nil {
		return nil
	}
	if c.rows += n; c.max >= 0 && c.rows > c.max {
		return c.Fail(ErrTooLarge)
	}
	return c.take(n, true)
}

// Expect claims room for rows of about n bytes, whose lengths are not known yet, and waits
// for it.
func (c *Claim) Expect(n int64) error {
	if c == nil || n <= c.expected {
		return nil
	}
	err := c.take(n-c.expected, true)
	c.expected = n
	return err
}

// Row counts n bytes of a row that was read. Beyond what was expected it claims room, but
// does not wait: others would wait for the connection to the database so long.
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
	return c.take(more, false)
}

// Room returns how many bytes the buffer of an answer may have that needs n, fewer than n
// if it may not have as many.
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
	if c.take(max(0, room-c.buffer), true) != nil {
		return 0
	}
	c.buffer = max(c.buffer, room)
	return int(room)
}

type mostKey struct{}

// AtMost returns a context of which an answer has at most n bytes, and as many of rows: a larger one is too large before it is read.
func AtMost(ctx context.Context, n int64) context.Context {
	return context.WithValue(ctx, mostKey{}, n)
}

// Most returns the bound of an answer of a context, which is max unless that has a lower one.
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

// From returns the claim of ctx, nil without one.
func From(ctx context.Context) *Claim {
	c, _ := ctx.Value(claimKey{}).(*Claim)
	return c
}

type countedKey struct{}

// Counted returns a context in which requests only count what they take: they are a part of
// something that goes on for longer, such as a transaction or an export.
func Counted(ctx context.Context) context.Context { return context.WithValue(ctx, countedKey{}, true) }

// OnlyCounts reports whether requests of ctx only count what they take.
func OnlyCounts(ctx context.Context) bool { return ctx.Value(countedKey{}) != nil }

// Shared are bytes that several hold at once. They are counted once, as long as somebody
// holds them, and never refused, as they are there already. nil are none.
type Shared struct {
	mu    sync.Mutex
	holds int
	size  int64
	claim Claim
}

// Share returns bytes that nobody holds yet, nil if they are too few to be counted.
func (p *Pool) Share(n int64) *Shared {
	if p == nil || n <= Free {
		return nil
	}
	return &Shared{size: n - Free, claim: Claim{pool: p, counted: true}}
}

// Hold counts one more who holds the bytes, until Drop.
func (s *Shared) Hold() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds++; s.holds == 1 {
		_ = s.claim.take(s.size, false)
	}
}

// Drop counts one less.
func (s *Shared) Drop() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds--; s.holds == 0 {
		s.claim.Give(s.size)
	}
}
