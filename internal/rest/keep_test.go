package rest_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rest"
)

// writtenNow is a database whose tables were written in the current second: a further commit in that second would not
// change their version.
type writtenNow struct{ time.Time }

func (s writtenNow) Versions(context.Context) (change.Versions, error) {
	table := change.Version{Identity: "t", Created: s.Time, Updated: s.Time}
	return change.Versions{Server: "s", Now: time.Now(), Tables: []change.Version{table, table}}, nil
}

func (writtenNow) Options(context.Context) (map[string]string, error) {
	return map[string]string{}, nil
}
func (writtenNow) Release() {}
func (writtenNow) Pause()   {}

// TestKeepIsAsOldAsItsParts checks that a value made from a cached answer is used no longer than that answer may be,
// even if the value was made later.
func TestKeepIsAsOldAsItsParts(t *testing.T) {
	const maxStale = time.Second
	synctest.Test(t, func(t *testing.T) {
		clock := change.New(writtenNow{time.Now()}, time.Minute, time.Hour, slog.New(slog.DiscardHandler))
		defer clock.Close()
		s := newServer(echo)
		s.Answers = rest.NewAnswerCache(1<<20, maxStale)
		s.Prepare = func(ctx context.Context, _ *call.Root, maxStale time.Duration) (context.Context, bool, error) {
			return change.With(ctx, clock.Recent(ctx, maxStale)), true, nil
		}
		nobody := func(context.Context) (caller.Principal, error) { return caller.Principal{}, nil }
		local := rest.Local{Operation: s.Routes[0].Operations[0], Path: param.NewMap(), Query: param.NewMap(), Anonymous: true}
		stored := 1
		read := func(ctx context.Context) (any, error) {
			return s.Read(ctx, root, local, nobody, func(context.Context, *call.Call, *phpjson.Writer, bool) (any, int, error) {
				return stored, 100, nil
			})
		}
		page := func(ctx context.Context) (any, error) {
			kept, _, err := s.Keep(ctx, root, local, nobody, "page", func(ctx context.Context) (rest.HostValue, error) {
				v, err := read(ctx)
				return rest.HostValue{Value: v, Bytes: 100}, err
			})
			return kept, err
		}
		expect := func(get func(context.Context) (any, error), want int) {
			t.Helper()
			if got, err := get(t.Context()); got != want || err != nil {
				t.Errorf("%v, %v, not %d", got, err, want)
			}
		}
		expect(read, 1)
		stored = 2
		time.Sleep(maxStale * 6 / 10)
		clock.Look(t.Context()) // as other requests do meanwhile
		expect(page, 1)
		time.Sleep(maxStale * 6 / 10)
		expect(page, 2)
	})
}
