package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/uptrace/bun"
)

// everyThird is a condition that no strategy but the general one knows.
type everyThird struct{}

func (everyThird) general(_ *Store, q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("p.ID % 3 = 0")
}

// A condition that the planner does not know is evaluated in full: pages and totals are
// right where fast paths are taken for others, with as many regular events as those begin at.
func TestUnknownConditionsTakeTheGeneralStrategy(t *testing.T) {
	s, db := tidied(t)
	const first, events = 100_000, 5000
	rows := "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999) SELECT "
	change(t, db, "SET max_recursive_iterations = 10000")
	for _, insert := range []string{
		"INSERT INTO wp_posts (ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_name, to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, post_type) " +
			rows + "100000 + i, 1, '2026-01-01', '2026-01-01', '', 'x', '', 'publish', CONCAT('x', i), '', '', '2026-01-01', '2026-01-01', '', 'tribe_events' FROM n",
		"INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash) " +
			rows + "100000 + i, 100000 + i, '2031-01-01' + INTERVAL i DIV 3 HOUR, '2031-01-01' + INTERVAL i DIV 3 HOUR, '2031-01-02' + INTERVAL i DIV 3 HOUR, '2031-01-02' + INTERVAL i DIV 3 HOUR, 86400, CONCAT('x', i) FROM n",
		"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) " + rows + "100000 + i, '_tribe_featured', '1' FROM n WHERE i % 50 = 0",
		"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) " + rows + "100000 + i, '_EventVenueID', '7' FROM n WHERE i % 2 = 0",
		"INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) " + rows + "100000 + i, 7 FROM n WHERE i % 10 = 0",
	} {
		change(t, db, insert)
	}
	bounds := []Bound{{Op: ">=", Value: "2031-01-01 00:00:00"}}
	all, err := s.EventCount(t.Context(), &EventFilter{Visible: anyone, Bounds: bounds})
	if err != nil || all < events || s.lookNow(t) != (facts{true, true}) {
		t.Fatal(all, err)
	}
	for name, others := range map[string][]Condition{
		"alone": nil, "with featured": {Featured{}}, "with others": {NotFeatured{}}, "at a venue": {venues(7)}, "with a term": {Assigned{Terms: []int64{7}, Members: 700}},
	} {
		for _, descending := range []bool{false, true} {
			f := &EventFilter{Visible: anyone, Bounds: bounds, Conditions: others, Descending: descending}
			known, err := s.EventPage(t.Context(), f, 10_000, 0)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(known, func(id int64) bool { return id%3 != 0 })
			for _, f.Conditions = range [][]Condition{append([]Condition{everyThird{}}, others...), append(slices.Clone(others), everyThird{})} {
				for _, offset := range []int{0, deep, len(want) / 2, len(want) - 3} {
					page, err := s.EventPage(t.Context(), f, 10, int64(offset))
					if err != nil || !slices.Equal(page, want[min(offset, len(want)):min(offset+10, len(want))]) {
						t.Errorf("%s, descending %v, from %d: %v %v", name, descending, offset, page, err)
					}
				}
				if n, err := s.EventCount(t.Context(), f); err != nil || n != int64(len(want)) || n < 30 {
					t.Errorf("%s: counted %d %v, listed %d", name, n, err, len(want))
				}
			}
		}
	}
}

// anyOf are random choices for filters on the recorded site.
type anyOf struct{ *rand.Rand }

func (r anyOf) ids(from, to int64, most int) []int64 {
	list := make([]int64, r.IntN(most+1))
	for i := range list {
		list[i] = from + r.Int64N(to-from)
	}
	return list
}

func (r anyOf) yes() bool { return r.IntN(2) == 0 }

