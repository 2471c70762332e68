package site

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// reader counts how often the options are read; each reading has another page size.
type reader struct {
	calls atomic.Int64
	fail  error
}

func (r *reader) options(context.Context, []string) (map[string]string, error) {
	n := r.calls.Add(1)
	return map[string]string{"posts_per_page": strconv.FormatInt(n, 10)}, r.fail
}

// settled returns the page size and fails the test on an error.
func settled(t *testing.T, c *Cache) any {
	t.Helper()
	s, err := c.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.PageSize
}

func TestCacheKeepsSettingsForAWhile(t *testing.T) {
	r, now := &reader{}, time.Date(2026, 11, 21, 5, 24, 0, 0, time.UTC)
	c := &Cache{Options: r.options, clock: func() time.Time { return now }}
	for range 3 {
		if got := settled(t, c); got != "1" {
			t.Fatalf("page size %v", got)
		}
	}
	now = now.Add(maxAge - 1)
	if got := settled(t, c); got != "1" {
		t.Errorf("not yet too old: %v", got)
	}
	now = now.Add(1)
	if got := settled(t, c); got != "2" {
		t.Errorf("too old: %v", got)
	}
	if got := settled(t, c); got != "2" {
		t.Errorf("read again although fresh: %v", got)
	}
	if maxAge > 5*time.Second {
		t.Errorf("a change by another program is seen after %s", maxAge)
	}
}

func TestCacheKeepsNoError(t *testing.T) {
	broken := errors.New("away")
	r, now := &reader{fail: broken}, time.Date(2026, 11, 21, 5, 24, 0, 0, time.UTC)
	c := &Cache{Options: r.options, clock: func() time.Time { return now }}
	for want := range int64(2) {
		if _, err := c.Settings(t.Context()); !errors.Is(err, broken) || r.calls.Load() != want+1 {
			t.Fatalf("%v after %d readings", err, r.calls.Load())
		}
	}
	r.fail = nil
	if got := settled(t, c); got != "3" {
		t.Errorf("%v", got)
	}
	// An error does not bring old settings back.
	r.fail = broken
	now = now.Add(maxAge)
	if s, err := c.Settings(t.Context()); s != nil || !errors.Is(err, broken) {
		t.Errorf("%v, %v", s, err)
	}
}

func TestCacheAsksForWhatItReads(t *testing.T) {
	var asked []string
	c := &Cache{Options: func(_ context.Context, names []string) (map[string]string, error) {
		asked = names
		return nil, nil
	}}
	settled(t, c)
	if len(asked) != 1+len(optionNames) || asked[0] != "wp_user_roles" || asked[len(asked)-1] != calendarOption {
		t.Errorf("%q", asked)
	}
}

// One caller reads for all that wait, and no two read at the same time.
func TestCacheHasOneReader(t *testing.T) {
	var running, most, calls atomic.Int64
	enter, leave := make(chan struct{}), make(chan struct{})
	c := &Cache{Options: func(context.Context, []string) (map[string]string, error) {
		calls.Add(1)
		most.Store(max(most.Load(), running.Add(1)))
		close(enter)
		<-leave
		running.Add(-1)
		return map[string]string{"posts_per_page": "8"}, nil
	}}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if s, err := c.Settings(context.Background()); err != nil || s.PageSize != "8" {
				t.Errorf("%v %v", s, err)
			}
		})
	}
	<-enter
	close(leave)
	all.Wait()
	if calls.Load() != 1 || most.Load() != 1 {
		t.Errorf("%d readings, %d at once", calls.Load(), most.Load())
	}
}

// Who waits for another's reading gives up when its own request ends.
func TestCacheWaitsNoLongerThanTheRequest(t *testing.T) {
	enter, leave := make(chan struct{}), make(chan struct{})
	c := &Cache{Options: func(context.Context, []string) (map[string]string, error) {
		close(enter)
		<-leave
		return nil, nil
	}}
	done := make(chan error)
	go func() {
		_, err := c.Settings(context.Background())
		done <- err
	}()
	<-enter
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := c.Settings(ctx); s != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", s, err)
	}
	close(leave)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestSettingsOfARequest(t *testing.T) {
	s := &Settings{Home: "http://site.test"}
	if From(With(t.Context(), s)) != s {
		t.Error("the settings got lost")
	}
	if s := From(t.Context()); s == nil || s.Location == nil {
		t.Error("nothing without settings")
	}
}
