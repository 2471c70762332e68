// Package apitest contains helpers for all tests that send requests: a client, its responses, and access to tables.
// Open serves the recorded site for the tests of events, venues, organizers and terms, with all their routes on a fresh
// database, callers that need no password, and a fixed clock. Only tests use it.
//
//	s := apitest.Open(t)
//	a := s.Must(201, "author", "POST", "/tags", `{"name":"New"}`)
package apitest

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rendercache"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// Site is a fresh copy of the recorded site.
type Site struct {
	T testing.TB
	Tables
	Client
	Counter  *testdb.Counter
	Now      time.Time // the clock of the service; tests may change it
	Env      *item.Service
	Events   *event.UseCases
	Settings *site.Settings
	Callers  map[string]caller.Principal // callers in addition to the site's users, or replacing one of them
	Changes  []content.Change            // the arguments with which hooks were called

	mu sync.Mutex // guards Changes while requests run
}

// Open returns a fresh site. Its statements are counted from zero.
func Open(t testing.TB) *Site {
	t.Helper()
	return OpenWith(t, registry.More{})
}

// OpenWith returns a site that serves more than this module declares.
func OpenWith(t testing.TB, more registry.More) *Site {
	t.Helper()
	pool, counter := testdb.Counted(t, testdb.SiteA)
	db := must.Get(schema.Bind(pool, "wp_"))(t)
	others := must.Get(schema.Bind(testdb.OfOthers(t, pool), "wp_"))(t)
	s := &Site{
		T: t, Tables: Tables{T: t, DB: others}, Counter: counter, Now: time.Date(2026, 11, 21, 7, 10, 50, 0, time.UTC),
		Callers: map[string]caller.Principal{},
	}
	clock := func() time.Time { return s.Now }
	names := schema.DefaultNames()
	st := must.Get(store.New(t.Context(), store.Config{
		DB: db, Names: names, Links: registry.Types(names, more).LinkKeys(), Occurrences: true, Now: clock,
	}))(t)
	s.Settings = must.Get((&site.Cache{Options: st.Options.Values, Prefix: "wp_"}).Settings(t.Context()))(t)
	s.Env = item.New(item.Config{
		Content: content.New(content.Config{
			Store: st, Types: registry.Types(names, more), Taxonomies: registry.Taxonomies(names),
			Now: clock, Logger: slog.New(slog.DiscardHandler),
			Changed: func(_ context.Context, changes []content.Change) {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.Changes = append(s.Changes, changes...)
			},
		}),
		MaxPageSize: 50, Texts: rendercache.New(1 << 20),
		Say:        func(_, id string, data map[string]any) string { return IDs{}.Text(id, data) },
		Language:   param.Key[string]("i18n_language").Param(jsonschema.Text(), nil),
		UserExists: func(_ context.Context, id int64) (bool, error) { return id >= 1 && id <= 5, nil },
	})
	s.Events = registry.Register(s.Env, names, more)
	s.serve()
	counter.Reset()
	return s
}

// serve registers the routes of all resources with an engine.
func (s *Site) serve() {
	c := rest.Config{
		Namespace: "tribe/events/v1", LanguageParam: "i18n_language", Texts: map[string]rest.Translator{"en": IDs{}},
		Logger: s.Env.Content.Logger, Timeout: time.Minute, MaxBody: 1 << 20, Explain: api.Explain,
		Prepare: func(ctx context.Context, _ *call.Root, _ time.Duration) (context.Context, bool, error) {
			return site.With(ctx, s.Settings), true, nil
		},
		Authenticate: func(_ context.Context, r *http.Request, _ func(string) (string, bool)) (caller.Principal, []rest.Header, error) {
			return s.Caller(r.Header.Get(CallerHeader)), nil, nil
		},
	}
	c.Routes = []*rest.Route{
		rest.At("", rest.IndexOperation(c.Namespace, s.Env.Language).On("GET")),
		rest.At("/doc", openapi.Operation(s.Env.Language).On("GET")),
	}
	a, e, at, edit := api.New(s.Env), s.Events, rest.At, []string{"POST", "PUT", "PATCH"}
	posts := map[string]rest.Operations{"/events": a.Events(e)}
	for _, k := range e.Linked {
		posts["/"+k.Collection] = a.Places(k)
	}
	for path, o := range posts {
		c.Routes = append(c.Routes, at(path, o.List.On("GET"), o.Create.On("POST")),
			at(path+"/{id}", o.Item.Get.On("GET"), o.Item.Delete.On("DELETE"), o.Item.Update.On(edit...)),
			at(path+"/by-slug/{slug}", o.BySlug.Get.On("GET"), o.BySlug.Delete.On("DELETE"), o.BySlug.Update.On(edit...)))
	}
	for path, o := range map[string]rest.Operations{"/categories": a.Terms(e.Categories), "/tags": a.Terms(e.Tags)} {
		c.Routes = append(c.Routes, at(path, o.List.On("GET"), o.Create.On("POST")),
			at(path+"/{id}", o.Item.Get.On("GET"), o.Item.Update.On(edit...), o.Item.Delete.On("DELETE")))
	}
	engine := rest.New(c)
	root := &call.Root{Tag: "en", BaseURL: Base, URL: Root}
	s.Client = Client{s.T, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(Base+strings.TrimPrefix(r.URL.EscapedPath(), "/wp-json"), Root)
		engine.Serve(w, r, rest.Target{Root: root, Path: path})
	})}
}

// User is a user of the sites that tests serve.
type User struct {
	ID   int64
	Role string
}

// Users contains a user of each role. The keys name the callers of requests.
var Users = map[string]User{
	"admin": {1, "administrator"}, "editor": {2, "editor"}, "author": {3, "author"}, "contributor": {4, "contributor"},
	"subscriber": {5, "subscriber"},
}

// Caller returns an element of Callers, or a user of the site with the rights of its role. "" is an anonymous caller.
func (s *Site) Caller(name string) caller.Principal {
	if p, ok := s.Callers[name]; ok {
		return p
	}
	u := Users[name]
	return caller.Principal{UserID: u.ID, Login: name, Capabilities: s.Settings.Roles[u.Role]}
}

// IDs is a catalogue that returns message ids instead of messages. If a message contains the validation error of a
// field, the id of that is appended.
type IDs struct{}

// Text returns the message id.
func (IDs) Text(id string, data map[string]any) string {
	if reason, ok := data["Reason"].(param.Message); ok {
		return fmt.Sprint(id, " ", data["Name"], " ", reason.ID)
	}
	return id
}
