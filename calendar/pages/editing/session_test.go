package editing_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// signedIn reports whether the browser has a valid session.
func (b *browser) signedIn() bool { return b.get("/edit/account/").Code == http.StatusOK }

// sessions returns the stored sessions of a user and their number.
func (f *fixture) sessions(login string) (stored string, n int) {
	f.t.Helper()
	must.Succeed(f.t, f.db.NewRaw("SELECT meta_value FROM wp_usermeta WHERE meta_key = 'session_tokens' AND user_id = "+
		"(SELECT ID FROM wp_users WHERE user_login = ?)", login).Scan(f.t.Context(), &stored))
	v := must.Get(phpval.Unserialize(stored))(f.t)
	return stored, v.(*phpval.Array).Len()
}

// creds returns the recorded application password of a user.
func creds(t *testing.T, login string) string {
	t.Helper()
	text := must.Get(os.ReadFile("../../../internal/test/replay/testdata/creds"))(t)
	m := regexp.MustCompile("(?m)^" + login + " (.*)$").FindStringSubmatch(string(text))
	if m == nil {
		t.Fatalf("no password of %s", login)
	}
	return m[1]
}

// drafts requests drafts from the API with a password, and returns the status.
func (f *fixture) drafts(login, password string) int {
	f.t.Helper()
	const address = "https://site.test/wp-json/vendor/events/v1/events?status=draft"
	r := httptest.NewRequestWithContext(f.t.Context(), http.MethodGet, address, nil)
	r.SetBasicAuth(login, password)
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, r)
	return w.Code
}

func signIn(name, password string) url.Values {
	return url.Values{"name": {name}, "password": {password}}
}

// TestSignInAndOut checks that a session lasts until its user signs out, and that other sessions of the user only end
// if requested.
func TestSignInAndOut(t *testing.T) {
	f := ownSite(t)
	if a := f.nobody().get("/nl/edit/users/"); a.Header().Get("Location") != "/nl/edit/sign-in/?next=%2Fnl%2Fedit%2Fusers%2F" {
		t.Errorf("nobody: %d %v", a.Code, a.Header())
	}
	one, two, three := f.as("editor1"), f.as("EDITOR1@example.org"), f.as("editor1")
	one.post("/edit/sign-out/", nil)
	if one.signedIn() || len(one.cookies) != 0 || !two.signedIn() || !three.signedIn() {
		t.Error("a sign-out ended another session, or none")
	}
	two.post("/edit/sign-out/", url.Values{"everywhere": {"1"}})
	if two.signedIn() || three.signedIn() {
		t.Error("a session is left")
	}
	// Each sign-in creates a new token, and ends the browser's previous session.
	b := f.as("editor1")
	before := b.cookies["__Host-agenda_session"]
	b.post("/edit/sign-in/", signIn("editor1", password))
	after := b.cookies["__Host-agenda_session"]
	b.cookies["__Host-agenda_session"] = before
	if before == "" || before == after || b.signedIn() {
		t.Error("the token of before still serves")
	}
}

// TestSignInLeadsBack checks that signing in redirects to the page from which the user came, and never to another site.
func TestSignInLeadsBack(t *testing.T) {
	f := ownSite(t)
	for next, want := range map[string]string{
		"/nl/edit/users/": "/nl/edit/users/", "": "/edit/", "https://evil.test/": "/edit/", "//evil.test/edit/": "/edit/",
		"/edit/..//x": "/edit/",
		"/edit\\evil": "/edit/", "/event/x/": "/edit/", "/edit/\r\nX: y": "/edit/",
	} {
		form := signIn("author1", password)
		form.Set("next", next)
		if a := f.nobody().post("/edit/sign-in/", form); a.Header().Get("Location") != want {
			t.Errorf("%q leads to %v", next, a.Header())
		}
	}
}

