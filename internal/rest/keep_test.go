package rest_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/surrogate"
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
		clock.Poll(t.Context()) // as other requests do meanwhile
		expect(page, 1)
		time.Sleep(maxStale * 6 / 10)
		expect(page, 2)
	})
}

// TestD88OnlyWhatFollowsFromStoredStateIsStored checks that failures, and errors because of a lack of time, memory or
// attempts, are no-store and have no keys, in an envelope too, and that other answers have their keys and may be stored
// (D88).
func TestD88OnlyWhatFollowsFromStoredStateIsStored(t *testing.T) {
	status := func(n int) error { return apierror.New(n, "code", "text") }
	for name, x := range map[string]struct {
		err    error
		stored bool
	}{
		"success": {nil, true}, "400": {status(400), true}, "404": {status(404), true}, "410": {status(410), true},
		"408": {status(408), false}, "413": {status(413), false}, "429": {status(429), false}, "500": {status(500), false},
		"501": {status(501), false}, "502": {status(502), false}, "503": {rest.ErrUnavailable, false}, "504": {status(504), false},
		"unknown": {errors.New("boom"), false}, "time": {context.DeadlineExceeded, false},
		"memory": {budget.ErrTooLarge, false}, "others' memory": {budget.ErrFull, false},
		"a parameter": {&param.Failure{Faults: []*param.Fault{param.Invalid("fault")}}, true},
	} {
		s := newServer(func(ctx context.Context, r *rest.Request) (*rest.Response, error) {
			surrogate.From(ctx).Item("items", 7)
			r.Out.Null()
			return nil, x.err
		})
		s.KeysHeader = "Surrogate-Key"
		s.Routes[0].Operations[0].Tag = "items"
		for _, address := range []string{"/items", "/items?_envelope=1"} {
			h := s.do("GET", address, "").Header()
			stored := h.Get("Surrogate-Key") != "" && h.Get("Cache-Control") == ""
			refused := h.Get("Surrogate-Key") == "" && strings.Contains(h.Get("Cache-Control"), "no-store")
			if stored != x.stored || refused == x.stored {
				t.Errorf("%s %s: %v", name, address, h)
			}
		}
	}
}

// TestD88SecretsAreForNoCache checks that no cache may store the answer to a request with a secret parameter of any
// operation, right or wrong, even if the requested operation does not have it, nor an answer that depends on more than
// the address (D88).
func TestD88SecretsAreForNoCache(t *testing.T) {
	s := newServer(echo)
	o := s.Routes[1].Operations[0]
	o.Params = append(o.Params, param.Key[string]("password").Param(jsonschema.Text(), nil, param.Secret()))
	s.Engine = rest.New(s.Config)
	s.KeysHeader, s.Keys = "Surrogate-Key", []string{"settings"}
	for _, r := range s.Routes {
		r.Operations[0].Tag = "items"
	}
	for address, stored := range map[string]bool{
		"/items/1": true, "/items/1?password=x": false, "/items/1?password[]=x": false, "/items/1?password=": false,
		"/items?password=x": false, "/items/1?_envelope=1&password=x": false, "/items/1?id=y&password=x": false, "/items?pass=x": true,
	} {
		h := s.do("GET", address, "").Header()
		if got := h.Get("Surrogate-Key") != ""; got != stored || strings.Contains(h.Get("Cache-Control"), "no-store") == stored {
			t.Errorf("%s: %v", address, h)
		}
	}
	for name, h := range map[string]http.Header{
		"body":     s.do("GET", "/items/1", `{"password":"x"}`, "Content-Type", "application/json").Header(),
		"POST":     s.do("POST", "/items/1?_method=GET", `{"password":"x"}`, "Content-Type", "application/json").Header(),
		"form":     s.do("POST", "/items/1?_method=GET", "password=x", "Content-Type", "application/x-www-form-urlencoded").Header(),
		"override": s.do("GET", "/items/1", "", "X-HTTP-Method-Override", "HEAD").Header(),
	} {
		if h.Get("Surrogate-Key") != "" || !strings.Contains(h.Get("Cache-Control"), "no-store") {
			t.Errorf("%s: %v", name, h)
		}
	}
}
