package eventlist

import (
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/store"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestEmptyListsMatchNothing(t *testing.T) {
	s, _ := recorded(t)
	none := []int64{}
	for name, f := range map[string]Filter{
		"include": asking(Among{}), "organizers": asking(organizers()), "venues": asking(venues()), "terms": asking(AssignedTo(none, 0)),
		"states": {Visible: store.Visible{}},
	} {
		if name != "states" {
			f.Visible = anyone
		}
		ids, err := s.Select(&f).ids(still(t), 10, 0)
		n, errCount := s.Select(&f).Count(still(t))
		if err != nil || errCount != nil || len(ids) != 0 || n != 0 {
			t.Errorf("%s: %v %d, %v %v", name, ids, n, err, errCount)
		}
	}
	if n, err := s.Select(&Filter{Visible: anyone, Conditions: []Condition{notAt(venues())}}).Count(still(t)); err != nil || n == 0 {
		t.Errorf("none of no venues: %d %v", n, err)
	}
}

// TestCountsOfMonthsProbeLargeTables checks that the tables are probed once a list that contains few of many events is
// counted: until the invariants are proved, counting a month takes as long as counting all months after it.
func TestCountsOfMonthsProbeLargeTables(t *testing.T) {
	l, db := recorded(t)
	execute(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id NOT IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events')")
	month := &Filter{Visible: anyone, Bounds: []Bound{
		{Op: ">=", Value: "2031-03-01 00:00:00"}, {End: true, Op: "<=", Value: "2031-03-31 23:59:59"},
	}}
	count := func() int64 {
		n := must.Get(l.Select(month).Count(still(t)))(t)
		l.store.Probe.Wait()
		return n
	}
	few := count()
	if few == 0 || l.store.Probe.Invariants(still(t)).Occurrences {
		t.Errorf("%d events in March, and few in all were probed", few)
	}
	const numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99) "
	execute(t, testdb.OfOthers(t, db), "INSERT INTO wp_posts "+
		"(ID, post_type, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered) "+
		numbers+"SELECT 100000 + 100 * a.i + b.i, 'tribe_events', '', '', '', '', '', '' FROM n AS a JOIN n AS b WHERE a.i < 21")
	execute(t, db, "INSERT INTO wp_tec_occurrences "+
		"(event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash) "+
		numbers+"SELECT 1, 100000 + 100 * a.i + b.i, '2040-01-01', '2040-01-01', '2040-01-02', '2040-01-02', 86400, 100 * a.i + b.i "+
		"FROM n AS a JOIN n AS b WHERE a.i < 21")
	l = listOf(t, db, true)
	if n := count(); n != few || !l.store.Probe.Invariants(still(t)).Occurrences {
		t.Errorf("%d events in March, %d before; many in all were not probed", n, few)
	}
	if n := count(); n != few {
		t.Errorf("%d events in March by indexes, %d before", n, few)
	}
}

// TestTiesAreReadWithThePage checks that pages are parts of the whole list however many events share a start, and that one
// needs no further statement for the events outside of it that share a start with one of it, if they are few.
func TestTiesAreReadWithThePage(t *testing.T) {
	counter := &testdb.Counter{}
	l, db := recorded(t, testdb.WithCounter(counter))
	execute(t, db, "UPDATE wp_posts SET post_date = '2026-01-01' + INTERVAL ID % 5 DAY WHERE post_type = 'tribe_events'") // orders ties
	for shared, want := range map[int]int{nearby - 1: 1, nearby: 1, 2 * nearby: 2, 5 * nearby: 2} {
		execute(t, db, "UPDATE wp_tec_occurrences SET start_date = '2031-01-01' + INTERVAL post_id DIV ? HOUR, end_date = '2040-01-01'",
			shared)
		for _, descending := range []bool{false, true} {
			f, most := &Filter{Visible: anyone, Descending: descending}, 0
			all := must.Get(l.Select(f).Page(still(t), 10_000, 0))(t)
			for offset := range int64(50) {
				counter.Reset()
				page := must.Get(l.Select(f).Page(still(t), 10, offset))(t)
				most = max(most, len(counter.Statements()))
				if part := all[offset : offset+10]; !slices.Equal(page, part) {
					t.Errorf("%d events share a start, descending %v, from %d: %v, want %v", shared, descending, offset, page, part)
				}
			}
			if most != want {
				t.Errorf("%d events share a start, descending %v: %d statements, want %d", shared, descending, most, want)
			}
		}
	}
}
