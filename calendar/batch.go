package calendar

import (
	"context"
	"errors"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
)

// atomically is the engine's Atomically, for the requests of a batch that came with ctx.
func (c *Calendar) atomically(ctx context.Context, prepare func(context.Context), all func(context.Context) error) error {
	known := &prepared{settings: site.From(ctx), given: principalIn(ctx)}
	within := func(ctx context.Context) context.Context {
		return context.WithValue(change.With(ctx, nil), preparedKey{c}, known)
	}
	err := c.env.Content.WriteFetched(ctx, prepare, func(ctx context.Context) error { return all(within(ctx)) })
	if errors.Is(err, content.ErrBatchDates) {
		return rest.RefuseBatch(param.Invalid("fault_batch_dates", "Max", content.MaxBatchDates))
	}
	return err
}
