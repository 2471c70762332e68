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
	var s *State
	if maxStale > 0 {
		s = c.latestWithin(ctx, maxStale)
	} else {
		s = c.latestUnchanged()
	}
	if s == nil {
		s = c.poll(ctx)
	}
	return s
}

// poll polls, once for all callers that arrive before the query is sent.
func (c *Tracker) poll(ctx context.Context) *State {
	s, _, err := c.looks.Do(ctx, struct{}{}, nil, func() (*State, bool, error) {
		// Others wait for the answer, so it does not end when this caller is cancelled.
		return c.pollSource(context.WithoutCancel(ctx)), true, nil
	})
	if err != nil {
		return nil
	}
	return s
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
			c.poll(context.WithoutCancel(ctx))
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
