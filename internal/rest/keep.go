package rest

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/budget"
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
// a read whose errors distinguish callers. The context of make ends when it returns. memory is that of the value, for
// its holders.
func (e *Engine) Keep(ctx context.Context, root *call.Root, l Local, who func(context.Context) (caller.Principal, error), key string,
	make func(context.Context) (HostValue, error)) (value any, memory *budget.Shared, err error) {
	key = "\n\n" + root.URL + "\n" + key
	if found, ok := e.recall(ctx, l, who, key); ok {
		return found.value, found.shared, nil
	}
	var failed error // of the host
	bounded := func(ctx context.Context) (kept HostValue, shared *budget.Shared, err error) {
		ctx, cancel := context.WithCancel(ctx) // ends what make reserved
		defer cancel()
		if kept, failed = make(ctx); failed != nil {
			return HostValue{}, nil, failed
		}
		return kept, e.Budget.Share(int64(kept.Bytes)), nil
	}
	if e.Answers == nil {
		kept, shared, err := bounded(ctx)
		return kept.Value, shared, err
	}
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
		kept, shared, err := bounded(parts)
		surrogate.From(ctx).Add(keys) // even if make failed
		if err != nil {
			return m, err
		}
		change.Within(c.ctx, time.Time{}, kept.Until)
		m.value, m.length = readValue{kept.Value, keys, shared}, kept.Bytes
		if !keys.Forbidden() {
			m.weight = kept.Bytes
		}
		return m, nil
	}
	err = e.local(ctx, root, l, who, func(c *request) error {
		if !c.Principal.Anonymous() {
			own, shared, _ := bounded(ctx)
			change.Momentary(c.ctx)
			value, memory = own.Value, shared
			return nil
		}
		v, err := e.Answers.get(c, key, func(bool) (made, error) { return once(c) })
		found, _ := v.(readValue)
		value, memory = found.value, found.shared
		surrogate.From(ctx).Add(found.keys)
		if failed != nil {
			return nil // the error is that of the host
		}
		return err
	})
	if failed != nil {
		return nil, nil, failed
	}
	return value, memory, err
}

// Reserve claims n bytes of the memory of answers for something else that the host makes, until ctx ends. It waits
// until they are available; after some seconds the error is the answer that a request would get.
func (e *Engine) Reserve(ctx context.Context, root *call.Root, l Local, who func(context.Context) (caller.Principal, error),
	n int64) error {
	err := e.Budget.Reserve(ctx, n)
	if err == nil {
		return nil
	}
	return e.local(ctx, root, l, who, func(*request) error { return err })
}
