package change

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestNilState(t *testing.T) {
	var s *State
	if s.Epoch(All) != 0 || s.Foreign(All) != 0 || s.Settled(0) || s.Options() != nil {
		t.Error("nil knows something")
	}
	if From(t.Context()) != nil || From(With(t.Context(), nil)) != nil {
		t.Error("a state from nowhere")
	}
	still := Still(0)
	if got := From(With(t.Context(), still)); got != still || !got.Settled(All) || got.Epoch(0) == 0 {
		t.Errorf("%+v", got)
	}
}

func TestGetWithoutState(t *testing.T) {
	r := &reader{db: newDatabase()}
	for range 3 {
		for _, ctx := range []context.Context{t.Context(), With(t.Context(), nil)} {
			if _, hit := r.readCounted(t, ctx, bit(posts)); hit {
				t.Error("cached")
			}
		}
	}
}

func TestGetDoesNotCacheErrors(t *testing.T) {
	var c Cache
	ctx := With(t.Context(), Still(0))
	for _, want := range []error{errRun, errRun, nil, nil} {
		if _, err := Get(ctx, &c, "key", All, func() (int, error) { return 1, want }); !errors.Is(err, want) {
			t.Errorf("%v instead of %v", err, want)
		}
	}
	runs := 0
	for _, key := range []string{"key", "other"} {
		if _, err := Get(ctx, &c, key, All, func() (int, error) { runs++; return 2, nil }); err != nil {
			t.Error(err)
		}
	}
	if runs != 1 {
		t.Errorf("%d runs", runs)
	}
}

// TestGetWhileUnsettled checks that every caller computes its own value while tables are unsettled, though their epoch
// is the same.
func TestGetWhileUnsettled(t *testing.T) {
	d, _, r := newReader(t)
	d.commit(posts)
	for range 3 {
		ctx, s := r.request()
		if _, hit := r.readCounted(t, ctx, bit(posts)); hit || s.Settled(bit(posts)) {
			t.Errorf("hit %t, %+v", hit, s)
		}
	}
	r.cached(t, bit(meta))
}

// TestGetTogether checks how often a slow value is computed for 64 requests: once if it can be cached, and twice if it
// can only be shared.
func TestGetTogether(t *testing.T) {
	for settled, want := range map[bool]int{true: 1, false: 2} {
		synctest.Test(t, func(t *testing.T) {
			var c Cache
			s := Still(0)
			if !settled {
				s.unsettled = bit(posts)
			}
			runs, ended := 0, make(chan struct{})
			for range 64 {
				go func() {
					v, err := Get(With(t.Context(), s), &c, "key", bit(posts), func() (int, error) {
						runs++
						<-ended
						return 5, nil
					})
					if v != 5 || err != nil {
						t.Errorf("%d, %v", v, err)
					}
				}()
			}
			synctest.Wait()
			if runs != 1 {
				t.Errorf("%d runs at the same time", runs)
			}
			close(ended)
			synctest.Wait()
			if runs != want {
				t.Errorf("settled %t: %d runs", settled, runs)
			}
		})
	}
}

// TestGetAfterPanic checks that other callers get a value after one computation panicked.
func TestGetAfterPanic(t *testing.T) {
	var c Cache
	ctx := With(t.Context(), Still(0))
	func() {
		defer func() { _ = recover() }()
		_, _ = Get(ctx, &c, "key", All, func() (int, error) { panic("broken") })
	}()
	if v, err := Get(ctx, &c, "key", All, func() (int, error) { return 3, nil }); v != 3 || err != nil {
		t.Errorf("%d, %v", v, err)
	}
}

func TestCacheIsBounded(t *testing.T) {
	var c Cache
	ctx := With(t.Context(), Still(0))
	for i := range 3 * maxCached {
		v, err := Get(ctx, &c, fmt.Sprint(i), All, func() (int, error) { return i, nil })
		if v != i || err != nil || len(c.values) > maxCached {
			t.Fatalf("%d, %v, %d values", v, err, len(c.values))
		}
	}
}

