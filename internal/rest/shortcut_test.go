package rest_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/surrogate"
)

// unsteady is a database that may be away.
type unsteady struct {
	numbered
	away bool
}

func (s *unsteady) Versions(ctx context.Context) (change.Versions, error) {
	if s.away {
		return change.Versions{}, errors.New("away")
	}
	return s.numbered.Versions(ctx)
}

// shortSite is a site whose answers are cached.
type shortSite struct {
	unsteady
	clock    *change.Tracker
	settings site.Settings
	enabled  bool
}

// shortServer is a server of the site, with what it did.
type shortServer struct {
	*server
	prepared int // how often Prepare was called
	seen     []rest.Observation
}

// newShortSite returns a site in its usual state.
func newShortSite(t *testing.T) *shortSite {
	x := &shortSite{enabled: true}
	x.commits = "1"
	x.clock = change.New(&x.unsteady, time.Minute, time.Hour, slog.New(slog.DiscardHandler))
	t.Cleanup(x.clock.Close)
	return x
}

// handle answers with what is stored, as a page of a list or as one item.
func (x *shortSite) handle(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	surrogate.From(ctx).Item("items", 7)
	r.Out.Object()
	r.Out.KeyString("commits", x.commits)
	r.Out.KeyString("title", param.Key[string]("title").Value(r.Values))
	r.Out.End()
	if _, single := r.Path.Get("id"); single {
		r.Revision = "3"
		return nil, nil
	}
	return (&rest.Page{Page: call.Page{Number: 2, Size: 10, Total: 30}, Base: root.URL + "/items"}).Response(), nil
}

// mayBeLogin reports whether a request contains something that may log a caller in.
func mayBeLogin(r *http.Request) bool {
	for _, name := range []string{"Authorization", "Cookie", "X-WP-Nonce"} {
		if len(r.Header.Values(name)) > 0 {
			return true
		}
	}
	return strings.Contains(r.URL.RawQuery, "_wpnonce")
}

// serve returns a server of the site, which makes shortcuts if it may recall answers.
func (x *shortSite) serve(recalls bool) *shortServer {
	s := &shortServer{server: newServer(x.handle)}
	list, single := s.Routes[0].Operations[0], s.Routes[1].Operations[0]
	list.List, list.Tag, single.Tag = true, "items", "items"
	list.Offer(leaf, func(_ context.Context, r *rest.Request) (*rest.Response, error) {
		r.Out.Piece([]byte("leaf of " + x.commits))
		return nil, nil
	})
	single.Params = append(single.Params, param.Key[string]("password").Param(jsonschema.Text(), nil, param.Secret()))
	c := s.Config
	c.Answers, c.Budget, c.MaxAnswer = rest.NewAnswerCache(4<<20, 0), budget.NewPool(-1), 1<<20
	c.KeysHeader, c.Keys = "Surrogate-Key", []string{"settings"}
	c.CredentialOrigins = map[string]bool{"https://app.test": true}
	c.MayBeLogin = mayBeLogin
	c.Personal = func(_ context.Context, r *http.Request) bool { return mayBeLogin(r) && r.Header.Get("Cookie") == "" }
	c.Authenticate = func(_ context.Context, r *http.Request, _ func(string) (string, bool)) (caller.Principal, []rest.Header, error) {
		if r.Header.Get("Authorization") == "" {
			return caller.Principal{}, nil, nil
		}
		return caller.Principal{UserID: 1}, nil, nil
	}
	c.Prepare = func(ctx context.Context, _ *call.Root, maxStale time.Duration) (context.Context, bool, error) {
		s.prepared++
		return site.With(change.With(ctx, x.clock.Recent(ctx, maxStale)), &x.settings), x.enabled, nil
	}
	if recalls {
		c.Recall = func(ctx context.Context, maxStale time.Duration) (*change.State, *site.Settings, bool) {
			state := x.clock.Recent(ctx, maxStale)
			usual := x.enabled && !x.settings.Members.Restricts && state.Options() != nil
			return state, &x.settings, usual
		}
	}
	c.CountStatements = func(ctx context.Context, _ *atomic.Int64) context.Context { return ctx }
	c.Observe = func(_ context.Context, o rest.Observation) {
		o.Duration = 0
		s.seen = append(s.seen, o)
	}
	s.Engine = rest.New(c)
	return s
}

