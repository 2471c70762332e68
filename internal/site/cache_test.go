package site

import (
	"context"
	"errors"
	"testing"
	"time"

	"log/slog"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/members"
)

// options are the options of a site. They also implement change.Source.
type options struct {
	stored map[string]string
	fail   error
	reads  int
	asked  []string
	number int
}

func (o *options) readNames(_ context.Context, names []string) (map[string]string, error) {
	o.reads, o.asked = o.reads+1, names
	return o.stored, o.fail
}

func (o *options) Versions(context.Context) (change.Versions, error) {
	return change.Versions{Tables: []change.Version{{Identity: string(rune('a' + o.number))}}, Exact: true}, o.fail
}

func (o *options) Options(ctx context.Context) (map[string]string, error) {
	return o.readNames(ctx, nil)
}

func (o *options) Release() {}
func (o *options) Pause()   {}

// store changes the page size, as another program would.
func (o *options) store(size string) {
	o.stored, o.number = map[string]string{"posts_per_page": size}, o.number+1
}

func TestSettingsAreParsedWhenOptionsChange(t *testing.T) {
	for _, clocked := range []bool{false, true} {
		o := &options{}
		c := &Cache{Options: o.readNames}
		if clocked {
			c.Tracker = change.New(o, time.Second, time.Hour, slog.New(slog.DiscardHandler))
		}
		var last *Settings
		for _, step := range []struct {
			size  string
			store bool
			reads int // with a tracker
		}{{"1", true, 1}, {"1", false, 1}, {"2", true, 2}, {"2", false, 2}, {"2", true, 3}, {"3", true, 4}} {
			if step.store {
				o.store(step.size)
			}
			s, err := c.Settings(t.Context())
			if err != nil || s.PageSize != step.size {
				t.Errorf("clock %v: page size %v, %v, want %s", clocked, s, err, step.size)
			}
			if last != nil && (s == last) != (s.PageSize == last.PageSize) {
				t.Errorf("clock %v: parsed again, or not: page size %v", clocked, s.PageSize)
			}
			if last = s; clocked && o.reads != step.reads {
				t.Errorf("page size %s: read %d times, want %d", step.size, o.reads, step.reads)
			}
		}
		if !clocked && o.reads != 6 {
			t.Errorf("without a clock: read %d times", o.reads)
		}
	}
}

// TestSettingsOfAState checks that a request has the settings of its own state, whatever was stored since.
func TestSettingsOfAState(t *testing.T) {
	o := &options{}
	c := &Cache{Options: o.readNames, Tracker: change.New(o, time.Second, time.Hour, slog.New(slog.DiscardHandler))}
	o.store("1")
	before := change.With(t.Context(), c.Tracker.Poll(t.Context()))
	o.store("2")
	after := change.With(t.Context(), c.Tracker.Poll(t.Context()))
	for range 2 {
		for want, ctx := range map[string]context.Context{"1": before, "2": after} {
			if s, err := c.Settings(ctx); err != nil || s.PageSize != want {
				t.Errorf("page size %v, %v, want %s", s.PageSize, err, want)
			}
		}
	}
}

// TestKnownSettings checks that settings are known in each state for which they were asked, also if its options were read
// again because a poll failed.
func TestKnownSettings(t *testing.T) {
	o := &options{}
	c := &Cache{Options: o.readNames, Tracker: change.New(o, time.Second, time.Hour, slog.New(slog.DiscardHandler))}
	asked := func() (*change.State, *Settings) {
		state := c.Tracker.Poll(t.Context())
		return state, must.Get(c.Settings(change.With(t.Context(), state)))(t)
	}
	o.store("1")
	if c.Known(c.Tracker.Poll(t.Context())) != nil {
		t.Error("known before they were parsed")
	}
	state, s := asked()
	if c.Known(state) != s {
		t.Error("not known")
	}
	o.fail = errors.New("away")
	if c.Known(c.Tracker.Poll(t.Context())) != nil {
		t.Error("known although the poll failed")
	}
	o.fail = nil
	if state, again := asked(); again != s || c.Known(state) != s {
		t.Errorf("after a poll that failed: known %t, parsed again %t", c.Known(state) == again, again != s)
	}
	o.store("2")
	if c.Known(c.Tracker.Poll(t.Context())) != nil {
		t.Error("known after an option changed")
	}
	if state, changed := asked(); changed == s || c.Known(state) != changed {
		t.Error("not known after an option changed")
	}
}

func TestNoErrorIsCached(t *testing.T) {
	broken := errors.New("away")
	o := &options{fail: broken}
	for name, c := range map[string]*Cache{
		"read":  {Options: o.readNames},
		"clock": {Options: o.readNames, Tracker: change.New(o, time.Second, time.Hour, slog.New(slog.DiscardHandler))},
	} {
		o.fail = broken
		for range 2 {
			if s, err := c.Settings(t.Context()); s != nil || !errors.Is(err, broken) {
				t.Errorf("%s: %v %v", name, s, err)
			}
		}
		o.fail = nil
		o.store("3")
		if s, err := c.Settings(t.Context()); err != nil || s.PageSize != "3" {
			t.Errorf("%s: %v %v", name, s, err)
		}
		o.fail = broken
		if s, err := c.Settings(t.Context()); s != nil || !errors.Is(err, broken) {
			t.Errorf("%s: after an error %v %v", name, s, err)
		}
	}
}

func TestCacheAsksForWhatItReads(t *testing.T) {
	o := &options{}
	must.Get((&Cache{Options: o.readNames}).Settings(t.Context()))(t)
	if len(o.asked) != 1+len(optionNames) || o.asked[0] != "wp_user_roles" || o.asked[len(o.asked)-1] != members.Option {
		t.Errorf("%q", o.asked)
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
