package calendar

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/site"
)

// recall implements the engine's Recall of a calendar. It answers for the usual state alone: everything else, such as a
// closed site, or one where some members may read more than others, is left to prepareRequest.
func recall(ctx context.Context, c *Calendar, maxStale time.Duration) (context.Context, bool) {
	if c.env.Content.Store.Transactions.Writing(ctx) {
		return ctx, false
	}
	state := c.tracker.Recent(ctx, maxStale)
	s := c.site.Known(state)
	if s == nil || s.Disabled || s.Members.Restricts || s.Network != nil && s.Network.Closed || ctx.Err() != nil {
		return ctx, false
	}
	return site.With(change.With(ctx, state), s), true
}
