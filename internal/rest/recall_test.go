package rest_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/surrogate"
)

// numbered is a database whose tables have a new version after each commit.
type numbered struct{ commits string }

func (s *numbered) Versions(context.Context) (change.Versions, error) {
	table := change.Version{Identity: s.commits}
	return change.Versions{Server: "s", Now: time.Now(), Tables: []change.Version{table, table}, Exact: true}, nil
}

func (*numbered) Options(context.Context) (map[string]string, error) { return map[string]string{}, nil }
func (*numbered) Release()                                           {}
func (*numbered) Pause()                                             {}

// TestRecall checks that a kept value is returned without a call only as long as it is valid, for anonymous callers, and
// while the host says that its usual state is enough.
func TestRecall(t *testing.T) {
	source := &numbered{"1"}
	clock := change.New(source, time.Minute, time.Hour, slog.New(slog.DiscardHandler))
	defer clock.Close()
	s := newServer(echo)
	s.Answers, s.KeysHeader = rest.NewAnswerCache(1<<20, 0), "Surrogate-Key"
	usual, enabled, calls, makes := true, true, 0, 0
	s.Prepare = func(ctx context.Context, _ *call.Root, maxStale time.Duration) (context.Context, bool, error) {
		calls++
		return change.With(ctx, clock.Recent(ctx, maxStale)), enabled, nil
	}
	s.Recall = func(ctx context.Context, maxStale time.Duration) (*change.State, *site.Settings, bool) {
		return clock.Recent(ctx, maxStale), &site.Settings{}, usual
	}
	who := caller.Principal{}
	page := func(anonymous bool) (any, *surrogate.Keys, error) {
		keys := surrogate.New()
		l := rest.Local{
			Operation: s.Routes[0].Operations[0], Path: param.NewMap(), Query: param.NewMap(), Anonymous: anonymous,
		}
		v, _, err := s.Keep(surrogate.With(t.Context(), keys), root, l,
			func(context.Context) (caller.Principal, error) { return who, nil }, "page",
			func(ctx context.Context) (rest.HostValue, error) {
				makes++
				surrogate.From(ctx).Item("items", 7)
				return rest.HostValue{Value: source.commits, Bytes: 100}, nil
			})
		return v, keys, err
	}
	for _, x := range []struct {
		name         string
		change       func()
		named        bool // the caller may not be anonymous
		want         any  // nil for an error
		calls, makes int
	}{
		{"first", func() {}, false, "1", 1, 1},
		{"kept", func() {}, false, "1", 0, 0},
		{"a caller who may not be anonymous", func() {}, true, "1", 1, 0},
		{"after a commit", func() { source.commits = "2" }, false, "2", 1, 1},
		{"kept again", func() {}, false, "2", 0, 0},
		{"for a user", func() { who.UserID = 1 }, false, "2", 1, 1},
		{"an unusual state", func() { who.UserID, usual = 0, false }, false, "2", 1, 0},
		{"a disabled API", func() { enabled = false }, false, nil, 1, 0},
		{"as before", func() { usual, enabled = true, true }, false, "2", 0, 0},
	} {
		x.change()
		calls, makes = 0, 0
		got, keys, err := page(!x.named)
		if got != x.want || (err != nil) != (x.want == nil) || calls != x.calls || makes != x.makes {
			t.Errorf("%s: %v, %v after %d calls, made %d times", x.name, got, err, calls, makes)
		}
		if who.UserID == 0 && err == nil && keys.Text(" ") != "items-7" {
			t.Errorf("%s: the keys %q", x.name, keys.Text(" "))
		}
	}
}
