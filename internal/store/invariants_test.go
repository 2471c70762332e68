package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

const addIndexOfLinks = "ALTER TABLE wp_postmeta ADD KEY agenda_value (meta_key(40), meta_value(20), post_id)"

// TestNoFastPathWithoutItsIndex checks that has_events and only_with_upcoming look up an event for each venue only if
// there is an index for it, and otherwise go from the links to their events, but never from events to all of their
// rows.
func TestNoFastPathWithoutItsIndex(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	s := newStore(t, bound)
	if found := s.probeNow(t); found.LinkIndex || s.Links.Regular(still(t)) {
		t.Errorf("without the index: %+v", found)
	}
	anyone := Visible{Statuses: []string{schema.StatusPublish}}
	for name, ask := range map[string]func() ([]int64, error){
		"has_events": func() ([]int64, error) {
			return s.Links.Linked(t.Context(), s.Config.Names.Venue, Linked{Visible: anyone})
		},
		"only_with_upcoming": func() ([]int64, error) {
			return s.Links.Linked(t.Context(), s.Config.Names.Venue, Linked{Visible: anyone, Upcoming: "2020-01-01 00:00:00"})
		},
	} {
		counter.Reset()
		list, err := ask()
		sent := counter.Matching("SELECT")
		if err != nil || len(list) == 0 || len(sent) != 1 {
			t.Fatalf("%s: %v %v %q", name, list, err, sent)
		}
		if first := testdb.Explain(t, db, sent[0])[0]; first["key"] != "meta_key" {
			t.Errorf("%s begins with %q: %s", name, first, sent[0])
		}
	}
	execute(t, db, addIndexOfLinks)
	if found := s.probeNow(t); !found.LinkIndex || !s.Links.Regular(still(t)) {
		t.Errorf("with the index: %+v", found)
	}
	execute(t, db, "ALTER TABLE wp_postmeta DROP KEY agenda_value")
	if found := s.probeNow(t); found.LinkIndex {
		t.Errorf("after it was dropped: %+v", found)
	}
}

