package editing_test

import (
	"context"
	"crypto/md5"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// password is the password of all users of ownSite.
const password = "correct horse battery"

// passwordHash is a hash of password in the oldest supported format, which is fast to compute.
var passwordHash = fmt.Sprintf("%x", md5.Sum([]byte(password)))

// fixture is the recorded site with its pages in English and Dutch. Its users are admin, editor1, author1, contrib1 and
// sub1.
type fixture struct {
	t        testing.TB
	db       *bun.DB
	calendar *calendar.Calendar
	handler  http.Handler // of the pages, and of the API at /wp-json
	mu       sync.Mutex
	now      time.Time
}

// ownSite turns the recorded site into a standalone one, whose users have password.
func ownSite(t testing.TB, change ...func(*calendar.Options)) *fixture {
	t.Helper()
	db := testdb.SiteA(t)
	f := &fixture{t: t, db: db}
	f.exec("UPDATE wp_users SET user_pass = ?", passwordHash)
	f.exec("INSERT INTO wp_options (option_name, option_value, autoload) VALUES (?, '1', 'on')", schema.OptionOwn)
	f.serve(change...)
	return f
}

// besideSite returns the recorded site, which has another admin.
func besideSite(t testing.TB, change ...func(*calendar.Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, db: testdb.SiteA(t)}
	f.serve(change...)
	return f
}

func (f *fixture) exec(query string, args ...any) {
	f.t.Helper()
	must.Get(f.db.NewRaw(query, args...).Exec(f.t.Context()))(f.t)
}

// serve creates the calendar and its pages.
func (f *fixture) serve(change ...func(*calendar.Options)) {
	f.t.Helper()
	f.now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	opts := calendar.Options{
		DB: f.db, Now: f.clock, Logger: slog.New(slog.NewTextHandler(f.t.Output(), &slog.HandlerOptions{Level: slog.LevelError})),
		Login: calendar.Login{RefuseAfter: calendar.None},
		Languages: []calendar.Language{
			{Tag: "en", BaseURL: "https://site.test/wp-json", SiteURL: "https://site.test"},
			{Tag: "nl", BaseURL: "https://site.test/nl/wp-json", Mount: "/nl/wp-json", SiteURL: "https://site.test/nl"},
		},
	}
	for _, c := range change {
		c(&opts)
	}
	f.calendar = must.Get(calendar.New(f.t.Context(), opts))(f.t)
	f.t.Cleanup(func() { _ = f.calendar.Close(context.Background()) })
	shown, api := pages.New(f.calendar, pages.Options{Editing: true, Logger: opts.Logger, Now: f.clock}), f.calendar.Handler()
	f.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/wp-json") {
			api.ServeHTTP(w, r)
			return
		}
		shown.ServeHTTP(w, r)
	})
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// wait advances the clock.
func (f *fixture) wait(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

// browser is a client over TLS at https://site.test that keeps cookies as browsers do.
type browser struct {
	*fixture

	cookies map[string]string
	plain   bool   // without TLS
	site    string // value of Sec-Fetch-Site
}

// nobody returns a browser without a session.
func (f *fixture) nobody() *browser {
	return &browser{fixture: f, cookies: map[string]string{}, site: "same-origin"}
}

// as returns a browser in which a user has signed in on a standalone site, or one without a session if login is "".
func (f *fixture) as(login string) *browser {
	f.t.Helper()
	b := f.nobody()
	if login == "" {
		return b
	}
	wantCode(f.t, b.post("/edit/sign-in/", signIn(login, password)), http.StatusSeeOther)
	return b
}

func (b *browser) get(path string) *httptest.ResponseRecorder {
	return b.send(http.MethodGet, path, nil, "")
}

func (b *browser) post(path string, form url.Values) *httptest.ResponseRecorder {
	return b.send(http.MethodPost, path, strings.NewReader(form.Encode()), "application/x-www-form-urlencoded")
}

func (b *browser) send(method, path string, body io.Reader, kind string) *httptest.ResponseRecorder {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), method, "https://site.test"+path, body)
	r.RemoteAddr = "203.0.113.7:1234"
	if b.plain {
		r.TLS = nil
	} else {
		r.TLS = &tls.ConnectionState{}
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	if b.site != "" {
		r.Header.Set("Sec-Fetch-Site", b.site)
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if b.cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	return w
}
