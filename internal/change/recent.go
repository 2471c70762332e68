package change

import (
	"context"
	"time"
)

// renewals is into how many parts Recent divides the time that a state may be old: it renews one that is older than such a part in the
// background, so that an answer that is made with it can be used for most of that time.
const renewals = 8

// Recent returns the state that the last look found, if that began at most maxStale before the call and this program has committed
// nothing since; else it looks. It is for reads whose answers may lack what others committed within that time.
func (c *Tracker) Recent(ctx context.Context, maxStale time.Duration) *State {
	if c == nil || maxStale <= 0 {
		return c.Look(ctx)
	}
	s := c.latest.Load()
	if s == nil || s.own != c.ownCommits() {
		return c.Look(ctx)
	}
	age := c.now().Sub(s.began)
	if age > maxStale {
		return c.Look(ctx)
	}
	if age > maxStale/renewals && c.renewing.CompareAndSwap(false, true) {
		go func() {
			defer c.renewing.Store(false)
			c.Look(context.WithoutCancel(ctx))
		}()
	}
	return s
}
