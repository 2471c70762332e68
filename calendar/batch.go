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

// atomically implements the engine's Atomically for the requests of a batch, which have the caller of ctx.
func (c *Calendar) atomically(ctx context.Context, prepare func(context.Context), all func(context.Context) error) error {
	known := &prepared{settings: site.From(ctx), given: principalIn(ctx)}
	_, err := content.Run(ctx, c.env.Content, content.Work[struct{}]{
		Prepare: prepare, Many: true,
		Apply: func(ctx context.Context) (struct{}, error) {
			return struct{}{}, all(context.WithValue(change.With(ctx, nil), preparedKey{c}, known))
		},
	})
	if errors.Is(err, content.ErrBatchDates) {
		return rest.RefuseBatch(param.Invalid("fault_batch_dates", "Max", content.MaxBatchDates))
	}
	return err
}
