package calendar

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/site"
)

// PublishDue publishes the scheduled posts whose date has come and returns how
// many. Once a day it also makes the next dates of events that follow from a rule
// without an end, on sites of our own. Several processes may call it at the same time. It is for hosts with a
// schedule of their own; Options.PublishEvery calls it regularly. After Close it
// returns ErrClosed. A calendar that only reads publishes nothing.
func (c *Calendar) PublishDue(ctx context.Context) (int, error) {
	end, err := c.engine.Writes.Begin()
	if err != nil {
		return 0, ErrClosed
	}
	defer end()
	if c.engine.ReadOnly != nil {
		return 0, nil
	}
	n, ended := 0, false
	defer func() { c.published.add(n, ended, c.options.Now) }() // also of a round that panics
	s, err := c.site.Settings(ctx)
	if err != nil {
		return 0, err
	}
	ctx = site.With(ctx, s)
	n, err = c.env.Content.PublishDue(ctx)
	err = errors.Join(err, c.env.Content.DatesAhead(ctx))
	ended = err == nil
	return n, err
}

// PublishStats are figures about PublishDue, whoever calls it. Rounds that a closed
// calendar or one that only reads refuses are not counted.
type PublishStats struct {
	Posts    int64     // that were published
	Rounds   int64     // that ended without an error
	Failures int64     // rounds that did not, whether or not they published something
	Last     time.Time // when a round ended without an error; the zero time for never
}

// published are the figures of PublishDue.
type published struct {
	mu    sync.Mutex
	stats PublishStats
}

func (p *published) add(posts int, ended bool, now func() time.Time) {
	var last time.Time
	if ended {
		last = now() // a host's function
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Posts += int64(posts)
	if !ended {
		p.stats.Failures++
		return
	}
	p.stats.Rounds++
	p.stats.Last = last
}

func (p *published) figures() PublishStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// upkeep is what a calendar does by itself from time to time.
type upkeep struct{ calendar *Calendar }

// publishLoop starts publishing regularly, if the options ask for it.
func (u upkeep) publishLoop() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	u.calendar.cancel, u.calendar.ended = cancel, ended
	if u.calendar.options.PublishEvery == 0 || u.calendar.engine.ReadOnly != nil {
		close(ended)
		return
	}
	go func() {
		defer close(ended)
		tick := time.NewTicker(u.calendar.options.PublishEvery)
		defer tick.Stop()
		for {
			u.publishOnce(ctx)
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
}

// publishOnce is one round of the loop. Its errors and panics are logged, and
// the next round tries again.
func (u upkeep) publishOnce(ctx context.Context) {
	defer func() {
		if p := recover(); p != nil {
			u.calendar.options.Logger.Error("panic while publishing scheduled posts", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	if err := journaling(u).keepJournal(ctx); err != nil && ctx.Err() == nil { // one that was installed meanwhile
		u.calendar.options.Logger.Warn("the journal is not kept", "error", err)
	}
	if _, err := u.calendar.PublishDue(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, ErrClosed) {
		u.calendar.options.Logger.Error("scheduled posts were not published", "error", err)
	}
}

// ErrClosed is what PublishDue returns after Close.
var ErrClosed = errors.New("calendar: closed")

// Close ends the calendar's writing and what it does in the background: writes
// that come later are answered with 503 rest_closed and Retry-After, those under
// way are waited for, so is the change hook until it was called for all changes,
// and scheduled posts are published no more. Reads are answered as before.
//
// Call it when the server's Shutdown has returned, and before closing the
// database, which Close leaves open. Calling it again is no error. The
// error is that of ctx, if it ended before everything else had.
func (c *Calendar) Close(ctx context.Context) error {
	c.cancel()
	c.replicas.close(ctx)
	c.webhooks.Close(ctx)
	c.journal.Stop()
	c.env.Content.Store.Close()
	err := c.engine.Writes.Close(ctx)
	if closed := c.journal.Close(ctx); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	select {
	case <-c.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	return c.hooks.wait(ctx)
}
