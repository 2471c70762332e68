package link_test

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

	"github.com/agendahq/agenda/internal/link"
	"github.com/agendahq/agenda/internal/memo"
	"github.com/agendahq/agenda/internal/organizer"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/testdb"
	"github.com/agendahq/agenda/internal/venue"
	"github.com/agendahq/agenda/schema"
)

// now is the clock of the tests.
var now = time.Date(2026, 11, 21, 7, 10, 50, 0, time.UTC)

const root = "http://site.test/wp-json/tribe/events/v1"

// users of the recorded site.
var users = map[string]struct {
	id   int64
	role string
}{"admin": {1, "administrator"}, "editor": {2, "editor"}, "author": {3, "author"}, "contributor": {4, "contributor"}, "subscriber": {5, "subscriber"}}

// calendar is the recorded site with the routes of both kinds.
type calendar struct {
	t                  *testing.T
	db                 *bun.DB
	counter            *testdb.Counter
	env                *post.Env
	engine             *rest.Engine
	settings           *site.Settings
	venues, organizers *link.Kind
	changes            []post.Change
}

// ids are texts of which only the ids are known.
type ids struct{}

func (ids) Text(id string, data map[string]any) string {
	if reason, ok := data["Reason"].(param.Message); ok {
		return fmt.Sprint(id, " ", data["Name"], " ", reason.ID)
	}
	return id
}

func open(t *testing.T) *calendar {
	t.Helper()
	pool, counter := testdb.Counted(t, testdb.SiteA)
	db, err := schema.Bind(pool, "wp_")
	if err != nil {
		t.Fatal(err)
	}
	names := schema.DefaultNames()
	st := store.New(db, names, true, func() time.Time { return now })
	settings := &site.Cache{Options: st.Options, Prefix: "wp_"}
	c := &calendar{t: t, db: db, counter: counter}
	if c.settings, err = settings.Settings(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.env = &post.Env{
		Store: st, Names: names, Now: func() time.Time { return now }, MaxPageSize: 50, Texts: memo.New(1 << 20),
		Language:   param.New("i18n_language", param.Type(param.String)),
		Changed:    func(_ context.Context, changes []post.Change) { c.changes = append(c.changes, changes...) },
		UserExists: func(_ context.Context, id int64) (bool, error) { return id >= 1 && id <= 5, nil },
		Logger:     slog.New(slog.DiscardHandler),
	}
	c.env.Unlinked = link.Unlinker(c.env)
	c.venues, c.organizers = venue.New(c.env), organizer.New(c.env)
	c.engine = &rest.Engine{
		Namespace: "tribe/events/v1", LanguageParam: "i18n_language", Texts: map[string]rest.Translator{"en": ids{}},
		Logger: c.env.Logger, Timeout: time.Minute, MaxBody: 1 << 20, Unavailable: store.Unavailable,
		Prepare: func(ctx context.Context, _ *rest.Root) (context.Context, bool, error) {
			return site.With(ctx, c.settings), true, nil
		},
		Authenticate: func(_ context.Context, r *http.Request, _ func(string) (string, bool)) (rest.Principal, []rest.Header, error) {
			return c.caller(r.Header.Get("X-Caller")), nil, nil
		},
	}
	c.engine.Mount(slices.Concat(c.venues.Routes(), c.organizers.Routes()))
	counter.Reset()
	return c
}

// caller is a user of the site, with the rights of its role.
func (c *calendar) caller(name string) rest.Principal {
	u := users[name]
	return rest.Principal{UserID: u.id, Login: name, Capabilities: c.settings.Roles[u.role]}
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

func (a answer) code() string { s, _ := a.Body["code"].(string); return s }

// fault is what the answer says about a parameter.
func (a answer) fault(name string) string {
	data, _ := a.Body["data"].(map[string]any)
	params, _ := data["params"].(map[string]any)
	s, _ := params[name].(string)
	return s
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

// meta are the values of a post's meta rows with a key, in order.
func (c *calendar) meta(id int64, key string) []string {
	c.t.Helper()
	values := []string{}
	err := c.db.NewSelect().Model((*schema.PostMeta)(nil)).Column("meta_value").Where("post_id = ? AND meta_key = ?", id, key).Order("meta_id").Scan(c.t.Context(), &values)
	if err != nil {
		c.t.Fatal(err)
	}
	return values
}

// linking are the events that link a post, by id.
func (c *calendar) linking(key string, id int64) []int64 {
	c.t.Helper()
	events := []int64{}
	err := c.db.NewSelect().Model((*schema.PostMeta)(nil)).Column("post_id").Where("meta_key = ? AND meta_value = ?", key, fmt.Sprint(id)).Order("post_id").Scan(c.t.Context(), &events)
	if err != nil {
		c.t.Fatal(err)
	}
	return events
}

func (c *calendar) sql(query string, args ...any) {
	c.t.Helper()
	if _, err := c.db.NewRaw(query, args...).Exec(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
}

// dump is everything that is stored, except what changes with every save.
func (c *calendar) dump() string {
	c.t.Helper()
	var b strings.Builder
	for _, q := range []string{
		"SELECT CONCAT_WS('|', ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_name, post_modified, post_parent, guid, menu_order, post_type) FROM wp_posts ORDER BY ID",
		"SELECT CONCAT_WS('|', meta_id, post_id, meta_key, meta_value) FROM wp_postmeta ORDER BY meta_id",
		"SELECT CONCAT_WS('|', option_name, option_value) FROM wp_options ORDER BY option_id",
	} {
		var rows []string
		if err := c.db.NewRaw(q).Scan(c.t.Context(), &rows); err != nil {
			c.t.Fatal(err)
		}
		fmt.Fprintln(&b, strings.Join(rows, "\n"))
	}
	return b.String()
}
