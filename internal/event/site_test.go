package event_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
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
}{"admin": {1, "administrator"}, "editor": {2, "editor"}, "author": {3, "author"}, "contributor": {4, "contributor"}, "subscriber": {5, "subscriber"}}

// clerk may write everybody's events, and nothing else.
var clerk = map[string]bool{
	"read": true, "edit_tribe_events": true, "edit_others_tribe_events": true, "edit_published_tribe_events": true, "publish_tribe_events": true,
}

// calendar is the recorded site with the routes of events.
type calendar struct {
	t        *testing.T
	db       *bun.DB
	now      time.Time
	engine   *rest.Engine
	settings *site.Settings
	changes  []post.Change
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
	env := &post.Env{
		Store: st, Names: names, Now: clock, MaxPageSize: 50, Texts: memo.New(1 << 20), Logger: slog.New(slog.DiscardHandler),
		Language:   param.New("i18n_language", param.Type(param.String)),
		Changed:    func(_ context.Context, changes []post.Change) { c.changes = append(c.changes, changes...) },
		UserExists: func(_ context.Context, id int64) (bool, error) { return id >= 1 && id <= 5, nil },
	}
	env.Unlinked = link.Unlinker(env)
	events := &event.Kind{
		Env: env, Venues: venue.New(env), Organizers: organizer.New(env),
		Categories: &term.Kind{Env: env, Collection: "categories", Singular: "Category", Taxonomy: names.Category, Tree: true},
		Tags:       &term.Kind{Env: env, Collection: "tags", Singular: "Tag", Taxonomy: names.Tag},
	}
	c.engine = &rest.Engine{
		Namespace: "tribe/events/v1", LanguageParam: "i18n_language", Texts: map[string]rest.Translator{"en": ids{}},
		Logger: env.Logger, Timeout: time.Minute, MaxBody: 1 << 20, Unavailable: store.Unavailable,
		Prepare: func(ctx context.Context, _ *rest.Root) (context.Context, bool, error) {
			return site.With(ctx, c.settings), true, nil
		},
		Authenticate: func(_ context.Context, r *http.Request, _ func(string) (string, bool)) (rest.Principal, []rest.Header, error) {
			if r.Header.Get("X-Caller") == "clerk" {
				return rest.Principal{UserID: 2, Capabilities: clerk}, nil, nil
			}
			u := users[r.Header.Get("X-Caller")]
			return rest.Principal{UserID: u.id, Capabilities: c.settings.Roles[u.role]}, nil, nil
		},
	}
	c.engine.Mount(slices.Concat(events.Routes(), events.Venues.Routes(), events.Organizers.Routes()))
	return c
}

func (c *calendar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.engine.Serve(w, r, &rest.Root{Tag: "en", BaseURL: "http://site.test/wp-json", URL: root}, strings.TrimPrefix(r.URL.EscapedPath(), "/wp-json/tribe/events/v1"))
}

// answer is what came back.
type answer struct {
	Status int
	Header http.Header
	Body   map[string]any
	Text   string
}

func (a answer) id() int64 { n, _ := a.Body["id"].(float64); return int64(n) }

func (a answer) path() string { return fmt.Sprint("/events/", a.id()) }

func (a answer) code() string { s, _ := a.Body["code"].(string); return s }

// fault is what the answer says about a parameter.
func (a answer) fault(name string) string {
	data, _ := a.Body["data"].(map[string]any)
	params, _ := data["params"].(map[string]any)
	s, _ := params[name].(string)
	return s
}

// linked are the ids of what an event's answer holds in a list or object.
func (a answer) linked(name string) string {
	list, isList := a.Body[name].([]any)
	if !isList {
		list = []any{a.Body[name]}
	}
	var ids []string
	for _, x := range list {
		m, _ := x.(map[string]any)
		ids = append(ids, fmt.Sprint(m["id"]))
	}
	return strings.Join(ids, " ")
}

