package embedded

import (
	"context"
	"os"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestSnapshot copies databases that are in use, one of them a file whose rows are still in the write-ahead log.
func TestSnapshot(t *testing.T) {
	for _, path := range []string{Memory, file(t)} {
		db := opened(t, path)
		must.Succeed(t, schema.Install(ctx, db, "wp_"))
		exec(t, db, "INSERT INTO wp_posts (post_title, post_name) VALUES ('Été', 'a')")
		snapshot := must.Get(Snapshot(ctx, db))(t)
		exec(t, db, "DELETE FROM wp_posts")
		again := file(t)
		must.Succeed(t, os.WriteFile(again, snapshot, 0o600))
		for range 2 { // changes of the first copy are not in the second one
			copied := must.Get(OpenSnapshot(ctx, snapshot))(t)
			defer copied.Close()
			const count = "SELECT count(*) FROM wp_posts WHERE post_title = 'ETE'"
			if n, m := number(t, copied, count), number(t, opened(t, again), count); n != 1 || m != 1 {
				t.Errorf("%s: %d rows in memory, %d in a file", path, n, m)
			}
			exec(t, copied, "DELETE FROM wp_posts")
		}
	}
	if _, err := OpenSnapshot(ctx, []byte("no database")); err == nil {
		t.Error("a text was opened")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Snapshot(ended, memory(t)); err == nil {
		t.Error("a snapshot was taken after the end")
	}
}
