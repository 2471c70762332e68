package contract

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/replay"
)

// settled are the recorded values that a decision overrules, by line of the recording, with the
// path and the beginning of the correct value. D14: the event's website was not in the update of
// line 171, so it stays as line 170 created it, the address of the event's page; the recorded
// program emptied it.
var settled = map[int]struct{ place, want string }{
	195: {"json.website", Site + "/?post_type=tribe_events&p="},
}

// RecordedWrites replays the recorded writes on a database of its own with the
// recorded site: every compared answer matches, and so does every row that was
// recorded after a write.
func RecordedWrites(t *testing.T, db *bun.DB) {
	result, err := replay.Run(context.Background(), replay.Options{
		Handler: Handler(t, calendar.Options{DB: db}), Root: Root, Corpus: "writes_a", SQL: db.DB, Added: added(),
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	result.Differences = slices.DeleteFunc(result.Differences, func(d replay.Difference) bool {
		s, known := settled[d.Line]
		ok := known && d.Place == s.place && strings.HasPrefix(d.Got, s.want)
		if ok {
			found++
		}
		return ok
	})
	const compared = 292
	if result.Compared != compared || len(result.Differences) > 0 || found != len(settled) || result.Matched != compared-found {
		t.Errorf("%d of %d matched, want all of %d but the %d that are decided otherwise\n%s",
			result.Matched, result.Compared, compared, len(settled), result.Report(20))
	}
}
