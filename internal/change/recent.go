package change

import (
	"context"
	"time"
)

// renewals is the number of parts into which Recent divides the maximum age of a state. A state that is older than one
// part is renewed in the background, so that an answer made with it can be used for most of that age.
const renewals = 8

// Recent returns the state that the last poll found, if that began at most maxStale before the call and this program
// has committed nothing since. Otherwise it polls. It is for reads whose answers may lack what other programs committed
// within that time.
func (c *Tracker) Recent(ctx context.Context, maxStale time.Duration) *State {
	if c == nil || maxStale <= 0 {
		return c.Poll(ctx)
	}
	s := c.latest.Load()
	if s == nil || s.own != c.ownCommits() {
		return c.Poll(ctx)
	}
	age := c.now().Sub(s.began)
	if age > maxStale {
		return c.Poll(ctx)
	}
	if age > maxStale/renewals && c.renewing.CompareAndSwap(false, true) {
		go func() {
			defer c.renewing.Store(false)
			c.Poll(context.WithoutCancel(ctx))
		}()
	}
	return s
}
