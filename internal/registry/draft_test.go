package registry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// stored returns the number of stored events and venues.
func (w town) stored(t *testing.T) (n int) {
	t.Helper()
	must.Succeed(t, w.db.NewRaw("SELECT COUNT(*) FROM wp_posts WHERE post_type LIKE 'tribe\\_%' AND post_status = 'publish'").
		Scan(t.Context(), &n))
	return n
}

// TestBeforeWriteRunsAgain checks that after a conflict with another transaction, BeforeWrite is called again for
// everything that is written, without any effects of the first attempt. All calls have the deadline of the request,
// after which nothing is stored.
func TestBeforeWriteRunsAgain(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	var calls []string
	ends, meanwhile := map[time.Time]bool{}, func() {}
	w := openTown(t, calendar.Options{DB: db, Fields: contract.HostFields(), Hooks: calendar.Hooks{
		BeforeWrite: func(ctx context.Context, d *calendar.Draft) error {
			calls = append(calls, d.Kind)
			end, _ := ctx.Deadline()
			ends[end] = true
			if meanwhile(); d.Kind != "events" {
				return nil
			}
			return d.Set("dress", fmt.Sprint("Call ", len(calls)))
		},
	}})
	ctx, cancel := context.WithTimeout(calendar.WithPrincipal(t.Context(), w.admin), time.Hour)
	defer cancel()
	write := func() (string, error) {
		answer, err := w.Do(ctx, "POST", "/events", nil, json.RawMessage(`{"title":"Again","start_date":"2031-06-06 20:00",
			"end_date":"2031-06-06 23:00","venue":{"venue":"Barn"}}`))
		return string(answer), err
	}
	before := w.stored(t)
	counter.FailCommit(&mysql.MySQLError{Number: 1213, Message: "Deadlock found"})
	made, err := write()
	must.Succeed(t, err)
	shows(t, "a write that ran again", made, `"dress":"Call 4"`)
	if want := []string{"venues", "events", "venues", "events"}; !slices.Equal(calls, want) {
		t.Errorf("asked for %q, want %q", calls, want)
	}
	if after := w.stored(t); after != before+2 {
		t.Errorf("%d posts, were %d", after, before)
	}
	latest, _ := ctx.Deadline()
	for end := range ends {
		if len(ends) != 1 || end.IsZero() || end.After(latest) {
			t.Errorf("the calls end at %v, the request at %v", ends, latest)
		}
	}

	meanwhile = cancel
	if made, err = write(); err == nil {
		t.Errorf("a write whose time had ended in the hook: %s", made)
	}
	if after := w.stored(t); after != before+2 {
		t.Errorf("%d posts after the end, were %d", after, before+2)
	}
}
