package sqlite

import (
	"context"

	"github.com/uptrace/bun"
)

// Optimize lets SQLite look at the tables that it has not looked at since they grew. Without figures about them it takes
// the first of the indexes that a query could use, and a read by slug goes through all events.
func Optimize(ctx context.Context, db *bun.DB) error {
	// 0x02: analyze what needs it; 0x10000: also tables that this connection has not read yet. Large ones are sampled.
	_, err := db.ExecContext(ctx, "PRAGMA optimize=0x10002")
	return err
}
