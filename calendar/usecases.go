package calendar

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
)

func init() {
	registry.Of = func(calendar any) *registry.UseCases {
		c := calendar.(*Calendar)
		return &registry.UseCases{Events: c.events, Prepare: c.prepare, Caller: c.principal, Use: c.use}
	}
	registry.Declare = func(options any, more registry.More) { options.(*Options).more = more }
}

// use calls do with the call.Call of a use case, in the process and as the Principal in ctx.
func (c *Calendar) use(ctx context.Context, u registry.Use, do func(context.Context, *call.Call) error) error {
	o := c.api.Operations(u.Collection)
	l := rest.Local{Path: param.NewMap(), Query: param.NewMap()}
	switch u.Verb {
	case registry.List:
		l.Operation, l.Strict = o.List, true
	case registry.Create:
		l.Operation = o.Create
	case registry.Update:
		l.Operation = o.Item.Update
	case registry.Delete:
		l.Operation = o.Item.Delete
	}
	if u.Verb == registry.List && u.Values != nil {
		l.Query = u.Values
	} else {
		l.Body = u.Values
	}
	if u.Verb == registry.Update || u.Verb == registry.Delete {
		l.Path.Set("id", strconv.FormatInt(u.ID, 10))
	}
	if u.Language != "" {
		l.Query.Set(c.options.LanguageParam, c.env.Content.Languages.Coded(u.Language).Tag)
	}
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
