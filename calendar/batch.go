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

// grouped returns the engine's Grouped. Within a Transaction it returns an error: a rejected request must not end that.
func grouped(c *Calendar) func(context.Context, func(context.Context) error) error {
	return func(ctx context.Context, all func(context.Context) error) error {
		if c.env.Content.Store.Transactions.Writing(ctx) {
			return errNotGrouped
		}
		ctx, enabled, err := c.prepareRequest(ctx, nil, 0) // as for each request: the settings may have changed meanwhile
		if err != nil || !enabled {
			return errors.Join(err, errNotGrouped)
		}
		known := &prepared{settings: site.From(ctx), given: principalIn(ctx)}
		return c.env.Content.Write(ctx, func(ctx context.Context) error {
			return all(content.Together(context.WithValue(change.With(ctx, nil), preparedKey{c}, known), c.env.Content))
		})
	}
}

// errNotGrouped makes each request of a group be carried out alone, which returns the reason, if there is one.
var errNotGrouped = errors.New("calendar: the API is switched off, or within a transaction")
