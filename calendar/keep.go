package calendar

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
)

// Kept is a value for Keep.
type Kept[T any] struct {
	Value T         // must not be modified
	Bytes int       // approximate size in memory; 0 if the value must not be kept
	Until time.Time // when the value expires although nothing changes, such as at the end of an event; zero for never
}

// keptKey is the context key of the replica from which a value of Keep is made.
type keptKey struct{ calendar *Calendar }

// Keep returns the value of make, such as a page of the host's own, which make creates from what it reads with its
// context through Do and the methods of a Kind. If Keep created a value for the same key before, it returns that value
// without calling make, as long as nothing has changed and each of the reads could be answered from the cache. So the
// value is never older than the reads would be: see Cache, whose Bytes include these values. The key must contain
// everything else on which the value depends, such as the language, the current day if the value shows it, and who sees
// it. Values are not kept if they result from reads of a caller who is logged in, from what a password reveals, or from
// an error. With a context of WithClient, the Bytes of the value count as memory of answers in progress until ctx ends;
// the context of a request ends when the request has been answered. See Limits.Answers, and Reserve for values that are
// large while they are made.
func Keep[T any](ctx context.Context, c *Calendar, key string, make func(ctx context.Context) (Kept[T], error)) (value T, err error) {
	kept, err := keep(ctx, c, fmt.Sprintf("%T %s", value, key), func(ctx context.Context) (rest.HostValue, error) {
		kept, err := make(ctx)
		return rest.HostValue{Value: kept.Value, Bytes: kept.Bytes, Until: kept.Until}, err
	})
	if err != nil {
		return value, err
	}
	value, _ = kept.(T) // the second result makes this work for a nil interface
	return value, nil
}

// keep is Keep on a replica if one can answer, or on the primary.
func keep(ctx context.Context, c *Calendar, key string, once func(context.Context) (rest.HostValue, error)) (any, error) {
	l := rest.Local{Operation: c.api.Operations("events").List, Path: param.NewMap(), Query: param.NewMap(), Anonymous: anonymousIn(ctx)}
	if own, alive := c.replicas.replicaFor(ctx, l.Operation, ""); own != nil {
		within, cancel := context.WithCancel(context.WithValue(ctx, keptKey{c}, own))
		defer cancel()
		defer context.AfterFunc(alive, cancel)()
		attempt := l
		attempt.Attempt = true
		v, memory, err := own.engine.Keep(within, mountIn(ctx, own.own).Root, attempt, own.principal, key, once)
		inUse(ctx, memory)
		if !errors.Is(err, rest.ErrUnanswered) && (err == nil || ctx.Err() != nil || within.Err() == nil) {
			return v, hostError(ctx, err)
		}
	}
	v, memory, err := c.engine.Keep(ctx, mountIn(ctx, c.own).Root, l, c.principal, key, once)
	inUse(ctx, memory)
	return v, hostError(ctx, err)
}

// inUse counts the memory of a value until the request of ctx ends. Other contexts may last as long as the program.
func inUse(ctx context.Context, memory *budget.Shared) {
	if auth.HasClient(ctx) {
		memory.HoldUntil(ctx)
	}
}

// Reserve reserves n bytes of the memory of answers in progress until ctx ends, for an answer that the host makes. In
// the function that Keep calls, ctx ends when the function returns. Reserve waits for some seconds if other answers use
// all memory; then it returns an *Error with the status 503. See Limits.Answers.
func Reserve(ctx context.Context, c *Calendar, n int) error {
	l := rest.Local{Operation: c.api.Operations("events").List, Path: param.NewMap(), Query: param.NewMap(), Anonymous: anonymousIn(ctx)}
	return hostError(ctx, c.engine.Reserve(ctx, mountIn(ctx, c.own).Root, l, c.principal, int64(n)))
}