// TestCookie checks that over TLS the cookie is restricted to this host, that scripts cannot read it, and that it lasts
// as long as requested.
func TestCookie(t *testing.T) {
	f := ownSite(t, func(o *calendar.Options) { o.Login.PlainHTTP = true })
	for name, c := range map[string]struct {
		plain  bool
		form   url.Values
		want   string
		lasts  time.Duration
		absent string
	}{
		"tls":      {false, url.Values{}, "__Host-agenda_session=", 12 * time.Hour, "Expires="},
		"remember": {false, url.Values{"remember": {"1"}}, "Expires=Sat, 05 Dec 2026 12:00:00 GMT", 14 * 24 * time.Hour, "Domain"},
		"plain":    {true, url.Values{}, "agenda_session=", 12 * time.Hour, "Secure"},
	} {
		f.now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		b := f.nobody()
		b.plain = c.plain
		c.form.Set("name", "author1")
		c.form.Set("password", password)
		cookie := b.post("/edit/sign-in/", c.form).Header().Get("Set-Cookie")
		for _, part := range []string{c.want, "; Path=/", "; HttpOnly", "; SameSite=Lax"} {
			if !strings.Contains(cookie, part) {
				t.Errorf("%s: %q lacks %s", name, cookie, part)
			}
		}
		if strings.Contains(cookie, c.absent) || !c.plain && !strings.Contains(cookie, "; Secure") {
			t.Errorf("%s: %q", name, cookie)
		}
		if f.wait(c.lasts); !b.signedIn() {
			t.Errorf("%s: ended early", name)
		}
		if f.wait(time.Second); b.signedIn() {
			t.Errorf("%s: does not end", name)
		}
	}
}

// TestPlainHTTP checks D28: over unencrypted HTTP from another machine, no password and no session is accepted, and the
// page says so. A trusted proxy can declare the connection encrypted.
func TestPlainHTTP(t *testing.T) {
	f := ownSite(t, func(o *calendar.Options) {
		o.Login.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("203.0.113.9/32")}
	})
	b := f.nobody()
	b.plain = true
	if a := b.get("/edit/sign-in/"); !strings.Contains(a.Body.String(), "begins with https") || strings.Contains(a.Body.String(), "<form") {
		t.Errorf("the page does not say so: %s", a.Body)
	}
	if a := b.post("/edit/sign-in/", signIn("author1", password)); a.Code != http.StatusUnauthorized || len(b.cookies) > 0 {
		t.Errorf("accepted: %d", a.Code)
	}
	b = f.as("author1")
	b.plain, b.cookies["agenda_session"] = true, b.cookies["__Host-agenda_session"]
	if b.signedIn() {
		t.Error("a session over plain HTTP")
	}
}

// TestTenSessions checks that a user has at most ten sessions from these pages, of which the oldest ends. Sessions that
// other programs stored are preserved, but not accepted here.
func TestTenSessions(t *testing.T) {
	f := ownSite(t)
	foreign := `s:64:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";a:3:{s:10:"expiration";i:4102444800;` +
		`s:2:"ip";s:9:"127.0.0.1";s:5:"other";d:0.5;}` // its token is "test"
	f.exec("DELETE FROM wp_usermeta WHERE meta_key = 'session_tokens'")
	f.exec("INSERT INTO wp_usermeta (user_id, meta_key, meta_value) SELECT ID, 'session_tokens', ? FROM wp_users", "a:1:{"+foreign+"}")
	first := f.as("author1")
	var last *browser
	for range 10 {
		if last = f.as("author1"); !first.signedIn() {
			break
		}
	}
	stored, n := f.sessions("author1")
	if n != 11 || !strings.Contains(stored, foreign) || first.signedIn() || !last.signedIn() {
		t.Errorf("%d sessions: %s", n, stored)
	}
	last.post("/edit/sign-out/", url.Values{"everywhere": {"1"}})
	if stored, _ := f.sessions("author1"); stored != "a:1:{"+foreign+"}" {
		t.Errorf("left: %s", stored)
	}
	if last.cookies["__Host-agenda_session"] = "4-test"; last.signedIn() {
		t.Error("a session of WordPress lets in here")
	}
	f.exec("UPDATE wp_usermeta SET meta_value = 'O:1:\"x\":0:{}' WHERE meta_key = 'session_tokens'")
	if a := f.nobody().post("/edit/sign-in/", signIn("author1", password)); a.Code < 500 {
		t.Errorf("stored sessions that cannot be read were overwritten: %d", a.Code)
	}
}

