package rest

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/surrogate"
)

// HostValue is a value of a host's own that may be cached.
type HostValue struct {
	Value any       // nobody changes it
	Bytes int       // it takes in memory, 0 for one that is not cached
	Until time.Time // before when it is good, zero for no limit
}

// Keep returns what make makes of what it reads by Read and Serve with its context. The value is cached under the key as long as all of
// these answers would be given from the cache, and no longer: it is as old as the oldest of them. A part that is not cached, such as a
// refusal, or what is read as somebody, keeps it from being cached. l and who are of a read by which errors are told apart.
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
		surrogate.From(ctx).Add(keys) // also of a failure
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
			return nil // it is the host's
		}
		return err
	})
	if failed != nil {
		return nil, failed
	}
	return value, err
}
