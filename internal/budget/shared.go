package budget

import (
	"context"
	"sync"
)

// Shared are bytes that several holders share. They are counted once, for as long as somebody holds them, and never
// rejected, because they exist already. A nil Shared counts nothing.
type Shared struct {
	mu    sync.Mutex
	holds int
	size  int64
	claim Claim
}

// Share returns bytes without a holder, nil if they are too few to be counted.
func (p *Pool) Share(n int64) *Shared {
	if p == nil || n <= Free {
		return nil
	}
	return &Shared{size: n - Free, claim: Claim{pool: p, counted: true}}
}

// Hold adds a holder of the bytes, until Drop.
func (s *Shared) Hold() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds++; s.holds == 1 {
		_ = s.claim.claimBytes(s.size, false)
	}
}

// Drop removes a holder.
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

// HoldUntil adds a holder of the bytes until ctx ends, unless it never ends.
func (s *Shared) HoldUntil(ctx context.Context) {
	if s == nil || ctx.Done() == nil {
		return
	}
	s.Hold()
	context.AfterFunc(ctx, s.Drop)
}