// TestSessionsEnd checks that a user's sessions end with the right to sign in, no matter which program revokes it.
func TestSessionsEnd(t *testing.T) {
	f := ownSite(t)
	for name, end := range map[string]string{
		"a new password": "UPDATE wp_users SET user_pass = '$wp$2y$10$other' WHERE user_login = 'author1'",
		"no role":        "UPDATE wp_usermeta SET meta_value = 'a:0:{}' WHERE meta_key = 'wp_capabilities' AND user_id = @id",
		"an unknown role": "UPDATE wp_usermeta SET meta_value = 'a:1:{s:4:\"gone\";b:1;}' " +
			"WHERE meta_key = 'wp_capabilities' AND user_id = @id",
		"signed out there": "UPDATE wp_usermeta SET meta_value = '' WHERE meta_key = 'session_tokens' AND user_id = @id",
		"removed":          "DELETE FROM wp_users WHERE user_login = 'author1'",
	} {
		f := f
		if name != "a new password" {
			f = ownSite(t)
		}
		b := f.as("author1")
		f.exec(strings.ReplaceAll(end, "@id", "(SELECT ID FROM wp_users WHERE user_login = 'author1')"))
		if a := b.get("/edit/account/"); a.Code != http.StatusSeeOther || len(b.cookies) > 0 {
			t.Errorf("%s: %d, cookies %v", name, a.Code, b.cookies)
		}
	}
}

// TestTheAPITakesNoSession checks that the API accepts neither session cookies nor passwords of accounts.
func TestTheAPITakesNoSession(t *testing.T) {
	f := ownSite(t)
	b := f.as("admin")
	if a := b.get("/wp-json/vendor/events/v1/events?status=draft"); a.Code < 400 {
		t.Errorf("drafts by the cookie: %d", a.Code)
	}
	if a := b.send(http.MethodPost, "/wp-json/vendor/events/v1/events", strings.NewReader(`{"title":"x"}`), "application/json"); a.Code !=
		http.StatusUnauthorized {
		t.Errorf("a write by the cookie: %d %s", a.Code, a.Body)
	}
	if code := f.drafts("admin", password); code != http.StatusUnauthorized {
		t.Errorf("the password of an account: %d", code)
	}
}

// TestApplicationPasswords checks signing in with application passwords. On a standalone site one is accepted only
// while the account has no password. On a site with another admin, only application passwords are accepted, and
// revoking one ends its sessions.
func TestApplicationPasswords(t *testing.T) {
	own, beside := ownSite(t), besideSite(t)
	own.exec("UPDATE wp_users SET user_pass = '!' WHERE user_login = 'contrib1'")
	beside.exec("UPDATE wp_users SET user_pass = ?", passwordHash)
	for _, c := range []struct {
		site            *fixture
		login, password string
		want            int
	}{
		{own, "author1", password, 303},
		{own, "author1", creds(t, "author1"), 401},
		{own, "contrib1", creds(t, "contrib1"), 303},
		{own, "contrib1", "!", 401},
		{beside, "author1", password, 401},
		{beside, "author1", creds(t, "author1"), 303},
		{beside, "author1", "", 401},
	} {
		if a := c.site.nobody().post("/edit/sign-in/", signIn(c.login, c.password)); a.Code != c.want {
			t.Errorf("%s with %.4s…: %d, want %d", c.login, c.password, a.Code, c.want)
		}
	}
	b := beside.nobody()
	b.post("/edit/sign-in/", signIn("author1", creds(t, "author1")))
	wantCode(t, b.post("/edit/account/password/", url.Values{"old": {creds(t, "author1")}, "password": {"a new password"}}), 403)
	beside.exec("UPDATE wp_usermeta SET meta_value = 'a:0:{}' WHERE meta_key = '_application_passwords'")
	if b.signedIn() {
		t.Error("the session outlived the application password")
	}
}