// do sends a request as a caller; headers come in pairs of name and value.
func (c *calendar) do(as, method, path, body string, headers ...string) answer {
	c.t.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, root+path, in)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Caller", as)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	a := answer{Status: w.Code, Header: w.Header(), Text: w.Body.String()}
	if err := json.Unmarshal(w.Body.Bytes(), &a.Body); err != nil {
		c.t.Fatalf("%s %s: %s", method, path, a.Text)
	}
	return a
}

// must sends a request that has to have a status.
func (c *calendar) must(status int, as, method, path, body string, headers ...string) answer {
	c.t.Helper()
	a := c.do(as, method, path, body, headers...)
	if a.Status != status {
		c.t.Fatalf("%s %s %s %s: %d %s, want %d", as, method, path, body, a.Status, a.Text, status)
	}
	return a
}

// create makes an event with a title, an evening and more fields.
func (c *calendar) create(as, title, more string) answer {
	c.t.Helper()
	body := fmt.Sprintf(`{"title":%q,"start_date":"2033-04-05 19:30","end_date":"2033-04-05 22:00"%s}`, title, more)
	return c.must(http.StatusCreated, as, "POST", "/events", body)
}

// meta are a post's meta rows with a key, in order.
func (c *calendar) meta(id int64, key string) string {
	c.t.Helper()
	values := []string{}
	err := c.db.NewSelect().Model((*schema.PostMeta)(nil)).Column("meta_value").Where("post_id = ? AND meta_key = ?", id, key).Order("meta_id").Scan(c.t.Context(), &values)
	if err != nil {
		c.t.Fatal(err)
	}
	return fmt.Sprintf("%q", values)
}

// keys are the keys of a post's meta rows, in order, but that of bookkeeping.
func (c *calendar) keys(id int64) string {
	c.t.Helper()
	keys := []string{}
	err := c.db.NewSelect().Model((*schema.PostMeta)(nil)).Column("meta_key").Where("post_id = ? AND meta_key <> ?", id, schema.MetaModifiedFields).Order("meta_id").Scan(c.t.Context(), &keys)
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.Join(keys, " ")
}

func (c *calendar) sql(query string, args ...any) {
	c.t.Helper()
	if _, err := c.db.NewRaw(query, args...).Exec(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
}

// scan reads the values of one column.
func (c *calendar) scan(query string, args ...any) string {
	c.t.Helper()
	var values []string
	if err := c.db.NewRaw(query, args...).Scan(c.t.Context(), &values); err != nil {
		c.t.Fatal(err)
	}
	return strings.Join(values, "\n")
}

// dump is everything that is stored.
func (c *calendar) dump() string {
	c.t.Helper()
	var b strings.Builder
	for _, q := range []string{
		"SELECT CONCAT_WS('|', ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_name, post_modified, post_parent, guid, menu_order, post_type) FROM wp_posts ORDER BY ID",
		"SELECT CONCAT_WS('|', meta_id, post_id, meta_key, meta_value) FROM wp_postmeta ORDER BY meta_id",
		"SELECT CONCAT_WS('|', object_id, term_taxonomy_id) FROM wp_term_relationships ORDER BY object_id, term_taxonomy_id",
		"SELECT CONCAT_WS('|', term_taxonomy_id, term_id, taxonomy, parent, count) FROM wp_term_taxonomy ORDER BY term_taxonomy_id",
		"SELECT CONCAT_WS('|', term_id, name, slug) FROM wp_terms ORDER BY term_id",
		"SELECT CONCAT_WS('|', event_id, post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration) FROM wp_tec_events ORDER BY event_id",
		"SELECT CONCAT_WS('|', occurrence_id, event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, duration, hash) FROM wp_tec_occurrences ORDER BY occurrence_id",
		"SELECT CONCAT_WS('|', option_name, option_value) FROM wp_options ORDER BY option_id",
	} {
		fmt.Fprintln(&b, c.scan(q))
	}
	return b.String()
}