func TestValidity(t *testing.T) {
	at := func(hour int) time.Time { return midnight.Add(time.Duration(hour) * time.Hour) }
	for name, test := range map[string]struct {
		note   func(ctx context.Context)
		covers string // the hours from 0 to 9 at which the answer is valid
		moment bool
	}{
		"always": {func(context.Context) {}, "0123456789", false},
		"moment": {Momentary, "", true},
		"within": {func(ctx context.Context) { Within(ctx, at(2), at(5)) }, "234", false},
		"both":   {func(ctx context.Context) { Within(ctx, at(2), at(5)); Momentary(ctx) }, "", true},
		"overlap": {func(ctx context.Context) {
			Within(ctx, at(2), at(8))
			Within(ctx, at(1), at(5))
			Within(ctx, at(3), at(9))
		}, "34", false},
		"apart": {func(ctx context.Context) { Within(ctx, at(1), at(3)); Within(ctx, at(5), at(8)) }, "", false},
	} {
		var v Validity
		test.note(t.Context()) // the context has no Validity
		test.note(WithValidity(t.Context(), &v))
		covers := ""
		for hour := range 10 {
			if v.Covers(at(hour)) {
				covers += fmt.Sprint(hour)
			}
		}
		if covers != test.covers || v.moment != test.moment {
			t.Errorf("%s: %q, moment %t", name, covers, v.moment)
		}
	}
}

// TestRecent asks for a state that may be up to a second old, each time after some time has passed or something has
// happened.
func TestRecent(t *testing.T) {
	steps := []struct {
		name  string
		do    func(d *database, c *Tracker)
		looks int  // polls of the database; they run in the background if the returned state is the previous one
		same  bool // the state is that of the previous step
	}{
		{"the first one", func(*database, *Tracker) {}, 1, false},
		{"a moment later", func(d *database, _ *Tracker) { d.pass(time.Second / renewals) }, 0, true},
		{"renewed for those that come next", func(d *database, _ *Tracker) { d.pass(time.Millisecond) }, 1, true},
		{"that was renewed", func(d *database, _ *Tracker) { d.pass(time.Millisecond) }, 0, false},
		{"others committed", func(d *database, _ *Tracker) { d.commit(posts) }, 0, true},
		{"a second old", func(d *database, _ *Tracker) { d.pass(999 * time.Millisecond) }, 1, true},
		{"too old", func(d *database, _ *Tracker) { d.pass(1001 * time.Millisecond) }, 1, false},
		{"this program committed", func(d *database, c *Tracker) { d.own(c, posts) }, 1, false},
		{"this program commits", func(_ *database, c *Tracker) { c.Commit() }, 1, false},
		{"a copy of it committed", func(d *database, c *Tracker) {
			lead := New(d, settle, maxAge, c.logger)
			c.Follow(lead)
			lead.Commit()(true)
		}, 1, false},
		{"another connection", func(_ *database, c *Tracker) { c.Reconnect() }, 1, false},
		{"a look fails", func(d *database, c *Tracker) { c.Reconnect(); d.broken = errLost }, 1, false},
		{"the next one fails too", func(*database, *Tracker) {}, 1, false},
		{"the database is back", func(d *database, _ *Tracker) { d.broken = nil }, 1, false},
		{"it stays", func(*database, *Tracker) {}, 0, true},
	}
	synctest.Test(t, func(t *testing.T) {
		d, c, _ := newReader(t)
		var before *State
		for _, step := range steps {
			step.do(d, c)
			looks := d.looks
			s := c.Recent(t.Context(), time.Second)
			synctest.Wait()
			if d.looks-looks != step.looks || (s == before) != step.same {
				t.Errorf("%s: %d looks, the same state: %t", step.name, d.looks-looks, s == before)
			}
			before = s
		}
		if looks := d.looks; c.Recent(t.Context(), 0) == before || d.looks != looks+1 {
			t.Error("a state is old where none may be")
		}
	})
}