// sent returns all that an answer sends.
func sent(w *httptest.ResponseRecorder) string {
	var b strings.Builder
	fmt.Fprintln(&b, w.Code)
	_ = w.Result().Header.Write(&b) // a Builder accepts everything
	b.WriteString(w.Body.String())
	return b.String()
}

// shortCase is a request, and whether it is answered by a shortcut in the site's usual state, after two of its kind.
type shortCase struct {
	method, path string
	headers      []string
	short        bool
}

var shortCases = []shortCase{
	{"GET", "/items", nil, true}, {"HEAD", "/items", nil, true}, {"GET", "/ITEMS/", nil, true},
	{"GET", "/items/1", nil, true}, {"GET", "/items/by-slug/a%2Fb", nil, true},
	{"GET", "/items?title=a", nil, true}, {"GET", "/items?title=a&unknown=%C3%A9", nil, true}, {"GET", "/items?unknown&title=a", nil, true},
	{"GET", "/items?_envelope", nil, true}, {"GET", "/items?_pretty&_fields=title", nil, true}, {"GET", "/items?lang=nl", nil, true},
	{"GET", "/items", []string{"Accept", "text/calendar"}, true}, {"HEAD", "/items?_format=ics", nil, true},
	{"GET", "/items", []string{"Accept", "application/json"}, true},
	{"GET", "/items", []string{"If-None-Match", "*"}, true}, {"HEAD", "/items/1", []string{"If-None-Match", "*"}, true},
	{"GET", "/items/1", []string{"If-None-Match", `W/"other"`}, true},
	{"GET", "/items", []string{"Origin", "https://app.test"}, true}, {"GET", "/items", []string{"Origin", "https://other.test"}, true},

	{"GET", "/items", []string{"Authorization", "Basic x"}, false}, {"GET", "/items", []string{"Cookie", "a=b"}, false},
	{"GET", "/items", []string{"X-WP-Nonce", "x"}, false}, {"GET", "/items?_wpnonce=x", nil, false},
	{"GET", "/items", []string{"X-HTTP-Method-Override", "HEAD"}, false}, {"GET", "/items?_method=HEAD", nil, false},
	{"GET", "/items?_jsonp=x", nil, false}, {"GET", "/items?password=x", nil, false}, {"GET", "/items/1?password=x", nil, false},
	{"GET", "/items?title=%FF", nil, false}, {"GET", "/items/1?count=x", nil, false}, {"GET", "/nothing", nil, false},
	{"POST", "/items", nil, false}, {"OPTIONS", "/items", nil, false},
	{"GET", "/items?unknown=" + strings.Repeat("a", 600), nil, false},
}

