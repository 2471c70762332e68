package term

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/testdb"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// ids gives message ids for texts.
type ids struct{}

func (ids) Text(id string, _ map[string]any) string { return id }

// roles are what the callers of the tests may do.
var roles = map[string]string{
	"editor":      "edit_tribe_events publish_tribe_events manage_categories edit_posts",
	"author":      "edit_tribe_events publish_tribe_events edit_posts",
	"contributor": "edit_tribe_events edit_posts",
	"subscriber":  "read",
}

func principal(role string) rest.Principal {
	p := rest.Principal{}
	if role != "" {
		p.UserID, p.Capabilities = 2, map[string]bool{}
		for c := range strings.FieldsSeq(roles[role]) {
			p.Capabilities[c] = true
		}
	}
	return p
}

// server serves the terms of a fresh copy of the recorded site.
type server struct {
	t                *testing.T
	engine           *rest.Engine
	db               *bun.DB
	counter          *testdb.Counter
	categories, tags *Kind
	mu               sync.Mutex
	changes          []post.Change
}

func newServer(t *testing.T) *server {
	t.Helper()
	pool, counter := testdb.Counted(t, testdb.SiteA)
	db, err := schema.Bind(pool, "wp_")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, db: db, counter: counter}
	names := schema.DefaultNames()
	env := &post.Env{
		Store: store.New(db, names, true, time.Now), Names: names, Now: time.Now, MaxPageSize: 50,
		Language: param.New("lang", param.Type(param.String)),
		Changed: func(_ context.Context, c []post.Change) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.changes = append(s.changes, c...)
		},
	}
	s.categories = &Kind{Env: env, Collection: "categories", Singular: "Category", Taxonomy: names.Category, Tree: true}
	s.tags = &Kind{Env: env, Collection: "tags", Singular: "Tag", Taxonomy: names.Tag}
	settings := &site.Settings{Location: time.UTC, Links: wp.Links{
		Home: "http://site.test", Permalink: "/%postname%/", EventSlug: "event", EventsSlug: "events"}}
	s.engine = &rest.Engine{
		Namespace: "ns", LanguageParam: "lang", Timeout: time.Minute, MaxBody: 1 << 20,
		Texts: map[string]rest.Translator{"en": ids{}}, Logger: slog.New(slog.DiscardHandler),
		Authenticate: func(_ context.Context, r *http.Request, _ func(string) (string, bool)) (rest.Principal, []rest.Header, error) {
			return principal(r.Header.Get("X-Role")), nil, nil
		},
		Prepare: func(ctx context.Context, _ *rest.Root) (context.Context, bool, error) {
			return site.With(ctx, settings), true, nil
		},
	}
	s.engine.Mount(append(s.categories.Routes(), s.tags.Routes()...))
	return s
}

// answer is a response with its body decoded.
type answer struct {
	status int
	header http.Header
	text   string
	body   map[string]any
}

func (a *answer) id() int64 { n, _ := a.body["id"].(float64); return int64(n) }

func (a *answer) String() string { return fmt.Sprintf("%d %s", a.status, a.text) }

var root = &rest.Root{Tag: "en", BaseURL: "http://site.test/api", URL: "http://site.test/api/ns"}

// do sends a request. More headers come in pairs.
func (s *server) do(role, method, path, body string, headers ...string) *answer {
	r := httptest.NewRequestWithContext(s.t.Context(), method, "http://site.test/api/ns"+path, strings.NewReader(body))
	r.Header.Set("X-Role", role)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.engine.Serve(w, r, root, strings.TrimPrefix(r.URL.EscapedPath(), "/api/ns"))
	a := &answer{status: w.Code, header: w.Header(), text: readable(w.Body.String())}
	if err := json.Unmarshal(w.Body.Bytes(), &a.body); err != nil && w.Body.Len() > 0 {
		s.t.Errorf("%s %s %s: %v in %q", method, path, body, err, w.Body)
	}
	return a
}

var escapes = regexp.MustCompile(`\\u[0-9a-f]{4}`)

// readable puts characters in the place of their escapes.
func readable(body string) string {
	return escapes.ReplaceAllStringFunc(strings.ReplaceAll(body, `\/`, "/"), func(e string) string {
		n, _ := strconv.ParseUint(e[2:], 16, 32)
		return string(rune(n))
	})
}

// must sends a request as an editor and returns the answer, whose status has to
// be the given one.
func (s *server) must(status int, method, path, body string, headers ...string) *answer {
	s.t.Helper()
	a := s.do("editor", method, path, body, headers...)
	if a.status != status {
		s.t.Errorf("%s %s %.200s: %v, want %d", method, path, body, a, status)
	}
	return a
}

// rows returns all rows that writes of terms may touch.
func (s *server) rows() string {
	s.t.Helper()
	var b strings.Builder
	for _, q := range []string{
		"SELECT CONCAT_WS('|', 'term', term_id, name, slug, term_group) FROM wp_terms ORDER BY term_id",
		"SELECT CONCAT_WS('|', 'place', term_taxonomy_id, term_id, taxonomy, description, parent, count) FROM wp_term_taxonomy ORDER BY term_taxonomy_id",
		"SELECT CONCAT_WS('|', 'has', object_id, term_taxonomy_id, term_order) FROM wp_term_relationships ORDER BY object_id, term_taxonomy_id",
		"SELECT CONCAT_WS('|', 'meta', meta_id, term_id, meta_key, meta_value) FROM wp_termmeta ORDER BY meta_id",
		"SELECT CONCAT_WS('|', option_name, option_value) FROM wp_options ORDER BY option_id",
		"SELECT CONCAT_WS('|', ID, post_modified, post_status) FROM wp_posts ORDER BY ID",
	} {
		var list []string
		if err := s.db.NewRaw(q).Scan(s.t.Context(), &list); err != nil {
			s.t.Fatal(err)
		}
		b.WriteString(strings.Join(list, "\n") + "\n")
	}
	return b.String()
}

// added returns what one state of the rows has and another has not.
func added(before, after string) []string {
	old := strings.Split(before, "\n")
	return slices.DeleteFunc(strings.Split(after, "\n"), func(line string) bool {
		return slices.Contains(old, line) || strings.HasPrefix(line, schema.OptionLastSavePost)
	})
}

func (s *server) exec(query string, args ...any) {
	s.t.Helper()
	if _, err := s.db.NewRaw(query, args...).Exec(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// heard returns the changes since the last call.
func (s *server) heard() []post.Change {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.changes
	s.changes = nil
	return c
}
