package resource

import (
	"context"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/rest"
)

// Collect gets the items of a list's page in place of an answer, in one or more portions, with
// the table of their fields and the total of all pages.
type Collect func(fields Fields, items []*Item, total int64) error

type collectKey struct{}

// WithCollect returns a context in which lists of posts hand their items to collect.
func WithCollect(ctx context.Context, collect Collect) context.Context {
	return context.WithValue(budget.Counted(rest.Uncached(ctx)), collectKey{}, collect)
}

func collector(ctx context.Context) Collect {
	collect, _ := ctx.Value(collectKey{}).(Collect)
	return collect
}
