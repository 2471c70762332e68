package rest

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/surrogate"
)

// recall returns the value that Keep has cached under a key, without what only its making needs: a call of an operation,
// a deadline and the memory of an answer. ok is false if the value has to be looked up, or made, by a call. who is asked
// as for a call, since its errors distinguish callers.
func (e *Engine) recall(ctx context.Context, l Local, who func(context.Context) (caller.Principal, error), key string) (
	found readValue, ok bool) {
	if e.Recall == nil || e.Answers == nil || !l.Anonymous {
		return found, false
	}
	kept, ok := e.fromMemory(ctx, key, func(state *change.State, known *site.Settings) bool {
		p, err := who(site.With(change.With(ctx, state), known))
		return err == nil && p.Anonymous()
	})
	if !ok {
		return found, false
	}
	found, _ = kept.(readValue)
	surrogate.From(ctx).Add(found.keys)
	return found, true
}

// fromMemory returns what is cached under a key, if that is still valid and the site is in its usual state. It makes
// nothing and reads only what changed. open reports whether the API is open to the caller, in that state.
func (e *Engine) fromMemory(ctx context.Context, key string, open func(*change.State, *site.Settings) bool) (kept any, ok bool) {
	state, known, usual := e.Recall(ctx, e.Answers.maxStale)
	if !usual || !open(state, known) {
		return nil, false
	}
	found, ok := e.Answers.find(key, state, e.Now())
	if !ok {
		return nil, false
	}
	e.Answers.hits.Add(1)
	found.limit(change.ValidityOf(ctx), state.Epoch(change.All))
	return found.value, true
}
