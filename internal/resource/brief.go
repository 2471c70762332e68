package resource

import (
	"context"

	"github.com/agendahq/agenda/internal/rest"
)

type briefKey struct{}

// WithBrief returns a context in which the answer to a write of a post has no more than
// its id and whether it was changed: reading the rest takes longer than some writes.
func WithBrief(ctx context.Context) context.Context {
	return context.WithValue(ctx, briefKey{}, true)
}

func brief(ctx context.Context) bool { return ctx.Value(briefKey{}) != nil }

func briefAnswer(r *rest.Request, id int64, changed bool) Answer {
	return func() *rest.Response {
		r.Out.Object()
		r.Out.KeyInt("id", id)
		r.Out.Key("changed")
		r.Out.Bool(changed)
		r.Out.End()
		return nil
	}
}