func TestIrregularTablesAreNoticed(t *testing.T) {
	link := func(value string) func(*bun.DB) {
		return func(db *bun.DB) {
			execute(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventVenueID', ?)", value)
		}
	}
	for name, c := range map[string]struct {
		spoil func(*bun.DB)
		want  Invariants
	}{
		"two of an event": {func(db *bun.DB) { addOccurrence(t, db, 25, "2033-05-05 10:00:00", "2033-05-05 11:00:00") },
			Invariants{Dates: true, Clocks: true, Links: true, LinkIndex: true}},
		"of nothing": {func(db *bun.DB) { addOccurrence(t, db, 999999, "2033-05-05 10:00:00", "2033-05-05 11:00:00") },
			Invariants{Links: true, LinkIndex: true}},
		"of a venue": {func(db *bun.DB) { addOccurrence(t, db, 7, "2033-05-05 10:00:00", "2033-05-05 11:00:00") },
			Invariants{Links: true, LinkIndex: true}},
		"ends before starts": {func(db *bun.DB) {
			execute(t, db, "UPDATE wp_tec_occurrences SET end_date = '2000-01-01 00:00:00' WHERE post_id = 25")
		}, Invariants{Links: true, LinkIndex: true}},
		"far clocks": {func(db *bun.DB) {
			execute(t, db, "UPDATE wp_tec_occurrences SET start_date_utc = start_date - INTERVAL 25 HOUR WHERE post_id = 25")
		}, Invariants{Occurrences: true, Dates: true, Links: true, LinkIndex: true}},
		"a list":         {link(`a:2:{i:0;s:1:"7";i:1;s:1:"8";}`), Invariants{Occurrences: true, Dates: true, Clocks: true}},
		"text behind":    {link("7abc"), Invariants{Occurrences: true, Dates: true, Clocks: true}},
		"space in front": {link(" 7"), Invariants{Occurrences: true, Dates: true, Clocks: true}},
		"zero in front":  {link("07"), Invariants{Occurrences: true, Dates: true, Clocks: true}},
		"wide digits":    {link("７"), Invariants{Occurrences: true, Dates: true, Clocks: true}},
		"no link":        {link("0"), Invariants{true, true, true, true, true}},
		"an id":          {link("7"), Invariants{true, true, true, true, true}},
	} {
		s, db := tidied(t)
		c.spoil(db)
		if found := s.probeNow(t); found != c.want {
			t.Errorf("%s: %+v, want %+v", name, found, c.want)
		}
	}
}

// TestProbesRunOnce checks that the check runs in the background, once for all requests, again only when the tables
// have changed, for a share of the time, and that Close stops it. What was proved stays valid after commits of this
// program, but not after those of another one.
func TestProbesRunOnce(t *testing.T) {
	s, db := tidied(t)
	addOccurrence(t, db, 25, "2033-05-05 10:00:00", "2033-05-05 11:00:00")
	s.Probe.Start(still(t))
	s.Probe.done.Wait()
	if !s.Probe.Invariants(still(t)).Occurrences {
		t.Error("probed again at once")
	}
	s.Probe.rest = time.Time{}
	state := change.With(t.Context(), change.Still(0))
	if !s.Probe.Invariants(state).Occurrences {
		t.Error("not known while it is probed again")
	}
	s.Probe.done.Wait()
	if s.Probe.Invariants(still(t)).Occurrences {
		t.Error("regular after the second probe")
	}
	s.Probe.rest = time.Time{}
	if s.Probe.Start(state); s.Probe.running {
		t.Error("probed again though nothing changed")
	}
	if found := s.probeNow(t); found.Occurrences {
		t.Error("regular")
	}
	execute(t, db, "DELETE FROM wp_tec_occurrences WHERE start_date = '2033-05-05 10:00:00'")
	if found := s.probeNow(t); !found.Occurrences || s.Probe.Invariants(t.Context()).Occurrences {
		t.Errorf("%+v, or known without a state", found)
	}
	s.Probe.foreign[0]++ // as if another program changed the tables
	if found := s.Probe.Invariants(still(t)); found.Occurrences || !found.Links {
		t.Errorf("after a change: %+v", found)
	}
	s.Probe.done.Wait()
	s.Close()
	s.Probe.rest = time.Time{}
	if s.Probe.Start(still(t)); s.Probe.running {
		t.Error("probes after Close")
	}
}

// TestProbesOfManyOccurrences checks that the number of occurrences is queried once, until the tables change.
func TestProbesOfManyOccurrences(t *testing.T) {
	counter, asked := new(testdb.Counter), 0
	s, db := recorded(t, testdb.WithCounter(counter))
	execute(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id NOT IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events')")
	n := must.Get(Number(t.Context(), newQuery(db).From(TableOccurrences, "").ColumnExpr("COUNT(*)")))(t)
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.HasPrefix(query, "/* "+probeComment) {
			asked++
		}
		return nil
	})
	state := still(t)
	for _, c := range []struct {
		many   int64
		asked  int
		proved bool
	}{{n, 1, false}, {n, 1, false}, {n - 1, 1, false}} { // few at first, and few until the tables change
		s.Probe.StartIfMany(state, c.many)
		if s.Probe.Wait(); asked != c.asked || s.Probe.Invariants(state).Occurrences != c.proved {
			t.Errorf("more than %d: asked %d times, invariants %+v", c.many, asked, s.Probe.Invariants(state))
		}
	}
	state = still(t)
	s.Probe.StartIfMany(state, n-1)
	if s.Probe.Wait(); asked != 2 || !s.Probe.Invariants(state).Occurrences {
		t.Errorf("after a change: asked %d times, invariants %+v", asked, s.Probe.Invariants(state))
	}
}