// condition returns one of all kinds.
func (r anyOf) condition(s *Store) Condition {
	switch r.IntN(12) {
	case 0:
		return s.Searching([]Term{{Text: []string{"a", "blues", "nacht", "jazz"}[r.IntN(4)], Not: r.yes()}})
	case 1, 2:
		return Assigned{Terms: r.ids(6, 20, 6), Members: []int64{0, 5, fewMembers + 1}[r.IntN(3)]}
	case 3:
		return venues(r.ids(7, 17, 5)...)
	case 4:
		return organizers(r.ids(17, 22, 12)...)
	case 5:
		return NotLinking(venues(r.ids(7, 17, 3)...))
	case 6:
		return Featured{}
	case 7:
		return NotFeatured{}
	case 8:
		return ChildOf([]int64{0, 0, 46}[r.IntN(3)])
	case 9:
		return Among(r.ids(20, 200, 150))
	case 10:
		return NotAmong(r.ids(20, 200, 20))
	}
	return everyThird{}
}

func (r anyOf) moment() string {
	return time.Date(2031, 1, 1+r.IntN(365), r.IntN(24), 0, 0, 0, time.UTC).Format(time.DateTime)
}

func (r anyOf) filter(s *Store) *EventFilter {
	f := &EventFilter{Visible: anyone, OrderUTC: r.yes(), Descending: r.yes(), Unlocked: r.yes()}
	switch r.IntN(4) {
	case 0:
		f.Visible = Visible{Statuses: []string{"publish"}, Author: 1 + r.Int64N(3), OwnStatuses: []string{"draft", "private"}}
	case 1:
		f.Visible.Statuses = []string{"publish", "private", "draft"}
	}
	for range r.IntN(3) {
		f.Bounds = append(f.Bounds, Bound{End: r.yes(), UTC: r.yes(), Op: []string{">=", "<=", ">", "<"}[r.IntN(4)], Value: r.moment()})
	}
	for range []int{0, 1, 1, 2, 3}[r.IntN(5)] {
		f.Conditions = append(f.Conditions, r.condition(s))
	}
	if r.IntN(6) == 0 {
		f.Order = []EventOrder{ByStart, ByPostDate, ByTitle, ByModified, ByID}[r.IntN(5)]
	}
	return f
}

