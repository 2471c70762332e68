package store

import (
	"context"
	"sync/atomic"

	"github.com/uptrace/bun"
)

type countKey struct{}

// CountStatements returns a context whose statements are counted in n, if they are sent through a database returned by
// Counted. BEGIN, COMMIT and ROLLBACK count as statements.
func CountStatements(ctx context.Context, n *atomic.Int64) context.Context {
	return context.WithValue(ctx, countKey{}, n)
}

// Counted returns a database whose statements are counted.
func Counted(db *bun.DB) *bun.DB { return db.WithQueryHook(counter{}) }

// counter is a hook of bun.
type counter struct{}

func (counter) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context {
	if n, ok := ctx.Value(countKey{}).(*atomic.Int64); ok {
		n.Add(1)
	}
	return ctx
}

func (counter) AfterQuery(context.Context, *bun.QueryEvent) {}

// uncounted returns a context whose statements are not counted, because several requests share them.
func uncounted(ctx context.Context) context.Context { return context.WithValue(ctx, countKey{}, nil) }