// TestShortcuts checks that shortcuts change no answer, whatever the request and the state of the site, nor what is
// observed and counted, that they are used where they may be, and that no request asks the database twice for long.
func TestShortcuts(t *testing.T) {
	x := newShortSite(t)
	short, long := x.serve(true), x.serve(false)
	for _, state := range []struct {
		name   string
		change func()
		short  bool
	}{
		{"usual", func() {}, true},
		{"after a commit", func() { x.commits = "2" }, true},
		{"no database", func() { x.away = true }, false},
		{"a database again", func() { x.away = false }, true},
		{"a private API", func() { x.settings.Members.PrivateAPI = true }, false},
		{"a public API", func() { x.settings.Members.PrivateAPI = false }, true},
		{"restricted posts", func() { x.settings.Members.Restricts = true }, false},
		{"public posts", func() { x.settings.Members.Restricts = false }, true},
		{"a disabled API", func() { x.enabled = false }, false},
		{"an enabled API", func() { x.enabled = true }, true},
	} {
		state.change()
		for _, c := range shortCases {
			name := fmt.Sprintf("%s: %s %.60s %q", state.name, c.method, c.path, c.headers)
			var looks int64
			for range 3 {
				short.prepared, long.prepared = 0, 0
				want := sent(long.do(c.method, c.path, "", c.headers...))
				before := x.clock.Stats().Looks
				got := sent(short.do(c.method, c.path, "", c.headers...))
				if looks = x.clock.Stats().Looks - before; got != want {
					t.Errorf("%s:\n%s\n without shortcuts:\n%s", name, got, want)
				}
			}
			if used := short.prepared < long.prepared; used != (state.short && c.short) {
				t.Errorf("%s: answered by a shortcut: %v", name, used)
			}
			if looks != int64(long.prepared) {
				t.Errorf("%s: asked the database %d times", name, looks)
			}
		}
	}
	if len(short.seen) != len(long.seen) {
		t.Fatalf("%d observations, %d without shortcuts", len(short.seen), len(long.seen))
	}
	for i, o := range short.seen {
		if o != long.seen[i] {
			t.Errorf("observed %+v, without shortcuts %+v", o, long.seen[i])
		}
	}
	got, want := short.Answers.Stats(), long.Answers.Stats()
	if short.Counters() != long.Counters() || got.Hits != want.Hits || got.Misses != want.Misses || short.Budget.Used() != 0 {
		t.Errorf("%+v %+v, without shortcuts %+v %+v", short.Counters(), got, long.Counters(), want)
	}
}

// TestShortcutsOfOneRoot checks that a shortcut is that of one language version, and that requests which must not be
// answered from memory have none.
func TestShortcutsOfOneRoot(t *testing.T) {
	x := newShortSite(t)
	s := x.serve(true)
	other := &call.Root{Tag: "nl", BaseURL: "http://site.test/nl", URL: "http://site.test/nl/ns"}
	ask := func(ctx context.Context, to *call.Root) (*httptest.ResponseRecorder, int) {
		s.prepared = 0
		w := httptest.NewRecorder()
		s.Serve(w, httptest.NewRequestWithContext(ctx, "GET", "http://site.test/items", nil), rest.Target{Root: to, Path: "/items"})
		return w, s.prepared
	}
	for range 3 {
		for _, to := range []*call.Root{root, other} {
			w, _ := ask(t.Context(), to)
			if w.Header().Get("Content-Language") != to.Tag || !strings.Contains(w.Header().Get("Link"), to.BaseURL+"/>") {
				t.Errorf("%s: %v", to.Tag, w.Header())
			}
		}
	}
	for _, to := range []*call.Root{root, other} {
		if _, prepared := ask(t.Context(), to); prepared != 0 {
			t.Errorf("%s: not answered by a shortcut", to.Tag)
		}
		if _, prepared := ask(rest.Uncached(t.Context()), to); prepared != 1 {
			t.Errorf("%s: answered by a shortcut though it must be made", to.Tag)
		}
	}
}

// TestShortcutsAreFew checks that the shortcuts to one answer, which clients can ask for at any number of addresses, take
// a bounded amount of memory, and that each of these is answered.
func TestShortcutsAreFew(t *testing.T) {
	s := newShortSite(t).serve(true)
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	ask := func(n int) {
		s.seen = nil
		if w := s.do("GET", fmt.Sprintf("/items?title=a&unknown=%0400d", n), ""); w.Code != http.StatusOK {
			t.Fatalf("%d: %d %s", n, w.Code, w.Body)
		}
	}
	ask(0)
	before := heap()
	for n := range 10_000 { // whose addresses alone are 4 MB
		ask(n)
	}
	if grown := heap() - before; grown > 2<<20 {
		t.Errorf("%d bytes more are in use", grown)
	}
	if s.prepared < 9_000 || s.Answers.Stats().Misses != 1 {
		t.Errorf("%d requests of other addresses, %+v", s.prepared, s.Answers.Stats())
	}
	runtime.KeepAlive(s)
}
