package post_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/link"
	"github.com/agendahq/agenda/internal/memo"
	"github.com/agendahq/agenda/internal/organizer"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/testdb"
	"github.com/agendahq/agenda/internal/venue"
	"github.com/agendahq/agenda/schema"
)

const root = "http://site.test/wp-json/tribe/events/v1"

// users of the recorded site.
var users = map[string]struct {
	id   int64
	role string
}{"admin": {1, "administrator"}, "editor": {2, "editor"}, "author": {3, "author"}, "contributor": {4, "contributor"}}

// calendar is the recorded site with the routes of all posts and a clock that
// tests move.
type calendar struct {
	t        *testing.T
	db       *bun.DB
	now      time.Time
	env      *post.Env
	engine   *rest.Engine
	settings *site.Settings

	mu      sync.Mutex
	changes []post.Change
}

// ids are texts of which only the ids are known.
type ids struct{}

func (ids) Text(id string, _ map[string]any) string { return id }

func open(t *testing.T) *calendar {
	t.Helper()
	db, err := schema.Bind(testdb.SiteA(t), "wp_")
	if err != nil {
		t.Fatal(err)
	}
	c := &calendar{t: t, db: db, now: time.Date(2026, 11, 21, 7, 10, 50, 0, time.UTC)}
	clock := func() time.Time { return c.now }
	names := schema.DefaultNames()
	st := store.New(db, names, true, clock)
	if c.settings, err = (&site.Cache{Options: st.Options, Prefix: "wp_"}).Settings(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.env = &post.Env{
		Store: st, Names: names, Now: clock, MaxPageSize: 50, Texts: memo.New(1 << 20), Logger: slog.New(slog.DiscardHandler),
		Language: param.New("i18n_language", param.Type(param.String)),
		Changed: func(_ context.Context, changes []post.Change) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.changes = append(c.changes, changes...)
		},
		UserExists: func(_ context.Context, id int64) (bool, error) { return id >= 1 && id <= 5, nil },
	}
	c.env.Unlinked = link.Unlinker(c.env)
	events := &event.Kind{
		Env: c.env, Venues: venue.New(c.env), Organizers: organizer.New(c.env),
		Categories: &term.Kind{Env: c.env, Collection: "categories", Singular: "Category", Taxonomy: names.Category, Tree: true},
		Tags:       &term.Kind{Env: c.env, Collection: "tags", Singular: "Tag", Taxonomy: names.Tag},
	}
	c.engine = &rest.Engine{
		Namespace: "tribe/events/v1", LanguageParam: "i18n_language", Texts: map[string]rest.Translator{"en": ids{}},
		Logger: c.env.Logger, Timeout: time.Minute, MaxBody: 1 << 20, Unavailable: store.Unavailable,
		Prepare: func(ctx context.Context, _ *rest.Root) (context.Context, bool, error) {
			return site.With(ctx, c.settings), true, nil
		},
		Authenticate: func(_ context.Context, r *http.Request, _ func(string) (string, bool)) (rest.Principal, []rest.Header, error) {
			u := users[r.Header.Get("X-Caller")]
			return rest.Principal{UserID: u.id, Capabilities: c.settings.Roles[u.role]}, nil, nil
		},
	}
	c.engine.Mount(slices.Concat(events.Routes(), events.Venues.Routes(), events.Organizers.Routes()))
	return c
}

// answer is what came back.
type answer struct {
	Status int
	Body   map[string]any
	Text   string
}

func (a answer) id() int64 { n, _ := a.Body["id"].(float64); return int64(n) }

func (a answer) code() string { s, _ := a.Body["code"].(string); return s }

// do sends a request as a caller.
func (c *calendar) do(as, method, path, body string) answer {
	c.t.Helper()
	r := httptest.NewRequest(method, root+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Caller", as)
	w := httptest.NewRecorder()
	c.engine.Serve(w, r, &rest.Root{Tag: "en", BaseURL: "http://site.test/wp-json", URL: root}, strings.TrimPrefix(r.URL.EscapedPath(), "/wp-json/tribe/events/v1"))
	a := answer{Status: w.Code, Text: w.Body.String()}
	if err := json.Unmarshal(w.Body.Bytes(), &a.Body); err != nil {
		c.t.Fatalf("%s %s: %s", method, path, a.Text)
	}
	return a
}

// must sends a request that has to succeed.
func (c *calendar) must(as, method, path, body string) answer {
	c.t.Helper()
	a := c.do(as, method, path, body)
	if a.Status >= 300 {
		c.t.Fatalf("%s %s %s %.200s: %d %s", as, method, path, body, a.Status, a.Text)
	}
	return a
}

// evening are the dates of an event.
const evening = `"start_date":"2033-04-05 19:30","end_date":"2033-04-05 22:00"`

// create makes an event with a title and more fields and returns its id.
func (c *calendar) create(as, title, more string) int64 {
	c.t.Helper()
	return c.must(as, "POST", "/events", fmt.Sprintf(`{"title":%q,%s%s}`, title, evening, more)).id()
}

// change updates an event.
func (c *calendar) change(as string, id int64, body string) answer {
	c.t.Helper()
	return c.must(as, "PATCH", fmt.Sprint("/events/", id), body)
}

// trash puts an event into the trash.
func (c *calendar) trash(id int64) {
	c.t.Helper()
	c.must("admin", "DELETE", fmt.Sprint("/events/", id), "")
}

// row is the stored row of a post.
func (c *calendar) row(id int64) schema.Post {
	c.t.Helper()
	var p schema.Post
	if err := c.db.NewSelect().Model(&p).Where("ID = ?", id).Scan(c.t.Context()); err != nil {
		c.t.Fatalf("post %d: %v", id, err)
	}
	return p
}

// meta are a post's values of a key, in order.
func (c *calendar) meta(id int64, key string) string {
	c.t.Helper()
	return strings.Join(c.scan("SELECT meta_value FROM wp_postmeta WHERE post_id = ? AND meta_key = ? ORDER BY meta_id", id, key), ",")
}

// scan reads the values of one column.
func (c *calendar) scan(query string, args ...any) []string {
	c.t.Helper()
	values := []string{}
	if err := c.db.NewRaw(query, args...).Scan(c.t.Context(), &values); err != nil {
		c.t.Fatalf("%s: %v", query, err)
	}
	return values
}

func (c *calendar) sql(query string, args ...any) {
	c.t.Helper()
	if _, err := c.db.NewRaw(query, args...).Exec(c.t.Context()); err != nil {
		c.t.Fatalf("%s: %v", query, err)
	}
}

// option is the value of an option, "" if there is none.
func (c *calendar) option(name string) string {
	c.t.Helper()
	return strings.Join(c.scan("SELECT option_value FROM wp_options WHERE option_name = ?", name), "")
}

// dump is everything that is stored in all tables, by table, as the database
// itself sums it up.
func (c *calendar) dump() map[string]string {
	c.t.Helper()
	all := map[string]string{}
	for _, table := range c.scan("SHOW TABLES") {
		var name, sum string
		if err := c.db.DB.QueryRowContext(c.t.Context(), "CHECKSUM TABLE `"+table+"` EXTENDED").Scan(&name, &sum); err != nil {
			c.t.Fatal(err)
		}
		all[table] = sum
	}
	return all
}

// differing are the tables in which two dumps differ.
func differing(a, b map[string]string) (tables []string) {
	for table := range a {
		if a[table] != b[table] {
			tables = append(tables, table)
		}
	}
	slices.Sort(tables)
	return tables
}
