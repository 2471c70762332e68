package writequeue

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestQueues checks that calendars of one site in one pool share a queue, that others do not, and that no queue
// outlives its pool.
func TestQueues(t *testing.T) {
	one := testdb.New(t)
	bound := func(prefix string) *Queue {
		db := must.Get(schema.Bind(one, prefix))(t)
		return ForTable(db, "options")
	}
	first, again := bound("wp_"), bound("wp_")
	if first != again || first == bound("s2_") {
		t.Error("queues are not those of the sites")
	}
	turn := must.Get(bound("wp_").Enter(t.Context()))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bound("wp_").Enter(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a second writer: %v", err)
	}
	turn.Leave()
	turn = must.Get(bound("wp_").Enter(t.Context()))(t)
	turn.Leave()
}

// TestQueueYields checks that if others end transactions, a process leaves them time after a few commits in a row,
// and only then.
func TestQueueYields(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	now := time.Now()
	for name, c := range map[string]struct {
		queue  *Queue
		yields bool
	}{
		"in a row":        {&Queue{ended: now, committed: now, row: commitsInRow, longest: time.Hour}, true},
		"not yet":         {&Queue{ended: now, committed: now, row: commitsInRow - 1, longest: time.Hour}, false},
		"nobody else":     {&Queue{committed: now, row: commitsInRow, longest: time.Hour}, false},
		"others had time": {&Queue{ended: now, committed: now.Add(-2 * time.Hour), row: commitsInRow, longest: time.Hour}, false},
	} {
		if err := c.queue.Yield(canceled); (err != nil) != c.yields {
			t.Errorf("%s: %v", name, err)
		}
	}
	q := &Queue{}
	q.RecordResult(now, nil)
	q.RecordResult(now, nil)
	if q.row != 2 || q.committed.IsZero() || !q.ended.IsZero() {
		t.Errorf("after two commits: %+v", q)
	}
	q.RecordResult(now, &mysql.MySQLError{Number: 1213})
	if q.row != 0 || q.ended.IsZero() {
		t.Errorf("after others ended one: %+v", q)
	}
}
