package calendar

import (
	"context"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/site"
)

// atomically is the engine's Atomically, for the requests of a batch that came with ctx.
func (c *Calendar) atomically(ctx context.Context, prepare func(context.Context), all func(context.Context) error) error {
	known := &prepared{settings: site.From(ctx), given: principalIn(ctx)}
	within := func(ctx context.Context) context.Context {
		return context.WithValue(change.With(ctx, nil), preparedKey{c}, known)
	}
	return c.env.Content.WriteFetched(ctx, prepare, func(ctx context.Context) error { return all(within(ctx)) })
}
