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

// Counting regular occurrences gives what counting events gives.
func TestQuickCountsAreTrue(t *testing.T) {
	s, db := recorded(t)
	change(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventHideFromUpcoming', 'yes'), (25, '_EventHideFromUpcoming', 'yes'), (7, '_EventHideFromUpcoming', 'yes')")
	change(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id NOT IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events')")
	change(t, db, "UPDATE wp_posts SET post_status = CASE ID % 7 WHEN 0 THEN 'draft' WHEN 1 THEN 'private' WHEN 2 THEN 'trash' ELSE 'publish' END, post_author = ID % 3 WHERE post_type = 'tribe_events'")
	if regular, err := s.regularOccurrences(t.Context()); err != nil || !regular {
		t.Fatalf("regular: %v, %v", regular, err)
	}
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
			f := &EventFilter{Visible: v, Bounds: bounds}
			quick, err := number(t.Context(), s.quickCount(f))
			n, errEvents := s.EventCount(t.Context(), f)
			if err != nil || errEvents != nil || quick != n {
				t.Errorf("%+v: %d %v, of events %d %v", f, quick, err, n, errEvents)
			}
			counted[n] = true
		}
	}
	if len(counted) < 10 {
		t.Errorf("only %d different totals", len(counted))
	}
	for name, f := range map[string]EventFilter{
		"language": {Language: Spoken{Code: "nl"}}, "search": {Search: []Term{{Text: "x"}}}, "terms": {Terms: [][]int64{{1}}}, "venues": {Venues: [][]int64{{1}}}, "other venues": {NoVenues: new([]int64)},
		"organizers": {Organizers: new([]int64)}, "featured": {Featured: new(bool)}, "parent": {Parent: new(int64)}, "include": {Include: new([]int64)}, "tickets": {Ticketed: new(bool)},
	} {
		if f.rangeAlone() {
			t.Errorf("%s is taken for a range", name)
		}
	}
}

func TestIrregularOccurrencesAreNoticed(t *testing.T) {
	for name, spoil := range map[string]func(*bun.DB){
		"two of an event":    func(db *bun.DB) { addOccurrence(t, db, 25, "2033-05-05 10:00:00", "2033-05-05 11:00:00") },
		"of nothing":         func(db *bun.DB) { addOccurrence(t, db, 999999, "2033-05-05 10:00:00", "2033-05-05 11:00:00") },
		"of a venue":         func(db *bun.DB) { addOccurrence(t, db, 7, "2033-05-05 10:00:00", "2033-05-05 11:00:00") },
		"ends before starts": func(db *bun.DB) { change(t, db, "UPDATE wp_tec_occurrences SET end_date = '2000-01-01 00:00:00' WHERE post_id = 25") },
	} {
		s, db := recorded(t)
		change(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id NOT IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events')")
		spoil(db)
		if regular, err := s.regularOccurrences(t.Context()); err != nil || regular {
			t.Errorf("%s: %v, %v", name, regular, err)
		}
	}
}

// The look is taken beside the requests, once for all of them, and not again
// for a while; Close ends it.
func TestLookingIsDoneOnce(t *testing.T) {
	s, db := recorded(t)
	change(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id NOT IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events')")
	if s.isRegular() {
		t.Error("regular before a look")
	}
	for range 3 {
		s.lookWhetherRegular()
	}
	s.regularity.done.Wait()
	if !s.isRegular() {
		t.Error("not regular after a look")
	}
	addOccurrence(t, db, 25, "2033-05-05 10:00:00", "2033-05-05 11:00:00")
	s.lookWhetherRegular()
	s.regularity.done.Wait()
	if !s.isRegular() {
		t.Error("looked again at once")
	}
	s.regularity.since = time.Now().Add(-2 * lookAgain)
	if !s.isRegular() {
		t.Error("not known while it is looked again")
	}
	s.regularity.done.Wait()
	if s.isRegular() {
		t.Error("regular after the second look")
	}
	s.Close()
	s.regularity.since = time.Time{}
	s.lookWhetherRegular()
	if s.regularity.looking {
		t.Error("looks after Close")
	}
}
