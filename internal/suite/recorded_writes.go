package suite

import (
	"context"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/conformance"
)

// RecordedWrites replays the recorded writes on a database of its own with the
// recorded site: every compared answer matches, and so does every row that was
// recorded after a write.
func RecordedWrites(t *testing.T, db *bun.DB) {
	result, err := conformance.Replay(context.Background(), conformance.Options{
		Handler: Handler(t, calendar.Options{DB: db}), Root: Root, Corpus: "writes_a", SQL: db.DB,
	})
	if err != nil {
		t.Fatal(err)
	}
	const compared = 292
	if result.Matched != compared || result.Compared != compared {
		t.Errorf("%d of %d matched, want %d of %d\n%s", result.Matched, result.Compared, compared, compared, result.Report(300))
	}
}
