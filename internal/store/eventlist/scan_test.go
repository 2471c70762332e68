package eventlist

import (
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/store"
)

// A scanned page is the same as a sorted one.
func TestScannedPagesAreThoseOfSorting(t *testing.T) {
	t.Parallel()
	s, db := recorded(t)
	execute(t, db, "UPDATE wp_tec_occurrences SET start_date = '2031-01-01 00:00:00', start_date_utc = '2030-12-31 23:00:00' "+
		"WHERE post_id % 3 = 0")
	execute(t, db, "UPDATE wp_tec_occurrences SET start_date = '2031-01-02 00:00:00', start_date_utc = '2031-01-01 23:00:00' "+
		"WHERE post_id % 3 = 1 AND post_id < 100")
	execute(t, db, "UPDATE wp_posts SET post_date = '2026-01-01 00:00:00' WHERE ID % 2 = 0")
	execute(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventHideFromUpcoming', 'yes')")
	execute(t, db, "UPDATE wp_posts SET post_password = 'x' WHERE ID % 4 = 1")
	addOccurrence(t, db, 30, "2031-01-01 00:00:00", "2031-01-01 02:00:00")
	addOccurrence(t, db, 31, "2036-01-01 00:00:00", "2036-01-01 02:00:00")
	at, by := venues(7, 8, 9, 10, 11, 12), organizers(17, 18, 19)
	in := func(members int64) Assigned { return AssignedTo([]int64{6, 7, 8, 9, 10, 11}, members) }
	bounds := func(utc bool, c ...Condition) Filter {
		return Filter{Conditions: c, Bounds: []Bound{{UTC: utc, Op: ">", Value: "2031-01-01 00:00:00"}}, Descending: true, OrderUTC: !utc}
	}
	execute(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT post_id, '_EventVenueID', '9' FROM wp_postmeta "+
		"WHERE meta_key = '_EventVenueID' AND meta_value = '8'")
	everything, err := store.IDs(still(t), s.store.DB.Select().From(store.TablePosts, "").Column("ID"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []Filter{
		{}, {Descending: true}, {OrderUTC: true}, {OrderUTC: true, Descending: true},
		{Bounds: []Bound{{Op: ">=", Value: "2031-01-01 00:00:00"}}},
		{Bounds: []Bound{{Op: "<", Value: "2031-01-03 00:00:00"}, {End: true, Op: ">", Value: "2020-01-01 00:00:00"}}, Descending: true},
		asking(in(0)), asking(in(fewMembers + 1)), asking(in(fewMembers)), bounds(false, in(5)),
		asking(Featured(true)), asking(Featured(false)), {Conditions: []Condition{at, Featured(true)}, Descending: true},
		asking(s.Searching([]Term{{Text: "a"}})),
		asking(at), bounds(true, at), asking(at, venues(7, 9, 10, 14)), asking(by), {Conditions: []Condition{by, at}, OrderUTC: true},
		{Conditions: []Condition{in(0)}, Unlocked: true}, {Conditions: []Condition{in(fewMembers)}, Unlocked: true},
		{Conditions: []Condition{at}, Unlocked: true},
		{Conditions: []Condition{Featured(false)}, Unlocked: true, Descending: true}, asking(by, Featured(true)),
	} {
		f.Visible = anyone
		if !s.scans(&f) {
			t.Fatalf("%+v is not read along starts", f)
		}
		sorted := f
		sorted.Conditions = append(slices.Clone(f.Conditions), Among(everything))
		if s.scans(&sorted) {
			t.Fatal("not sorted")
		}
		all, err := s.Select(&sorted).ids(still(t), 1000, 0)
		if err != nil || len(all) < 5 {
			t.Fatal(all, err)
		}
		for i, size := range []int{1, 3, 7, 10, 1000} {
			s.sized(&f, []int64{0, fewLinked + 1, manyLinked + 1}[i%3])
			if n, err := s.Select(&f).Count(still(t)); n != int64(len(all)) || err != nil {
				t.Errorf("%+v: counted %d (%v), listed %d", f, n, err, len(all))
			}
			s.sized(&f, []int64{0, fewLinked + 1, manyLinked + 1}[i%3])
			for offset := 0; offset <= len(all); offset += max(1, size/2, len(all)/5) {
				want := all[offset:min(offset+size, len(all))]
				page, err := s.Select(&f).ids(still(t), int64(size), int64(offset))
				if err != nil || !slices.Equal(page, want) {
					t.Fatalf("%+v: %d from %d: %v %v, want %v", f, size, offset, page, err, want)
				}
			}
		}
	}
}
