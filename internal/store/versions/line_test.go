package versions

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// tables are the names of those tables that every site has, in the order of Site.Tables.
var tables = []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "options"}

// terms is the set of the table of terms alone.
const terms = change.Tables(1) << 2

// addTerm writes to the table of terms of a site.
func addTerm(t *testing.T, db *bun.DB) {
	t.Helper()
	must.Get(db.NewRaw("INSERT INTO ?(prefix)terms (name, slug) VALUES ('Name', 'slug')").Exec(t.Context()))(t)
}

// share returns the tracker of a site.
func share(t *testing.T, db *bun.DB, prefix string) *change.Tracker {
	t.Helper()
	var version string
	must.Succeed(t, db.DB.QueryRowContext(t.Context(), "SELECT VERSION()").Scan(&version))
	clock, why := Share(Site{
		DB: db, Prefix: prefix, MariaDB: strings.Contains(version, "MariaDB"), Tables: tables,
		Settle: time.Second, MaxAge: time.Hour, Logger: slog.Default(),
		Options: func(context.Context, bun.Conn) (map[string]string, error) { return map[string]string{}, nil },
	})
	if clock == nil {
		t.Fatal(why)
	}
	t.Cleanup(func() { Leave(clock) })
	return clock
}

// lineUsedBy returns the line of a tracker, nil if it has none any more.
func lineUsedBy(tracker *change.Tracker) *line {
	for _, shared := range clocks.of {
		if shared.clock.Value() == tracker {
			return shared.line.Value()
		}
	}
	return nil
}

// TestClocksShareConnections checks that the clocks of many sites share few connections, that each notices only the
// commits to its own tables, and that one is not affected if others fail or are closed.
func TestClocksShareConnections(t *testing.T) {
	const sites = 2 * maxLines
	db := testdb.New(t)
	var trackers []*change.Tracker
	var bound []*bun.DB
	for i := range sites {
		prefix := fmt.Sprintf("s%d_", i)
		must.Succeed(t, schema.Install(t.Context(), db, prefix))
		own := must.Get(schema.Bind(db, prefix))(t)
		addTerm(t, own) // so that the server knows a time for the table
		trackers, bound = append(trackers, share(t, own, prefix)), append(bound, own)
	}
	looks := func() (all []*change.State) {
		for _, c := range trackers {
			all = append(all, c.Poll(t.Context()))
		}
		return all
	}
	// kept reports whether what was cached after one poll is still used after another: within the second of a commit
	// nothing is cached.
	kept := func(before, now *change.State) bool {
		return before.Settled(terms) && before.Epoch(terms) == now.Epoch(terms)
	}
	before := looks()
	used := map[any]int{}
	for _, c := range trackers {
		if l := lineUsedBy(c); l.opened == 1 {
			used[l]++
		}
	}
	if len(used) != maxLines {
		t.Errorf("%d clocks use %d connections", sites, len(used))
	}
	for i := range trackers {
		addTerm(t, bound[i])
		now := looks()
		for j := range trackers {
			if kept(before[j], now[j]) && i == j || before[j].Epoch(terms) != now[j].Epoch(terms) && i != j {
				t.Errorf("after a commit to site %d: site %d was %+v and is %+v", i, j, before[j], now[j])
			}
		}
		before = now
	}
	first := lineUsedBy(trackers[0])
	Leave(trackers[0])
	for i, c := range trackers[1:] {
		if c.Poll(t.Context()).Epoch(terms) != before[i+1].Epoch(terms) {
			t.Errorf("the end of another clock grows the epoch of site %d", i+1)
		}
	}
	for i, c := range trackers[1:] {
		if lineUsedBy(c) != first {
			continue
		}
		c.Reconnect()
		if c.Poll(t.Context()); first.opened != 2 || c.Poll(t.Context()).Epoch(terms) == before[i+1].Epoch(terms) {
			t.Error("a clock goes on with a connection that is not to be used any more")
		}
		return
	}
	t.Error("no clock shares the connection of the first one")
}
