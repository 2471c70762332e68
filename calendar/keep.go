package calendar

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
)

// Kept is what Keep may keep.
type Kept[T any] struct {
	Value T         // nobody changes it
	Bytes int       // that it takes in memory, roughly; 0 for one that is not to be kept
	Until time.Time // when it becomes another one though nothing changes, such as the end of an event; zero for never
}

// keptKey is the key of the replica that is read for a value of Keep, in its context.
type keptKey struct{ calendar *Calendar }

// Keep returns what make makes of what it reads with its context by the methods of a Kind and Do, such as a page of the host's own. What
// was made for the same key before is returned instead, as long as nothing has changed and each of these reads would be answered from
// memory, so it is never older than they are: see Cache, whose Bytes it is a part of. The key has to name all else that the value depends
// on, such as the language, today where the value shows it, and who sees it. What somebody reads who is logged in, what a password opens,
// and what is made of a refusal, is made each time.
func Keep[T any](ctx context.Context, c *Calendar, key string, make func(ctx context.Context) (Kept[T], error)) (value T, err error) {
	kept, err := keep(ctx, c, fmt.Sprintf("%T %s", value, key), func(ctx context.Context) (rest.HostValue, error) {
		kept, err := make(ctx)
		return rest.HostValue{Value: kept.Value, Bytes: kept.Bytes, Until: kept.Until}, err
	})
	if err != nil {
		return value, err
	}
	value, _ = kept.(T) // also for a nil interface
	return value, nil
}

// keep is Keep on the server that may answer.
func keep(ctx context.Context, c *Calendar, key string, once func(context.Context) (rest.HostValue, error)) (any, error) {
	l := rest.Local{Operation: c.api.Operations("events").List, Path: param.NewMap(), Query: param.NewMap(), Anonymous: anonymousIn(ctx)}
	if own, alive := c.replicaFor(ctx, l.Operation, ""); own != nil {
		within, cancel := context.WithCancel(context.WithValue(ctx, keptKey{c}, own))
		defer cancel()
		defer context.AfterFunc(alive, cancel)()
		attempt := l
		attempt.Attempt = true
		v, err := own.engine.Keep(within, own.root(ctx), attempt, own.principal, key, once)
		if !errors.Is(err, rest.ErrUnanswered) && (err == nil || ctx.Err() != nil || within.Err() == nil) {
			return v, c.refused(ctx, err)
		}
	}
	v, err := c.engine.Keep(ctx, c.root(ctx), l, c.principal, key, once)
	return v, c.refused(ctx, err)
}