// TestLinkedByRegularLinks checks that the index finds the same linking events as reading all links.
func TestLinkedByRegularLinks(t *testing.T) {
	s, db := tidied(t)
	execute(t, db, "UPDATE wp_posts SET post_status = 'draft' WHERE ID = 25")
	execute(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (33, '_EventHideFromUpcoming', 'yes')")
	const now = "2031-03-24 08:45:00"
	execute(t, db, "UPDATE wp_posts SET post_password = 'x' WHERE ID = 46")
	open := Linked{Visible: Visible{Statuses: []string{"publish"}}, Unlocked: true}
	none, future := open, open
	none.Not, future.Upcoming = true, now
	for _, postType := range []string{"tribe_venue", "tribe_organizer"} {
		all, err := s.Links.Linked(t.Context(), postType, open)
		upcoming, errUpcoming := s.Links.Linked(t.Context(), postType, future)
		if err != nil || errUpcoming != nil {
			t.Fatal(err, errUpcoming)
		}
		for name, c := range map[string]struct{ reading, linked LinkedFilter }{
			"linked":     {LinkedFilter{IDs: &all}, LinkedFilter{Linked: []Linked{open}}},
			"not linked": {LinkedFilter{NotIDs: &all}, LinkedFilter{Linked: []Linked{none}}},
			"upcoming":   {LinkedFilter{IDs: &upcoming}, LinkedFilter{Linked: []Linked{future}}},
			"both":       {LinkedFilter{IDs: &upcoming, NotIDs: &all}, LinkedFilter{Linked: []Linked{future, none}}},
		} {
			var ids [2][]int64
			for i, f := range []*LinkedFilter{&c.reading, &c.linked} {
				f.Type, f.Visible, f.Order = postType, anyone, LinkedByID
				if ids[i], err = s.Links.Page(t.Context(), f, 50, 0); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if !slices.Equal(ids[0], ids[1]) || len(ids[0]) == 0 && name != "both" && name != "not linked" {
				t.Errorf("%s %s: %v, by index %v", postType, name, ids[0], ids[1])
			}
		}
	}
}

// TestCheckingTablesRecovers checks that a panic of a check ends neither the process nor later checks: it is logged,
// and the general path is used.
func TestCheckingTablesRecovers(t *testing.T) {
	s, _ := tidied(t)
	var log bytes.Buffer
	s.DB.config.Logger = slog.New(slog.NewTextHandler(&log, nil))
	whole := s.DB.pool
	s.DB.pool, s.Probe.found, s.Probe.rest = nil, Invariants{}, time.Time{}
	s.Probe.Start(still(t))
	s.Probe.done.Wait()
	if s.Probe.Invariants(still(t)) != (Invariants{}) || !strings.Contains(log.String(), "panic while checking the tables") {
		t.Errorf("%+v, log %s", s.Probe.Invariants(still(t)), &log)
	}
	s.DB.pool, s.Probe.rest = whole, time.Time{}
	if found := s.probeNow(t); found != (Invariants{true, true, true, true, true}) {
		t.Errorf("after the panic: %+v", found)
	}
}

// TestCheckingTablesFails checks that a failed check is logged once and repeated although nothing changed, and that
// what was proved before it failed is known.
func TestCheckingTablesFails(t *testing.T) {
	_, db := tidied(t)
	counter := new(testdb.Counter)
	bound := must.Get(schema.Bind(testdb.Reopen(t, db, testdb.WithCounter(counter)), "wp_"))(t)
	var log bytes.Buffer
	s := newStore(t, bound, func(c *Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	state := still(t)
	check := func() Invariants {
		s.Probe.rest = time.Time{}
		s.Probe.Start(state)
		s.Probe.Wait()
		return s.Probe.Invariants(state)
	}
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.Contains(query, "information_schema.STATISTICS") {
			return errors.New("no catalogue today")
		}
		return nil
	})
	for range 2 {
		known := Invariants{Occurrences: true, Dates: true, Clocks: true, Links: true}
		if found := check(); found != known || s.Probe.rest.Before(time.Now().Add(probeAgain/2)) {
			t.Errorf("%+v until %s", found, s.Probe.rest)
		}
	}
	if n := strings.Count(log.String(), "no catalogue today"); n != 1 {
		t.Errorf("logged %d times: %s", n, &log)
	}
	counter.Reset()
	if found := check(); found != (Invariants{true, true, true, true, true}) {
		t.Errorf("later: %+v", found)
	}
}

// addOccurrence adds an occurrence to an event.
func addOccurrence(t *testing.T, db *bun.DB, post int64, start, end string) {
	t.Helper()
	execute(t, db, "INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, "+
		"duration, hash) VALUES (1, ?, ?, ?, ?, ?, 3600, ?)", post, start, start, end, end, fmt.Sprint(post, start))
}

// tidied returns a store of the recorded site without its irregular rows.
func tidied(t *testing.T) (*Store, *bun.DB) {
	t.Helper()
	s, db := recorded(t)
	execute(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id NOT IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events')")
	execute(t, db, addIndexOfLinks)
	if found := s.probeNow(t); found != (Invariants{true, true, true, true, true}) {
		t.Fatalf("%+v", found)
	}
	return s, db
}

// probeNow checks the tables and returns the result.
func (s *Store) probeNow(t *testing.T) Invariants {
	t.Helper()
	s.Probe.mu.Lock()
	s.Probe.rest = time.Time{}
	s.Probe.mu.Unlock()
	s.Probe.Start(still(t))
	s.Probe.done.Wait()
	return s.Probe.Invariants(still(t))
}
