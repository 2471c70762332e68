package calendar

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
)

func init() {
	registry.Of = func(calendar any) *registry.Calendar {
		c := calendar.(*Calendar)
		return &registry.Calendar{Events: c.events, Prepare: c.prepare, Caller: c.principal, Use: c.use}
	}
	registry.Declare = func(options any, more registry.More) { options.(*Options).more = more }
}

// use calls do with the call.Call of a use case, in the process and as the Principal in ctx.
func (c *Calendar) use(ctx context.Context, u registry.Use, do func(context.Context, *call.Call) error) error {
	l := c.api.Local(u, c.options.LanguageParam)
	return hostError(ctx, c.engine.Local(ctx, c.own.List[0].Root, l, c.principal, do))
}

// hostError converts an error of the engine to one for hosts.
func hostError(ctx context.Context, err error) error {
	var refused *rest.Refused
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.As(err, &refused):
		return err
	}
	answer := refusal(refused.Status, refused.Body, refused.RetryAfter)
	if refused.Status >= http.StatusInternalServerError {
		return fmt.Errorf("%w: %w", answer, refused.Cause)
	}
	return answer
}
