package contract

import (
	"context"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/replay"
)

// RecordedWrites replays the recorded writes on a database with the recorded site. Every compared response must match,
// and every row that was recorded after a write.
func RecordedWrites(t *testing.T, db *bun.DB) {
	result, err := replay.Run(context.Background(), replay.Options{
		Handler: Handler(t, calendar.Options{DB: db}), Root: Root, Corpus: "writes_a", SQL: db.DB, Added: added(),
	})
	if err != nil {
		t.Fatal(err)
	}
	otherwise(t, result, 292, []decided{
		// The update of line 171 did not contain the event's website, so it stays as created by line 170: the URL of
		// the event's page. The Events Calendar emptied it.
		{"D14", []int{195}, `^json\.website$`, Site + "/?post_type=tribe_events&p="},
		// A draft that was given a date has it in UTC too, and keeps it in the trash.
		{"D54", []int{200, 224, 244, 268}, `^(json|rows\.post)\.(post_)?(date|modified)(_utc|_gmt)?$`, ""},
	})
}
