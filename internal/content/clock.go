package content

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/site"
)

// Clock returns the current time. Reads must take the time from Moment or Today, which record in the context until when
// the answer holds, so that a cache does not keep it longer.
type Clock func() time.Time

// Moment returns the current time, for an answer that depends on the exact time and therefore is not cached.
func (c Clock) Moment(ctx context.Context) time.Time {
	change.Momentary(ctx)
	return c()
}

// Today returns the beginning of the current day in UTC, for an answer that is the same all day.
func (c Clock) Today(ctx context.Context) time.Time {
	y, m, d := c().UTC().Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	change.Within(ctx, today, today.AddDate(0, 0, 1))
	return today
}

// now returns the current time in the site's time zone, in whole seconds.
func (c Clock) now(ctx context.Context) time.Time {
	return c.Moment(ctx).In(site.From(ctx).Location).Truncate(time.Second)
}
