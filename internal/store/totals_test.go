package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// keeping is a store that keeps totals for a second of a clock that stands.
func keeping(t *testing.T) (s *Store, ahead func(time.Duration)) {
	t.Helper()
	s, _ = recorded(t)
	s.KeepTotals(time.Second)
	at := time.Now()
	s.totals.clock = func() time.Time { return at }
	return s, func(d time.Duration) { at = at.Add(d) }
}

func TestTotalsAreKeptForATime(t *testing.T) {
	s, ahead := keeping(t)
	counted := int64(0)
	count := func() (int64, error) { counted++; return counted, nil }
	want := func(about, key string, number int64) {
		t.Helper()
		if n, err := s.kept(t.Context(), key, count); n != number || err != nil {
			t.Errorf("%s: %d %v, want %d", about, n, err, number)
		}
	}
	want("first", "a", 1)
	ahead(time.Second - time.Nanosecond)
	want("young", "a", 1)
	want("other", "b", 2)
	ahead(time.Nanosecond)
	want("old", "a", 3)
	s.totals.forget()
	want("forgotten", "a", 4)
	if _, err := s.kept(t.Context(), "c", func() (int64, error) { return 0, errors.New("no") }); err == nil {
		t.Error("no error")
	}
	want("after an error", "c", 5)
	s.KeepTotals(0)
	want("none are kept", "a", 6)
	want("none are kept", "a", 7)
}

// One caller counts, the others wait: each as long as its context allows.
func TestOneCallerCounts(t *testing.T) {
	s, _ := keeping(t)
	var counted atomic.Int64
	begun, release := make(chan struct{}), make(chan struct{})
	count := func() (int64, error) {
		if counted.Add(1) == 1 {
			close(begun)
		}
		<-release
		return 7, nil
	}
	var all sync.WaitGroup
	ask := func() {
		if n, err := s.kept(t.Context(), "a", count); n != 7 || err != nil {
			t.Errorf("%d %v", n, err)
		}
	}
	all.Go(ask)
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.kept(ctx, "a", count); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	for range 10 {
		all.Go(ask)
	}
	close(release)
	all.Wait()
	if counted.Load() != 1 {
		t.Errorf("counted %d times", counted.Load())
	}
}

