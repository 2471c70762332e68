package eventlist

import (
	"errors"
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/store"
)

// Counting regular occurrences gives what counting events gives.
func TestQuickCountsAreTrue(t *testing.T) {
	t.Parallel()
	s, db := tidied(t)
	execute(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventHideFromUpcoming', 'yes'), "+
		"(25, '_EventHideFromUpcoming', 'yes'), (7, '_EventHideFromUpcoming', 'yes')")
	execute(t, db, "UPDATE wp_posts SET post_status = CASE ID % 7 WHEN 0 THEN 'draft' WHEN 1 THEN 'private' "+
		"WHEN 2 THEN 'trash' ELSE 'publish' END, post_author = ID % 3 WHERE post_type = 'tribe_events'")
	execute(t, db, "UPDATE wp_posts SET post_password = 'x' WHERE ID % 5 < 2") // that of 25 too, which is hidden
	events := listOf(t, db, true)                                              // without invariants
	counted := map[int64]bool{}
	for i, v := range []store.Visible{
		{Statuses: []string{"publish"}}, {Statuses: []string{"publish", "private"}}, {Statuses: []string{"nonsense"}},
		{Statuses: []string{"publish"}, Author: 2, OwnStatuses: []string{"draft", "private"}},
	} {
		for j, bounds := range [][]Bound{
			nil, {{Op: ">=", Value: "2031-03-24 09:45:00"}},
			{{Op: ">=", Value: "2019-01-01 00:00:00"}, {End: true, Op: "<=", Value: "2031-03-25 23:59:59"}},
			{{End: true, UTC: true, Op: "<", Value: "2031-03-25 22:59:59"}},
			{{UTC: true, Op: ">", Value: "2031-01-01 00:00:00"}, {End: true, UTC: true, Op: "<", Value: "2031-04-01 00:00:00"}},
			{{Op: "<", Value: "2030-01-01 00:00:00"}}, {{End: true, Op: ">", Value: "2031-01-01 00:00:00"}},
		} {
			for k, f := range []Filter{
				{}, asking(AssignedTo([]int64{7, 11}, 0)), asking(AssignedTo([]int64{7, 11, 6}, 0), AssignedTo([]int64{17, 18}, 0)),
				asking(venues(7, 10, 12)),
				asking(venues(7, 10), venues()), asking(organizers(17, 18)), asking(Featured(true)), asking(Featured(false)),
				asking(NotAmong{25, 26}), asking(NotAmong{}, AssignedTo([]int64{7, 11, 6}, 0)),
			} {
				if (i+j+k)%3 > 0 { // each two of them together
					continue
				}
				f.Visible, f.Bounds = v, bounds
				for _, f.Unlocked = range []bool{false, true} {
					for _, of := range []*List{s, events} { // too many to be counted one by one
						of.sized(&f, manyLinked+1)
					}
					quick, err := s.Select(&f).Count(still(t))
					n, errEvents := events.Select(&f).Count(still(t))
					if err != nil || errEvents != nil || quick != n {
						t.Errorf("%+v: %d %v, of events %d %v", f, quick, err, n, errEvents)
					}
					counted[n] = true
				}
			}
		}
	}
	if len(counted) < 10 {
		t.Errorf("only %d different totals", len(counted))
	}
	for name, c := range map[string]Condition{
		"search": s.Searching([]Term{{Text: "x"}}), "other venues": notAt(venues()), "parent": ChildOf(1), "include": Among{},
		"tickets": Among{1},
	} {
		if _, is := c.(indexed); is {
			t.Errorf("%s is taken for an index", name)
		}
	}
}

// Deep pages, too.
func TestDeepPagesAreThoseOfSorting(t *testing.T) {
	s, db := tidied(t)
	execute(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventHideFromUpcoming', 'yes'), "+
		"(25, '_EventHideFromUpcoming', 'yes')")
	execute(t, db, "UPDATE wp_tec_occurrences SET start_date = '2020-01-01 00:00:00', start_date_utc = '2019-12-31 23:00:00' "+
		"WHERE post_id % 5 = 0")
	execute(t, db, "UPDATE wp_posts SET post_password = 'x' WHERE ID % 4 = 1") // that of 25 too, which is hidden
	plain := listOf(t, db, true)                                               // without invariants
	without := []Condition{Featured(false)}
	until := []Bound{{End: true, Op: "<", Value: "2031-04-01 00:00:00"}}
	seen := 0
	for _, f := range []Filter{
		{Visible: anyone}, {Visible: anyone, Descending: true}, {Visible: anyone, Descending: true, Bounds: until},
		{Visible: anyone, OrderUTC: true}, {Visible: store.Visible{Statuses: []string{"publish", "private", "draft"}}},
		{Visible: store.Visible{Statuses: []string{"nonsense"}}},
		{Visible: anyone,
			Bounds: []Bound{{Op: ">", Value: "2000-01-01 00:00:00"}, {End: true, Op: "<=", Value: "2031-12-01 00:00:00"}}},
		{Visible: store.Visible{Statuses: []string{"publish"}, Author: 1, OwnStatuses: []string{"draft", "private"}}},
		{Visible: anyone, Unlocked: true},
		{Visible: store.Visible{Statuses: []string{"publish"}}, Unlocked: true, Conditions: without, Descending: true},
	} {
		pages, _ := s.indexes(&f)
		scan, _ := s.scan(&f)
		sorted, _ := plain.scan(&f)
		for _, at := range []struct{ limit, offset int64 }{{10, 0}, {12, 40}, {5, 71}, {1, 1000}} {
			rows, ok, err := pages.rows(still(t), at.limit, at.offset)
			near, errNear := scan.rows(still(t), nil, at.limit, at.offset)
			want, errRows := sorted.rows(still(t), nil, at.limit, at.offset)
			if errors.Join(err, errNear, errRows) != nil || !ok || !slices.Equal(rows, want) || !slices.Equal(near, want) {
				t.Errorf("%+v from %d: %v %v %v and %v %v, want %v %v", f, at.offset, rows, ok, err, near, errNear, want, errRows)
			}
			seen += len(rows)
		}
	}
	if seen < 100 {
		t.Errorf("only %d rows", seen)
	}
}
