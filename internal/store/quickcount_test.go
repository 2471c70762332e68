package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/uptrace/bun"
)

// addOccurrence gives an event one more occurrence.
func addOccurrence(t *testing.T, db *bun.DB, post int64, start, end string) {
	t.Helper()
	change(t, db, "INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash) VALUES (1, ?, ?, ?, ?, ?, 3600, ?)",
		post, start, start, end, end, fmt.Sprint(post, start))
}

// tidied is the recorded site without what is irregular in it.
func tidied(t *testing.T) (*Store, *bun.DB) {
	t.Helper()
	s, db := recorded(t)
	change(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id NOT IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events')")
	change(t, db, addIndexOfLinks)
	if found := s.lookNow(t); found != (facts{true, true}) {
		t.Fatalf("%+v", found)
	}
	return s, db
}

// lookNow looks at the tables and returns what it found.
func (s *Store) lookNow(t *testing.T) facts {
	t.Helper()
	s.regularity.mu.Lock()
	s.regularity.since = time.Time{}
	s.regularity.mu.Unlock()
	s.look()
	s.regularity.done.Wait()
	return s.regular()
}

// Counting regular occurrences gives what counting events gives.
func TestQuickCountsAreTrue(t *testing.T) {
	s, db := tidied(t)
	change(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventHideFromUpcoming', 'yes'), (25, '_EventHideFromUpcoming', 'yes'), (7, '_EventHideFromUpcoming', 'yes')")
	change(t, db, "UPDATE wp_posts SET post_status = CASE ID % 7 WHEN 0 THEN 'draft' WHEN 1 THEN 'private' WHEN 2 THEN 'trash' ELSE 'publish' END, post_author = ID % 3 WHERE post_type = 'tribe_events'")
	change(t, db, "UPDATE wp_posts SET post_password = 'x' WHERE ID % 5 < 2") // that of 25 too, which is hidden
	events := New(db, s.names, true, time.Now)                                // which knows nothing of regularity
	counted := map[int64]bool{}
	for _, v := range []Visible{
		{Statuses: []string{"publish"}}, {Statuses: []string{"publish", "private"}}, {Statuses: []string{"nonsense"}},
		{Statuses: []string{"publish"}, Author: 2, OwnStatuses: []string{"draft", "private"}},
	} {
		for _, bounds := range [][]Bound{
			nil, {{Op: ">=", Value: "2031-03-24 09:45:00"}}, {{Op: ">=", Value: "2019-01-01 00:00:00"}, {End: true, Op: "<=", Value: "2031-03-25 23:59:59"}},
			{{End: true, UTC: true, Op: "<", Value: "2031-03-25 22:59:59"}}, {{UTC: true, Op: ">", Value: "2031-01-01 00:00:00"}, {End: true, UTC: true, Op: "<", Value: "2031-04-01 00:00:00"}},
			{{Op: "<", Value: "2030-01-01 00:00:00"}}, {{End: true, Op: ">", Value: "2031-01-01 00:00:00"}},
		} {
			for _, f := range []EventFilter{
				{}, asking(Assigned{Terms: []int64{7, 11}}), asking(Assigned{Terms: []int64{7, 11, 6}}, Assigned{Terms: []int64{17, 18}}), asking(venues(7, 10, 12)),
				asking(venues(7, 10), venues()), asking(organizers(17, 18)), asking(Featured{}), asking(NotFeatured{}), asking(NotAmong{25, 26}), asking(NotAmong{}, Assigned{Terms: []int64{7, 11, 6}}),
			} {
				f.Visible, f.Bounds = v, bounds
				for _, f.Unlocked = range []bool{false, true} {
					for _, of := range []*Store{s, events} { // too many to be counted one by one
						of.totals.sized(f.sizeKey(), manyLinked+1)
					}
					quick, err := s.EventCount(t.Context(), &f)
					n, errEvents := events.EventCount(t.Context(), &f)
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
		"search": s.Searching([]Term{{Text: "x"}}), "other venues": NotLinking(venues()), "parent": ChildOf(1), "include": Among{}, "tickets": Among{1},
	} {
		if _, is := c.(indexed); is {
			t.Errorf("%s is taken for an index", name)
		}
	}
}