// What is counted while a write ends goes to nobody who asks after it.
func TestWritesForgetTotals(t *testing.T) {
	s, _ := keeping(t)
	f := &EventFilter{Visible: anyone}
	before, err := s.EventCount(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	late, err := s.kept(t.Context(), "late", func() (int64, error) {
		err := s.Write(t.Context(), func(ctx context.Context) error {
			if _, err := writing(ctx).conn().ExecContext(ctx, "UPDATE wp_posts SET post_status = 'draft' WHERE ID = 25"); err != nil {
				return err
			}
			if n, err := s.EventCount(ctx, f); n != before-1 || err != nil {
				t.Errorf("within the write: %d %v, before %d", n, err, before)
			}
			return nil
		})
		return 1, err
	})
	if late != 1 || err != nil {
		t.Fatal(late, err)
	}
	if n, err := s.EventCount(t.Context(), f); n != before-1 || err != nil {
		t.Errorf("after the write: %d %v, before %d", n, err, before)
	}
	if n, err := s.kept(t.Context(), "late", func() (int64, error) { return 2, nil }); n != 2 || err != nil {
		t.Errorf("counted before the write: %d %v", n, err)
	}
	// One that changes nothing forgets nothing.
	_ = s.Write(t.Context(), func(context.Context) error { return nil })
	if n, _ := s.kept(t.Context(), "late", func() (int64, error) { return 3, nil }); n != 2 {
		t.Errorf("after a write of nothing: %d", n)
	}
}

// Far behind, too.
func TestDeepPagesAreThoseOfSorting(t *testing.T) {
	s, db := tidied(t)
	change(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventHideFromUpcoming', 'yes'), (25, '_EventHideFromUpcoming', 'yes')")
	change(t, db, "UPDATE wp_tec_occurrences SET start_date = '2020-01-01 00:00:00', start_date_utc = '2019-12-31 23:00:00' WHERE post_id % 5 = 0")
	change(t, db, "UPDATE wp_posts SET post_password = 'x' WHERE ID % 4 = 1") // that of 25 too, which is hidden
	plain := New(db, s.names, true, time.Now)                                 // which knows nothing of regularity
	without := []Condition{NotFeatured{}}
	until := []Bound{{End: true, Op: "<", Value: "2031-04-01 00:00:00"}}
	seen := 0
	for _, f := range []EventFilter{
		{Visible: anyone}, {Visible: anyone, Descending: true}, {Visible: anyone, Descending: true, Bounds: until}, {Visible: anyone, OrderUTC: true}, {Visible: Visible{Statuses: []string{"publish", "private", "draft"}}},
		{Visible: Visible{Statuses: []string{"nonsense"}}}, {Visible: anyone, Bounds: []Bound{{Op: ">", Value: "2000-01-01 00:00:00"}, {End: true, Op: "<=", Value: "2031-12-01 00:00:00"}}},
		{Visible: Visible{Statuses: []string{"publish"}, Author: 1, OwnStatuses: []string{"draft", "private"}}},
		{Visible: anyone, Unlocked: true}, {Visible: Visible{Statuses: []string{"publish"}}, Unlocked: true, Conditions: without, Descending: true},
	} {
		index, _ := as[indexed](f.Conditions)
		scan, _ := as[scannable](f.Conditions)
		for _, at := range []struct{ limit, offset int64 }{{10, 0}, {12, 40}, {5, 71}, {1, 1000}} {
			rows, ok, err := s.deepRows(t.Context(), &f, index, at.limit, at.offset)
			near, errNear := s.startRows(t.Context(), &f, scan, nil, at.limit, at.offset)
			want, errRows := plain.startRows(t.Context(), &f, scan, nil, at.limit, at.offset)
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

// Whichever way a page is read, it is the same page.
func TestPagesAlongStartsAreThoseOfSorting(t *testing.T) {
	s, db := recorded(t)
	change(t, db, "UPDATE wp_tec_occurrences SET start_date = '2031-01-01 00:00:00', start_date_utc = '2030-12-31 23:00:00' WHERE post_id % 3 = 0")
	change(t, db, "UPDATE wp_tec_occurrences SET start_date = '2031-01-02 00:00:00', start_date_utc = '2031-01-01 23:00:00' WHERE post_id % 3 = 1 AND post_id < 100")
	change(t, db, "UPDATE wp_posts SET post_date = '2026-01-01 00:00:00' WHERE ID % 2 = 0")
	change(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (25, '_EventHideFromUpcoming', 'yes')")
	change(t, db, "UPDATE wp_posts SET post_password = 'x' WHERE ID % 4 = 1")
	addOccurrence(t, db, 30, "2031-01-01 00:00:00", "2031-01-01 02:00:00")
	addOccurrence(t, db, 31, "2036-01-01 00:00:00", "2036-01-01 02:00:00")
	at, by := venues(7, 8, 9, 10, 11, 12), organizers(17, 18, 19)
	in := func(members int64) Assigned { return Assigned{Terms: []int64{6, 7, 8, 9, 10, 11}, Members: members} }
	bounds := func(utc bool, c ...Condition) EventFilter {
		return EventFilter{Conditions: c, Bounds: []Bound{{UTC: utc, Op: ">", Value: "2031-01-01 00:00:00"}}, Descending: true, OrderUTC: !utc}
	}
	change(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT post_id, '_EventVenueID', '9' FROM wp_postmeta WHERE meta_key = '_EventVenueID' AND meta_value = '8'")
	everything, err := ids(t.Context(), db.NewSelect().TableExpr("wp_posts").Column("ID"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []EventFilter{
		{}, {Descending: true}, {OrderUTC: true}, {OrderUTC: true, Descending: true}, {Bounds: []Bound{{Op: ">=", Value: "2031-01-01 00:00:00"}}},
		{Bounds: []Bound{{Op: "<", Value: "2031-01-03 00:00:00"}, {End: true, Op: ">", Value: "2020-01-01 00:00:00"}}, Descending: true},
		asking(in(0)), asking(in(fewMembers + 1)), asking(in(fewMembers)), bounds(false, in(5)),
		asking(Featured{}), asking(NotFeatured{}), {Conditions: []Condition{at, Featured{}}, Descending: true}, asking(s.Searching([]Term{{Text: "a"}})),
		asking(at), bounds(true, at), asking(at, venues(7, 9, 10, 14)), asking(by), {Conditions: []Condition{by, at}, OrderUTC: true},
		{Conditions: []Condition{in(0)}, Unlocked: true}, {Conditions: []Condition{in(fewMembers)}, Unlocked: true}, {Conditions: []Condition{at}, Unlocked: true},
		{Conditions: []Condition{NotFeatured{}}, Unlocked: true, Descending: true}, asking(by, Featured{}),
	} {
		f.Visible = anyone
		if _, ok := s.inStarts(&f); !ok {
			t.Fatalf("%+v is not read along starts", f)
		}
		sorted := f
		sorted.Conditions = append(slices.Clone(f.Conditions), Among(everything))
		if _, ok := s.inStarts(&sorted); ok {
			t.Fatal("not sorted")
		}
		all, err := s.EventPage(t.Context(), &sorted, 1000, 0)
		if err != nil || len(all) < 5 {
			t.Fatal(all, err)
		}
		for i, size := range []int{1, 2, 3, 7, 10, 1000} {
			s.totals.sized(f.sizeKey(), []int64{0, fewLinked + 1, manyLinked + 1}[i%3])
			s.totals.forget()
			if n, err := s.EventCount(t.Context(), &f); n != int64(len(all)) || err != nil {
				t.Errorf("%+v: counted %d (%v), listed %d", f, n, err, len(all))
			}
			s.totals.sized(f.sizeKey(), []int64{0, fewLinked + 1, manyLinked + 1}[i%3])
			for offset := 0; offset <= len(all); offset += max(1, size/2) {
				want := all[offset:min(offset+size, len(all))]
				page, err := s.EventPage(t.Context(), &f, int64(size), int64(offset))
				if err != nil || !slices.Equal(page, want) {
					t.Fatalf("%+v: %d from %d: %v %v, want %v", f, size, offset, page, err, want)
				}
			}
		}
	}
}

// How many events link something is guessed by how much that is until it was counted.
func TestSizesAreGuessedOnce(t *testing.T) {
	s, _ := recorded(t)
	one, eleven := asking(venues(8)), asking(organizers(1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 18))
	for f, guess := range map[*EventFilter]int64{&one: 0, &eleven: manyLinked} {
		if n := s.size(f); n != guess {
			t.Errorf("%v: guessed %d", f, n)
		}
		f.Visible = anyone
		n, err := s.EventCount(t.Context(), f)
		if err != nil || n < 5 || s.size(f) != n {
			t.Errorf("%v: counted %d (%v), then %d", f, n, err, s.size(f))
		}
		later := *f
		later.Bounds = []Bound{{Op: ">", Value: "2100-01-01 00:00:00"}}
		if none, err := s.EventCount(t.Context(), &later); none != 0 || err != nil || s.size(&later) != 0 || s.size(f) != n {
			t.Errorf("%v: counted %d (%v), then %d, without bounds %d", later, none, err, s.size(&later), s.size(f))
		}
		if later.Bounds[0].Value = "2100-01-01 23:59:59"; s.size(&later) != 0 {
			t.Errorf("%v: %d at another hour of the day", later, s.size(&later))
		}
	}
}

// C2: the tree of a taxonomy is never older than the question, however long
// totals are kept.
func TestTreesAreNotKept(t *testing.T) {
	s, _ := keeping(t)
	names := func() (list []string) {
		terms, err := s.Tree(t.Context(), "tribe_events_cat")
		if err != nil {
			t.Fatal(err)
		}
		for _, term := range terms {
			list = append(list, term.Name)
		}
		return list
	}
	before := names()
	change(t, s.db.DB, "UPDATE wp_terms SET name = CONCAT(name, 'x')")
	if after := names(); slices.Equal(after, before) || len(after) != len(before) {
		t.Errorf("%q after %q", after, before)
	}
}
