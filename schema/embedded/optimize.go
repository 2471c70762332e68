package embedded

import (
	"context"

	"github.com/uptrace/bun"
)

// Optimize makes SQLite analyze the tables that have grown since they were last analyzed. Without statistics SQLite
// uses the first index that fits a query, so that a read by slug scans all events.
func Optimize(ctx context.Context, db *bun.DB) error {
	// 0x02: analyze what needs it; 0x10000: also tables that this connection has not read yet. Large ones are sampled.
	_, err := db.ExecContext(ctx, "PRAGMA optimize=0x10002")
	return err
}
