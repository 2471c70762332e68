// Package stmtcount counts the statements that a request sends to a database.
package stmtcount

import (
	"context"
	"sync/atomic"

	"github.com/uptrace/bun"
)

type countKey struct{}

// Context returns a context whose statements are counted in n, if they are sent through a database returned by DB. BEGIN,
// COMMIT and ROLLBACK count as statements.
func Context(ctx context.Context, n *atomic.Int64) context.Context {
	return context.WithValue(ctx, countKey{}, n)
}

// DB returns a database whose statements are counted.
func DB(db *bun.DB) *bun.DB { return db.WithQueryHook(counter{}) }

// counter is a hook of bun.
type counter struct{}

func (counter) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context {
	if n, ok := ctx.Value(countKey{}).(*atomic.Int64); ok {
		n.Add(1)
	}
	return ctx
}

func (counter) AfterQuery(context.Context, *bun.QueryEvent) {}

// Without returns a context whose statements are not counted, because several requests share them.
func Without(ctx context.Context) context.Context { return context.WithValue(ctx, countKey{}, nil) }
