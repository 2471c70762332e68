package rest

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/surrogate"
)

// recall returns the value that Keep has cached under a key, without what only its making needs: a call of an operation,
// a deadline and the memory of an answer. It makes nothing and reads only what changed. ok is false if the value has to
// be looked up, or made, by a call. who is asked as for a call, since its errors distinguish callers.
func (e *Engine) recall(ctx context.Context, l Local, who func(context.Context) (caller.Principal, error), key string) (
	found readValue, ok bool) {
	if e.Recall == nil || e.Answers == nil || !l.Anonymous {
		return found, false
	}
	state, ok := e.Recall(ctx, e.Answers.maxStale)
	if !ok {
		return found, false
	}
	if p, err := who(state); err != nil || !p.Anonymous() {
		return found, false
	}
	known := change.From(state)
	kept, ok := e.Answers.find(key, known, e.Now())
	if !ok {
		return found, false
	}
	e.Answers.hits.Add(1)
	kept.limit(change.ValidityOf(ctx), known.Epoch(change.All))
	found, _ = kept.value.(readValue)
	surrogate.From(ctx).Add(found.keys)
	return found, true
}