// spoil makes the tables of the recorded site other ones, and irregular in some of the ways
// that there are.
func (r anyOf) spoil(t *testing.T, db *bun.DB) {
	t.Helper()
	n := 2 + r.IntN(6)
	change(t, db, "UPDATE wp_posts SET post_author = 1 + ID % 3, post_status = CASE WHEN ID % ? = 0 THEN 'draft' WHEN ID % 11 = 0 THEN 'private' ELSE 'publish' END, "+
		"post_password = CASE WHEN ID % ? = 1 THEN 'x' ELSE '' END, post_date = '2026-01-01' + INTERVAL ID % 4 DAY WHERE post_type = 'tribe_events'", 3*n, n+2)
	change(t, db, "UPDATE wp_tec_occurrences SET start_date = LEAST('2031-05-01', end_date), start_date_utc = LEAST('2031-05-01', end_date_utc) WHERE post_id % ? = 0", n)
	change(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, '_EventHideFromUpcoming', 'yes' FROM wp_posts WHERE ID % ? = 3", n+5)
	change(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, '_EventVenueID', 7 + ID % 8 FROM wp_posts WHERE ID % ? = 0 AND post_type = 'tribe_events'", n)
	for _, irregular := range []func(){
		func() { addOccurrence(t, db, 30, "2031-05-01 00:00:00", "2031-06-01 02:00:00") },
		func() {
			for id := int64(25); id < 60; id++ {
				from := r.moment()
				addOccurrence(t, db, id, from, from)
			}
		},
		func() { change(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id % 9 = 0") },
		func() { addOccurrence(t, db, 999_999, "2031-05-01 00:00:00", "2031-06-01 02:00:00") },
		func() { addOccurrence(t, db, 7, "2031-05-01 00:00:00", "2031-06-01 02:00:00") },
		func() { change(t, db, "UPDATE wp_tec_occurrences SET end_date = '2030-01-01' WHERE post_id % 6 = 1") },
		func() {
			change(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (40, '_EventVenueID', '7abc'), (41, '_EventVenueID', ''), (42, '_EventVenueID', NULL), (888888, '_EventVenueID', '7')")
		},
		func() {
			change(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (43, '_tribe_featured', ''), (43, '_tribe_featured', '0'), (888888, '_tribe_featured', '1')")
		},
		func() {
			change(t, db, "INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (888888, 7), (7, 7)")
		},
	} {
		if r.IntN(3) == 0 {
			irregular()
		}
	}
}

// Every strategy gives what the general one gives: random filters of all conditions, on random
// tables, regular and not.
func TestStrategiesAgreeWithTheGeneralOne(t *testing.T) {
	taken := map[string]int{}
	for seed := range uint64(6) {
		r := anyOf{rand.New(rand.NewPCG(seed, 14))}
		s, db := tidied(t)
		if seed%3 != 0 {
			r.spoil(t, db)
			taken[fmt.Sprintf("regular %v", s.lookNow(t).occurrences)]++
		}
		for range 60 {
			f := r.filter(s)
			s.totals.sized(f.sizeKey(), []int64{0, fewLinked + 1, manyLinked + 1}[r.IntN(3)])
			agree(t, s, f, taken)
		}
	}
	for _, strategy := range []string{"general", "scan", "source", "in a list", "descending", "deep", "quick count", "regular false"} {
		if taken[strategy] == 0 {
			t.Errorf("%s is never taken: %v", strategy, taken)
		}
	}
}

func agree(t *testing.T, s *Store, f *EventFilter, taken map[string]int) {
	t.Helper()
	want, err := s.generalPage(t.Context(), f, 10_000, 0)
	n, errCount := number(t.Context(), s.events(f).ColumnExpr("COUNT(DISTINCT p.ID)"))
	if err != nil || errCount != nil || n != int64(len(want)) {
		t.Fatalf("%+v: listed %d, counted %d: %v %v", f, len(want), n, err, errCount)
	}
	scan, scanned := s.inStarts(f)
	if scanned {
		taken["scan"]++
		_, source := s.fromStarts(f, scan, fewLinked)
		taken["source"] += map[bool]int{true: 1}[source]
		taken["descending"] += map[bool]int{true: 1}[f.Descending && s.regular().occurrences]
		size := s.size(f)
		taken["in a list"] += map[bool]int{true: 1}[!source && some[linking](f.Conditions) && size > fewLinked && size <= manyLinked]
	} else {
		taken["general"]++
	}
	for _, size := range []int{1, 10, 1000} {
		for _, offset := range []int{0, 1, 2, len(want) / 3, len(want) - 2, len(want)} {
			offset = min(max(0, offset), len(want))
			page, err := s.EventPage(t.Context(), f, int64(size), int64(offset))
			if err != nil || !slices.Equal(page, want[offset:min(offset+size, len(want))]) {
				t.Fatalf("%+v: %d from %d: %v %v of %v", f, size, offset, page, err, want)
			}
		}
	}
	if counted, err := s.EventCount(t.Context(), f); err != nil || counted != n {
		t.Errorf("%+v: counted %d %v, listed %d", f, counted, err, n)
	}
	index, known := as[indexed](f.Conditions)
	if !known || !s.regular().occurrences {
		return
	}
	if counted, err := number(t.Context(), s.quickCount(f, index)); err != nil || counted != n {
		t.Errorf("%+v: counted by indexes %d %v, listed %d", f, counted, err, n)
	}
	taken["quick count"]++
	if scanned {
		agreeDeep(t.Context(), t, s, f, index, scan)
		taken["deep"]++
	}
}

// agreeDeep compares deep pages with scans, which have the same order of ties.
func agreeDeep(ctx context.Context, t *testing.T, s *Store, f *EventFilter, index []indexed, scan []scannable) {
	t.Helper()
	for _, offset := range []int64{0, 5, 50} {
		want, err := s.startRows(ctx, f, scan, nil, 10, offset)
		rows, ok, errDeep := s.deepRows(ctx, f, index, 10, offset)
		if err != nil || errDeep != nil || !ok || !slices.Equal(rows, want) {
			t.Errorf("%+v: deep from %d: %v %v %v, want %v %v", f, offset, rows, ok, errDeep, want, err)
		}
	}
}
