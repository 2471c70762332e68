package store

import (
	"fmt"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestClocksShareConnections checks that the clocks of many sites share few connections, that each notices only the
// commits to its own tables, and that one is not affected if others fail or are closed.
func TestClocksShareConnections(t *testing.T) {
	const sites = 2 * maxLines
	db := testdb.New(t)
	var stores []*Store
	var bound []*bun.DB
	for i := range sites {
		prefix := fmt.Sprintf("s%d_", i)
		must.Succeed(t, schema.Install(t.Context(), db, prefix))
		own := must.Get(schema.Bind(db, prefix))(t)
		execute(t, own, "INSERT INTO ?(prefix)terms (name, slug) VALUES ('Name', 'slug')") // so that the server knows a time for the table
		s := newStore(t, own, watching)
		t.Cleanup(s.Close)
		if s.Tracker == nil {
			t.Fatal(s.Unwatched)
		}
		stores, bound = append(stores, s), append(bound, own)
	}
	terms := TableTerms.Set()
	looks := func() (all []*change.State) {
		for _, s := range stores {
			all = append(all, s.Tracker.Poll(t.Context()))
		}
		return all
	}
	// kept reports whether what was cached after one poll is still used after another: within the second of a commit
	// nothing is cached.
	kept := func(before, now *change.State) bool {
		return before.Settled(terms) && before.Epoch(terms) == now.Epoch(terms)
	}
	line := func(s *Store) *line { // of a store's clock
		for _, shared := range clocks.of {
			if shared.clock.Value() == s.Tracker {
				return shared.line.Value()
			}
		}
		return nil
	}
	before := looks()
	used := map[any]int{}
	for _, s := range stores {
		if l := line(s); l.opened == 1 {
			used[l]++
		}
	}
	if len(used) != maxLines {
		t.Errorf("%d clocks use %d connections", sites, len(used))
	}
	for i := range stores {
		execute(t, bound[i], "INSERT INTO ?(prefix)terms (name, slug) VALUES ('Name', 'slug')")
		now := looks()
		for j := range stores {
			if kept(before[j], now[j]) && i == j || before[j].Epoch(terms) != now[j].Epoch(terms) && i != j {
				t.Errorf("after a commit to site %d: site %d was %+v and is %+v", i, j, before[j], now[j])
			}
		}
		before = now
	}
	first := line(stores[0])
	stores[0].Close()
	for i, s := range stores[1:] {
		if s.Tracker.Poll(t.Context()).Epoch(terms) != before[i+1].Epoch(terms) {
			t.Errorf("the end of another clock grows the epoch of site %d", i+1)
		}
	}
	for i, s := range stores[1:] {
		if line(s) != first {
			continue
		}
		s.Tracker.Reconnect()
		if s.Tracker.Poll(t.Context()); first.opened != 2 || s.Tracker.Poll(t.Context()).Epoch(terms) == before[i+1].Epoch(terms) {
			t.Error("a clock goes on with a connection that is not to be used any more")
		}
		return
	}
	t.Error("no clock shares the connection of the first one")
}
