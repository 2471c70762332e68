package change

import (
	"context"
	"time"
)

// renewals is the number of parts into which Recent divides the maximum age of a state. A state that is older than one
// part is renewed in the background, so that an answer made with it can be used for most of that age.
const renewals = 8

// longestUnpolled is how long a state is used after its poll because Versions.Unchanged says so. A poll also counts what
// it finds, and keeps the connection from being idle.
const longestUnpolled = time.Second

// Recent returns the state that the last poll found, if that began at most maxStale before the call and this program
// has committed nothing since. If maxStale is 0, nobody may have committed anything since. Otherwise it polls. It is for
// reads whose answers may lack what other programs committed within that time.
func (c *Tracker) Recent(ctx context.Context, maxStale time.Duration) *State {
	if c == nil {
		return nil
	}
	if s := c.recentState(ctx, maxStale); s != nil {
		return s
	}
	s, _, err := c.looks.Do(ctx, struct{}{}, nil, c.polling(ctx))
	if err != nil {
		return nil
	}
	return s
}

// polling returns what polls for all callers that arrive before its query is sent. They wait for it, so it does not end
// when the caller with this context is cancelled.
func (c *Tracker) polling(ctx context.Context) func() (*State, bool, error) {
	return func() (*State, bool, error) { return c.pollSource(context.WithoutCancel(ctx)), true, nil }
}

// recentState returns the state for Recent if that needs no poll, otherwise nil.
func (c *Tracker) recentState(ctx context.Context, maxStale time.Duration) *State {
	if maxStale > 0 {
		return c.latestWithin(ctx, maxStale)
	}
	return c.latestUnchanged()
}

// latestWithin returns the state that the last poll found, nil if it is too old or this program has committed something since.
func (c *Tracker) latestWithin(ctx context.Context, maxStale time.Duration) *State {
	s := c.latest.Load()
	if s == nil || s.own != c.ownCommits() {
		return nil
	}
	age := c.now().Sub(s.began)
	if age > maxStale {
		return nil
	}
	if age > maxStale/renewals && c.renewing.CompareAndSwap(false, true) {
		go func() {
			defer c.renewing.Store(false)
			_, _, _ = c.looks.Do(context.WithoutCancel(ctx), struct{}{}, nil, c.polling(ctx))
		}()
	}
	return s
}

// latestUnchanged returns the state that the last poll found, nil if something may have been committed since.
func (c *Tracker) latestUnchanged() *State {
	s := c.latest.Load()
	if s == nil || s.unchanged == nil || s.own != c.ownCommits() || c.now().After(s.until) || !s.unchanged() {
		return nil
	}
	c.unpolled.Add(1)
	return s
}
