package calendar

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/agendahq/agenda/internal/site"
)

// PublishDue publishes the scheduled posts that are due and returns their number. On standalone sites it also creates,
// once a day, the next occurrences of recurring events without an end. Several processes may call it concurrently. It
// is for hosts with a scheduler of their own; Options.PublishEvery calls it regularly. After Close it returns
// ErrClosed. On a read-only calendar it does nothing.
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
	defer func() { c.published.Add(n, ended, c.options.Now) }() // deferred, so that a run that panics is counted too
	s, err := c.site.Settings(ctx)
	if err != nil {
		return 0, err
	}
	ctx = site.With(ctx, s)
	n, err = c.env.Content.Upkeep.PublishDue(ctx)
	err = errors.Join(err, c.env.Content.Upkeep.DatesAhead(ctx))
	ended = err == nil
	return n, err
}

// PublishStats are statistics of PublishDue, no matter what calls it. Calls on a closed or read-only calendar are not
// counted.
type PublishStats struct {
	Posts    int64     // number of published posts
	Rounds   int64     // runs without an error
	Failures int64     // runs with an error, even if they published something
	Last     time.Time // end of the last run without an error; the zero time if there was none
}

// ErrClosed is the error of methods that write, such as PublishDue, after Close.
var ErrClosed = errors.New("calendar: closed")

// Close stops writes and background work. Later writes are answered with 503 rest_closed and Retry-After. Close waits
// for writes in progress, and until the change hook was called for all changes. Scheduled posts are not published any
// more. Reads are still answered.
//
// Call it after the server's Shutdown has returned and before closing the database, which Close leaves open. It may be
// called again. If ctx ends before everything has stopped, Close returns its error.
func (c *Calendar) Close(ctx context.Context) error {
	c.cancel()
	c.replicas.close(ctx)
	c.sender.Close(ctx)
	c.journal.Stop()
	c.env.Content.Store.Close()
	if err := cmp.Or(c.engine.Writes.Close(ctx), c.journal.Close(ctx)); err != nil {
		return err
	}
	select {
	case <-c.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	return c.hooks.Wait(ctx)
}
