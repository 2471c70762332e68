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

// keeping returns a store that keeps totals for a second of a stopped clock.
func keeping(t *testing.T) (s *Store, ahead func(time.Duration)) {
	t.Helper()
	s, _ = recorded(t)
	s.CacheCounts(time.Second)
	at := time.Now()
	s.counts.clock = func() time.Time { return at }
	return s, func(d time.Duration) { at = at.Add(d) }
}

func TestTotalsAreKeptForATime(t *testing.T) {
	s, ahead := keeping(t)
	counted := int64(0)
	count := func() (int64, error) { counted++; return counted, nil }
	want := func(about, key string, number int64) {
		t.Helper()
		if n, err := s.Cached(t.Context(), key, count); n != number || err != nil {
			t.Errorf("%s: %d %v, want %d", about, n, err, number)
		}
	}
	want("first", "a", 1)
	ahead(time.Second - time.Nanosecond)
	want("young", "a", 1)
	want("other", "b", 2)
	ahead(time.Nanosecond)
	want("old", "a", 3)
	s.counts.forget()
	want("forgotten", "a", 4)
	if _, err := s.Cached(t.Context(), "c", func() (int64, error) { return 0, errors.New("no") }); err == nil {
		t.Error("no error")
	}
	want("after an error", "c", 5)
	s.CacheCounts(0)
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
		if n, err := s.Cached(t.Context(), "a", count); n != 7 || err != nil {
			t.Errorf("%d %v", n, err)
		}
	}
	all.Go(ask)
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Cached(ctx, "a", count); !errors.Is(err, context.Canceled) {
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

// What is counted while a write ends is not returned to those who ask after it.
func TestWritesForgetTotals(t *testing.T) {
	s, _ := keeping(t)
	f := &LinkedFilter{Type: s.names.Event, Visible: anyone}
	before, err := s.LinkedCount(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	late, err := s.Cached(t.Context(), "late", func() (int64, error) {
		err := s.Write(t.Context(), func(ctx context.Context) error {
			if _, err := writing(ctx).conn().ExecContext(ctx, "UPDATE wp_posts SET post_status = 'draft' WHERE ID = 25"); err != nil {
				return err
			}
			if n, err := s.LinkedCount(ctx, f); n != before-1 || err != nil {
				t.Errorf("within the write: %d %v, before %d", n, err, before)
			}
			return nil
		})
		return 1, err
	})
	if late != 1 || err != nil {
		t.Fatal(late, err)
	}
	if n, err := s.LinkedCount(t.Context(), f); n != before-1 || err != nil {
		t.Errorf("after the write: %d %v, before %d", n, err, before)
	}
	if n, err := s.Cached(t.Context(), "late", func() (int64, error) { return 2, nil }); n != 2 || err != nil {
		t.Errorf("counted before the write: %d %v", n, err)
	}
	// A write that changes nothing forgets nothing.
	_ = s.Write(t.Context(), func(context.Context) error { return nil })
	if n, _ := s.Cached(t.Context(), "late", func() (int64, error) { return 3, nil }); n != 2 {
		t.Errorf("after a write of nothing: %d", n)
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
