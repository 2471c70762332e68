package calendar

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/site"
)

// PublishDue publishes the scheduled posts whose date has come and returns how
// many. Several processes may call it at the same time. It is for hosts with a
// schedule of their own; Options.PublishEvery calls it regularly.
func (c *Calendar) PublishDue(ctx context.Context) (int, error) {
	s, err := c.site.Settings(ctx)
	if err != nil {
		return 0, err
	}
	return c.env.PublishDue(site.With(ctx, s))
}

// publishLoop starts publishing regularly, if the options ask for it.
func (c *Calendar) publishLoop() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	c.stop = func() { cancel(); <-ended }
	if c.options.PublishEvery == 0 {
		close(ended)
		return
	}
	go func() {
		defer close(ended)
		tick := time.NewTicker(c.options.PublishEvery)
		defer tick.Stop()
		for {
			if _, err := c.PublishDue(ctx); err != nil && ctx.Err() == nil {
				c.options.Logger.Error("scheduled posts were not published", "error", err)
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
}

// Close ends what runs beside requests: the publishing of scheduled posts and a
// look at the tables of a large site, at once, and the change hook, as soon as it
// has heard of all changes. It is to be called when the server has stopped; the
// database stays open. The error is that of ctx, if it ended before the hook was
// done.
func (c *Calendar) Close(ctx context.Context) error {
	c.stop()
	c.env.Store.Close()
	return c.hooks.wait(ctx)
}
