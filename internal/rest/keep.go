package rest

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/surrogate"
)

// HostValue is a value made by the host that may be cached.
type HostValue struct {
	Value any       // must not be changed
	Bytes int       // size in memory, 0 for a value that is not cached
	Until time.Time // the time from which it is no longer valid, zero for no limit
}

// Keep returns the value that make makes from what it reads by Read and Serve with its context. The value is cached
// under the key for as long as all these answers would come from the cache: its age is that of the oldest of them. If
// one of them is not cached, such as an error or a read by a user, the value is not cached either. l and who belong to
// a read whose errors distinguish callers.
func (e *Engine) Keep(ctx context.Context, root *call.Root, l Local, who func(context.Context) (caller.Principal, error), key string,
	make func(context.Context) (HostValue, error)) (value any, err error) {
	if e.Answers == nil {
		kept, err := make(ctx)
		return kept.Value, err
	}
	var failed error
	once := func(c *request) (m made, err error) {
		parts := ctx
		if validity := change.ValidityOf(c.ctx); validity != nil {
			parts = change.WithValidity(parts, validity)
		}
		var keys *surrogate.Keys
		if e.KeysHeader != "" {
			keys = surrogate.New()
			parts = surrogate.With(parts, keys)
		}
		kept, err := make(parts)
		surrogate.From(ctx).Add(keys) // even if make failed
		if failed = err; err != nil {
			return m, err
		}
		if !kept.Until.IsZero() {
			change.Within(c.ctx, time.Time{}, kept.Until)
		}
		m.value, m.length = readValue{kept.Value, keys}, kept.Bytes
		if !keys.Forbidden() {
			m.weight = kept.Bytes
		}
		return m, nil
	}
	err = e.local(ctx, root, l, who, func(c *request) error {
		if !c.Principal.Anonymous() {
			own, err := make(ctx)
			change.Momentary(c.ctx)
			value, failed = own.Value, err
			return nil
		}
		v, err := e.Answers.get(c, "\n\n"+root.URL+"\n"+key, func(bool) (made, error) { return once(c) })
		found, _ := v.(readValue)
		value = found.value
		surrogate.From(ctx).Add(found.keys)
		if failed != nil {
			return nil // the error is that of the host
		}
		return err
	})
	if failed != nil {
		return nil, failed
	}
	return value, err
}
