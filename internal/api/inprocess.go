package api

import (
	"context"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/rest"
)

// What requests in the process may ask for besides.

// Collect gets the items of a list's page in place of an answer, in one or more portions, with
// the total of all pages.
type Collect func(ctx context.Context, items []*item.Item, total int64) error

type collectKey struct{}

// WithCollect returns a context in which lists of posts hand their items to collect.
func WithCollect(ctx context.Context, collect Collect) context.Context {
	return context.WithValue(budget.Counted(rest.Uncached(ctx)), collectKey{}, collect)
}

func collector(ctx context.Context) Collect {
	collect, _ := ctx.Value(collectKey{}).(Collect)
	return collect
}

type briefKey struct{}

// WithBrief returns a context in which the answer to a write of a post has no more than
// its id and whether it was changed: reading the rest takes longer than some writes.
func WithBrief(ctx context.Context) context.Context {
	return context.WithValue(ctx, briefKey{}, true)
}

func brief(ctx context.Context) bool { return ctx.Value(briefKey{}) != nil }

func briefAnswer(r *rest.Request, done item.Result) Answer {
	return func() *rest.Response {
		r.Out.Object()
		r.Out.KeyInt("id", done.ID)
		r.Out.Key("changed")
		r.Out.Bool(done.Changed)
		r.Out.End()
		return nil
	}
}