// TestNobodySignsInBesideADeafCache checks that nobody can sign in on a site with an object cache that is not notified
// of changes.
func TestNobodySignsInBesideADeafCache(t *testing.T) {
	f := besideSite(t)
	f.exec("INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('active_plugins', ?, 'on')",
		`a:1:{i:0;s:27:"redis-cache/redis-cache.php";}`)
	form := signIn("author1", creds(t, "author1"))
	if a := f.nobody().post("/edit/sign-in/", form); a.Code != 503 || !strings.Contains(a.Body.String(), "companion") {
		t.Fatalf("without a companion: %d %s", a.Code, a.Body)
	}
	must.Succeed(t, schema.InstallCompanion(t.Context(), f.db, "wp_"))
	wantCode(t, f.nobody().post("/edit/sign-in/", form), 303)
}

// TestLimits checks the limits of wrong passwords, and that no page reveals whether a user exists.
func TestLimits(t *testing.T) {
	f := ownSite(t)
	b := f.nobody()
	pages := map[string]bool{}
	for i := range 10 {
		name := []string{"author1", "nobody1"}[i%2]
		pages[strings.ReplaceAll(b.post("/edit/sign-in/", signIn(name, "wrong")).Body.String(), name, "?")] = true
		b.post("/edit/sign-in/", signIn("author1", "wrong"))
	}
	if len(pages) > 2 {
		t.Errorf("%d different answers", len(pages))
	}
	a := b.post("/edit/sign-in/", signIn("author1", password))
	if a.Code != http.StatusTooManyRequests || a.Header().Get("Retry-After") == "" {
		t.Errorf("after ten wrong passwords: %d %v", a.Code, a.Header())
	}
}

// TestHostileForms checks that the size of forms is limited, and that no input causes a server error.
func TestHostileForms(t *testing.T) {
	f := ownSite(t)
	b := f.as("admin")
	large := strings.Repeat("a", 70<<10)
	var many bytes.Buffer
	form := multipart.NewWriter(&many)
	for i := range 2000 {
		_ = form.WriteField(fmt.Sprint("name", i), "x")
	}
	_ = form.Close()
	paths := []string{"/edit/sign-in/", "/edit/account/password/", "/edit/account/programs/", "/edit/users/", "/edit/users/1/invite/"}
	for _, c := range []struct{ kind, body string }{
		{"application/x-www-form-urlencoded", "name=" + large},
		{"application/x-www-form-urlencoded", "%zz=%"},
		{"application/x-www-form-urlencoded", "name=%00%ff&password=%00&login=%ff&email=%00@a.b&role=%00&old=%00&confirm=%ff"},
		{"application/x-www-form-urlencoded", "old=" + strings.Repeat("b", 5000) + "&password=" + strings.Repeat("c", 5000)},
		{"application/json", "{}"}, {"", "x"}, {"multipart/form-data", "x"}, {form.FormDataContentType(), many.String()},
		{"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n"},
	} {
		for _, path := range paths {
			a := b.send(http.MethodPost, path, io.NopCloser(strings.NewReader(c.body)), c.kind)
			if a.Code >= 500 || a.Code < 300 && path != paths[4] {
				t.Errorf("%s of %.40q: %d", path, c.body, a.Code)
			}
		}
	}
	for _, path := range []string{"/edit/%zz", "/edit//", "/edit/account//", "/edit/../x", "/edit/invitation/" + large + "/",
		"/edit/first/a%2Fb/", "/edit/account/?done=%3Cscript%3E", "/edit/users/99999999999999999999/invite/"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://site.test/", nil)
		r.URL.RawPath, r.URL.Path = path, path
		w := httptest.NewRecorder()
		f.handler.ServeHTTP(w, r)
		if w.Code >= 500 || strings.Contains(w.Body.String(), "<script>") {
			t.Errorf("%.60s: %d", path, w.Code)
		}
	}
}
