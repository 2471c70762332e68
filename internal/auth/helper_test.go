package auth

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/userstore"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// fixture is the recorded site with its users, for sending requests.
type fixture struct {
	t        testing.TB
	users    *Users
	settings *site.Settings
	db       *bun.DB
	counter  *testdb.Counter
	creds    map[string]string
	log      *sink
	now      time.Time
	clock    *fakeClock
}

// fakeClock replaces the clock and the timers of the process. Timers fire at once, unless hold is set.
type fakeClock struct {
	mu   sync.Mutex
	took time.Duration   // how long the next comparison of a password takes
	last time.Time       // the current time
	set  []time.Duration // durations of the timers, in order
	hold chan time.Time
}

func (f *fakeClock) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.last
	f.last = f.last.Add(f.took)
	return now
}

func (f *fakeClock) timer(d time.Duration) (<-chan time.Time, func() bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set = append(f.set, d)
	if f.hold != nil {
		return f.hold, func() bool { return true }
	}
	fires := make(chan time.Time, 1)
	fires <- time.Time{}
	return fires, func() bool { return false }
}

// timers returns the durations of the timers that were set since the last call.
func (f *fakeClock) timers() []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	set := f.set
	f.set = nil
	return set
}

// sink collects log output.
type sink struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	pool, counter := testdb.Counted(t, testdb.SiteA)
	db := must.Get(schema.Bind(pool, "wp_"))(t)
	h := &fixture{t: t, db: db, counter: counter, creds: recordedCreds(t), log: &sink{}, now: noon}
	var roles string
	must.Succeed(t, db.NewRaw("SELECT option_value FROM wp_options WHERE option_name = 'wp_user_roles'").Scan(t.Context(), &roles))
	h.settings = &site.Settings{SiteURL: "http://site.test", ApplicationPasswords: true, Roles: site.ParseRoles(roles)}
	_, keys := loadObserved(t)
	h.users = New(Config{
		Store: userstore.New(db, schema.UserMetaCapabilities("wp_")), Keys: keys, Network: Network{PlainHTTP: true},
		Now: func() time.Time { return h.now }, Logger: slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	// Unless a test changes this, every password was used today, so that its use is not stored again.
	for user := range int64(5) {
		h.change(user+1, func(list *phpval.Array) {
			for _, one := range passwords(list) {
				one.Set(phpval.StrKey(fieldLastUsed), noon.Unix()-60)
			}
		})
	}
	h.clock = &fakeClock{}
	h.users.refusals.now, h.users.refusals.timer = h.clock.Now, h.clock.timer
	counter.Reset()
	return h
}

func recordedCreds(t testing.TB) map[string]string {
	t.Helper()
	raw := must.Get(os.ReadFile("../test/replay/testdata/creds"))(t)
	creds := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		name, password, _ := strings.Cut(strings.TrimSpace(line), " ")
		creds[name] = password
	}
	if len(creds) != 5 {
		t.Fatalf("%d users", len(creds))
	}
	return creds
}

func (h *fixture) exec(query string, args ...any) {
	h.t.Helper()
	must.Get(h.db.NewRaw(query, args...).Exec(h.t.Context()))(h.t)
}

// stored returns the stored list of a user's application passwords.
func (h *fixture) stored(user int64) (stored string) {
	h.t.Helper()
	must.Succeed(h.t, h.db.NewRaw("SELECT meta_value FROM wp_usermeta WHERE user_id = ? AND meta_key = '_application_passwords'",
		user).Scan(h.t.Context(), &stored))
	return stored
}

// change changes the stored list of a user's application passwords.
func (h *fixture) change(user int64, how func(list *phpval.Array)) {
	h.t.Helper()
	list := must.Get(parseList(h.stored(user)))(h.t)
	how(list)
	h.exec("UPDATE wp_usermeta SET meta_value = ? WHERE user_id = ? AND meta_key = '_application_passwords'", phpval.Serialize(list), user)
}

// login stores a session of the admin and returns its cookie and nonce.
func (h *fixture) login() (cookieHeader, nonce string) {
	h.t.Helper()
	o, _ := loadObserved(h.t)
	v := o.Cases[0]
	h.exec("DELETE FROM wp_usermeta WHERE user_id = 1 AND meta_key = 'session_tokens'")
	h.exec("INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (1, 'session_tokens', ?)",
		phpval.Serialize(array(v.SessionKey, array("expiration", v.Expiration, "ip", "127.0.0.1", "ua", "x", "login", 1))))
	nonce, _ = h.users.Keys.nonce(h.now, 1, v.Token)
	return cookieName(h.settings.SiteURL) + "=" + url.QueryEscape(v.Cookie), nonce
}

// authenticate authenticates a request from an unknown address, with pairs of header names and values.
func (h *fixture) authenticate(header ...string) (caller.Principal, []rest.Header, error) {
	return h.send(request(stranger, false, header...))
}

func (h *fixture) send(r *http.Request) (caller.Principal, []rest.Header, error) {
	ctx := site.With(h.t.Context(), h.settings)
	return h.users.Authenticate(ctx, r, func(string) (string, bool) { return "", false })
}

// outcome summarizes the result of a request: a login, "anonymous", or the status and code of an error. A "+" is
// appended if there is a fresh nonce.
func outcome(p caller.Principal, headers []rest.Header, err error) string {
	word := p.Login
	if answer, ok := err.(*apierror.Error); ok {
		word = fmt.Sprint(answer.Status, " ", answer.Code)
	} else if err != nil {
		word = "error"
	} else if p.Anonymous() {
		word = "anonymous"
	}
	for _, x := range headers {
		if x.Name == nonceHeader && len(x.Value.(string)) == 10 {
			word += "+"
		}
	}
	return word
}

func basicAuth(name, password string) string { return "Basic " + encoded(name+":"+password) }

func settled(ctx context.Context, h *fixture) context.Context { return site.With(ctx, h.settings) }
