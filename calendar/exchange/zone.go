package exchange

import (
	"context"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/site"
)

// Zone returns the time zone of a calendar's site.
func Zone(ctx context.Context, c *calendar.Calendar) (*time.Location, error) {
	ctx, err := registry.Of(c).Prepare(ctx)
	if err != nil {
		return nil, err
	}
	return site.From(ctx).Location, nil
}
