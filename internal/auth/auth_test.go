package auth

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

func TestEveryUserComesIn(t *testing.T) {
	h := newFixture(t)
	roles := map[string]string{"admin": "administrator", "editor1": "editor", "author1": "author", "contrib1": "contributor",
		"sub1": "subscriber"}
	for name, password := range h.creds {
		p, headers, err := h.authenticate("Authorization", basicAuth(name, password))
		if err != nil || p.Login != name || p.UserID == 0 || headers != nil {
			t.Fatalf("%s: %+v %v %v", name, p, headers, err)
		}
		for user, role := range roles {
			if p.Can(role) != (user == name) {
				t.Errorf("%s has role %s: %v", name, role, p.Can(role))
			}
		}
		if !p.Can("read") ||
			p.Can("publish_tribe_events") != strings.ContainsAny(name[:2], "d") && p.Can("publish_tribe_events") != (name == "author1") {
			t.Errorf("%s: %v", name, p.Capabilities)
		}
	}
}

const wrongPassword = "401 incorrect_password"

// TestCredentials checks which spellings of user names and passwords are accepted.
func TestCredentials(t *testing.T) {
	h := newFixture(t)
	h.users.Limits = Limits{PerPair: 1000, PerAddress: 1000, PerUser: 1000}
	right := h.creds["admin"]
	for _, c := range []struct{ header, want string }{
		{basicAuth("admin", right), "admin"}, {basicAuth("ADMIN", right), "admin"}, {basicAuth(" admin ", right), "admin"},
		{basicAuth("<b>admin</b>", right), "admin"}, {basicAuth("ádmin", right), "admin"},
		{basicAuth("admin@example.org", right), "admin"}, {basicAuth("Admin@EXAMPLE.org", right), "admin"},
		{basicAuth("admin", right[:4]+" "+right[4:8]+"-"+right[8:]+"!"), "admin"},
		{strings.Replace(basicAuth("admin", right), "Basic", "basic ", 1), "admin"},
		{basicAuth("admin", strings.ToLower(right)), wrongPassword}, {basicAuth("admin", "x"), wrongPassword},
		{basicAuth("admin", "---"), wrongPassword}, {basicAuth("admin", right+"x"), wrongPassword},
		{basicAuth("editor1", right), wrongPassword}, {basicAuth("nobody", right), wrongPassword},
		{basicAuth("nobody@example.org", right), wrongPassword}, {basicAuth("", right), wrongPassword},
		{basicAuth("ad\x00min", right), "admin"}, {basicAuth("admin\xff", right), wrongPassword},
		{basicAuth("admin' OR 1=1 -- ", right), wrongPassword}, {basicAuth(strings.Repeat("a", 200_000), right), wrongPassword},
		{basicAuth("admin", ""), "anonymous"}, {basicAuth("", ""), "anonymous"}, {"Basic " + encoded("admin"), "anonymous"},
		{"Basic !!", "anonymous"}, {"Bearer " + right, "anonymous"}, {"Digest x", "anonymous"}, {"", "anonymous"},
	} {
		golden.Equal(t, c.header, outcome(h.authenticate("Authorization", c.header)), c.want)
	}
	// The account's password must not work as an application password.
	h.exec("UPDATE wp_users SET user_pass = ? WHERE ID = 1", forms["bcrypt"].hash)
	if got := outcome(h.authenticate("Authorization", basicAuth("admin", forms["bcrypt"].password))); got != wrongPassword {
		t.Errorf("the account's password: %s", got)
	}
	h.settings.ApplicationPasswords = false
	for _, password := range []string{right, "wrong"} {
		golden.Equal(t, "switched off", outcome(h.authenticate("Authorization", basicAuth("admin", password))), "anonymous")
	}
}

func TestEveryFormOfHash(t *testing.T) {
	h := newFixture(t)
	for name, f := range forms {
		h.change(3, func(list *phpval.Array) {
			list.Set(phpval.IntKey(0), item("u", f.hash, noon.Unix()))
		})
		golden.Equal(t, name, outcome(h.authenticate("Authorization", basicAuth("author1", f.password))), "author1")
	}
	for _, stored := range []string{"", "a:0:{}", "garbage", "i:1;", `O:8:"stdClass":0:{}`, `a:1:{i:0;s:1:"x";}`} {
		h.exec("UPDATE wp_usermeta SET meta_value = ? WHERE user_id = 3 AND meta_key = '_application_passwords'", stored)
		if got := outcome(h.authenticate("Authorization", basicAuth("author1", "x"))); got != wrongPassword || h.stored(3) != stored {
			t.Errorf("%q stored: %s, then %q", stored, got, h.stored(3))
		}
	}
}

func TestPlainHTTP(t *testing.T) {
	h := newFixture(t)
	h.users.Network = Network{}
	credentials := basicAuth("admin", h.creds["admin"])
	const refused = "401 rest_https_required"
	for about, c := range map[string]struct {
		request *http.Request
		want    string
	}{
		"plain":                 {request(stranger, false, "Authorization", credentials), refused},
		"plain, wrong password": {request(stranger, false, "Authorization", basicAuth("admin", "x")), refused},
		"plain, nothing to try": {request(stranger, false, "Authorization", basicAuth("admin", "")), "anonymous"},
		"plain, another scheme": {request(stranger, false, "Authorization", "Bearer x"), "anonymous"},
		"encrypted":             {request(stranger, true, "Authorization", credentials), "admin"},
		"from this machine":     {request("127.0.0.1:9", false, "Authorization", credentials), "admin"},
		"from a proxy on it":    {request("127.0.0.1:9", false, "Authorization", credentials, "X-Forwarded-Proto", "https"), refused},
		"spoofed":               {request(stranger, false, "Authorization", credentials, "X-Forwarded-Proto", "https"), refused},
		"spoofed standard header": {request(stranger, false, "Authorization", credentials, "Forwarded", "for=127.0.0.1;proto=https"),
			refused},
	} {
		h.counter.Reset()
		golden.Equal(t, about, outcome(h.send(c.request)), c.want)
		if n := len(h.counter.Statements()); c.want == refused && n != 0 {
			t.Errorf("%s: %d statements", about, n)
		}
	}
	h.settings.ApplicationPasswords = false
	golden.Equal(t, "switched off", outcome(h.authenticate("Authorization", credentials)), "anonymous")
}

// TestCookieAndNonce tests all combinations of cookies, nonces and passwords.
func TestCookieAndNonce(t *testing.T) {
	h := newFixture(t)
	valid, nonce := h.login()
	old, _ := h.users.Keys.nonce(noon.Add(-12*time.Hour), 1, loadToken(t))
	tooOld, _ := h.users.Keys.nonce(noon.Add(-24*time.Hour), 1, loadToken(t))
	nobodys, _ := h.users.Keys.nonce(noon, 0, "")
	forged := valid[:len(valid)-1] + "0"
	if forged == valid {
		forged = valid[:len(valid)-1] + "1"
	}
	right, wrong, none := basicAuth("editor1", h.creds["editor1"]), basicAuth("editor1", "x"), ""
	const badNonce = "403 rest_cookie_invalid_nonce"
	for _, c := range []struct{ cookie, basic, nonce, want string }{
		{valid, none, "", "anonymous"}, {valid, none, nonce, "admin+"}, {valid, none, old, "admin+"}, {valid, none, tooOld, badNonce},
		{valid, none, "x", badNonce}, {valid, none, "empty", badNonce}, {valid, none, nobodys, badNonce},
		{none, none, "", "anonymous"}, {none, none, nobodys, "anonymous+"}, {none, none, "x", badNonce}, {none, none, "empty", badNonce},
		{none, none, nonce, badNonce},
		{forged, none, "", "anonymous"}, {forged, none, nonce, badNonce}, {forged, none, nobodys, "anonymous+"},
		{forged, none, "x", badNonce},
		{valid, right, "", "anonymous"}, {valid, wrong, "", "anonymous"}, {valid, right, nonce, "admin+"}, {valid, wrong, nonce, "admin+"},
		{valid, right, "x", badNonce},
		{none, right, "x", "editor1"}, {none, right, "empty", "editor1"}, {none, right, nobodys, "editor1"},
		{none, wrong, "x", wrongPassword}, {none, wrong, nobodys, wrongPassword},
		{forged, right, "", "editor1"}, {forged, right, "x", "editor1"}, {forged, wrong, "", wrongPassword},
	} {
		header := []string{"Cookie", c.cookie, "Authorization", c.basic}
		if c.nonce != "" {
			header = append(header, "X-WP-Nonce", strings.TrimPrefix(c.nonce, "empty"))
		}
		golden.Equal(t, c, outcome(h.authenticate(header...)), c.want)
	}
	// Without the site's keys, cookies and nonces are ignored.
	for _, keys := range []*Keys{nil, {}, {LoggedInKey: "x"}} {
		h.users.Keys = keys
		for basic, want := range map[string]string{none: "anonymous", right: "editor1", wrong: wrongPassword} {
			for _, n := range []string{nonce, "x"} {
				if got := outcome(h.authenticate("Cookie", valid, "X-WP-Nonce", n, "Authorization", basic)); got != want {
					t.Errorf("no keys: %s, want %s", got, want)
				}
			}
		}
	}
}

func loadToken(t testing.TB) string {
	o, _ := loadObserved(t)
	return o.Cases[0].Token
}

// TestLoginEnds checks that a login ends when it expires, and when its session, the user's password or the user is
// gone.
func TestLoginEnds(t *testing.T) {
	h := newFixture(t)
	cookie, nonce := h.login()
	ask := func() string { return outcome(h.authenticate("Cookie", cookie, "X-WP-Nonce", nonce)) }
	const out = "403 rest_cookie_invalid_nonce"
	for about, statement := range map[string]string{
		"the session is gone":     "DELETE FROM wp_usermeta WHERE user_id = 1 AND meta_key = 'session_tokens'",
		"all sessions ended":      "UPDATE wp_usermeta SET meta_value = 'a:0:{}' WHERE user_id = 1 AND meta_key = 'session_tokens'",
		"a new password":          "UPDATE wp_users SET user_pass = '$wp$2y$10$new' WHERE ID = 1",
		"another name":            "UPDATE wp_users SET user_login = 'root' WHERE ID = 1",
		"the sessions are broken": "UPDATE wp_usermeta SET meta_value = 'x' WHERE user_id = 1 AND meta_key = 'session_tokens'",
	} {
		h.login()
		if got := ask(); got != "admin+" {
			t.Fatalf("before: %s", got)
		}
		h.exec(statement)
		golden.Equal(t, about, ask(), out)
		h.exec("UPDATE wp_users SET user_login = 'admin', user_pass = ? WHERE ID = 1",
			"$wp$2y$10$fcGkQjVosL45QX.tMC5c9.m82HkNmpPur4BbIWDZZZGCnvhbh5uAK")
	}
	cookie, _ = h.login()
	o, _ := loadObserved(t)
	h.exec("UPDATE wp_usermeta SET meta_value = ? WHERE user_id = 1 AND meta_key = 'session_tokens'",
		phpval.Serialize(array(o.Cases[0].SessionKey, o.Cases[0].Expiration+7200)))
	h.now = time.Unix(o.Cases[0].Expiration+1800, 0)
	nonce, _ = h.users.Keys.nonce(h.now, 1, loadToken(t))
	for method, want := range map[string]string{"GET": out, "PUT": out, "POST": "admin+"} {
		r := request(stranger, false, "Cookie", cookie, "X-WP-Nonce", nonce)
		r.Method = method
		if got := outcome(h.send(r)); got != want {
			t.Errorf("%s half an hour late: %s", method, got)
		}
	}
}

// TestNonceOfAForm checks that the nonce for a cookie is also accepted in the query and in a form.
func TestNonceOfAForm(t *testing.T) {
	h := newFixture(t)
	cookie, nonce := h.login()
	r := httptest.NewRequest(http.MethodPost, "/?_wpnonce=wrong", nil)
	r.Header.Set("Cookie", cookie)
	p, headers, err := h.users.Authenticate(settled(t.Context(), h), r, func(name string) (string, bool) {
		return nonce, name == "_wpnonce"
	})
	if got := outcome(p, headers, err); got != "admin+" || headers[0].Value != nonce || p.UserID != 1 ||
		!p.Can("edit_others_tribe_events") {
		t.Errorf("%s, %v", got, headers)
	}
	r = httptest.NewRequest(http.MethodGet, "/?_wpnonce="+url.QueryEscape(nonce), nil)
	r.Header.Set("Cookie", cookie)
	r.Header.Set("X-WP-Nonce", "wrong")
	if got := outcome(h.send(r)); got != "admin+" {
		t.Error(got)
	}
}

// TestStatements checks that neither the response nor the number of statements reveals whether a user exists.
func TestStatements(t *testing.T) {
	h := newFixture(t)
	h.change(5, func(list *phpval.Array) { list.Delete(phpval.IntKey(0)) })
	h.exec("DELETE FROM wp_usermeta WHERE user_id = 4 AND meta_key = '_application_passwords'")
	count := func(about, want string, statements int, header ...string) {
		t.Helper()
		h.counter.Reset()
		got := outcome(h.authenticate(header...))
		if got != want || len(h.counter.Statements()) != statements || h.counter.Transactions().Begun != 0 {
			t.Errorf("%s: %s, %q", about, got, h.counter.Statements())
		}
	}
	count("right", "admin", 1, "Authorization", basicAuth("admin", h.creds["admin"]))
	count("right, by address", "admin", 1, "Authorization", basicAuth("admin@example.org", h.creds["admin"]))
	count("wrong", wrongPassword, 1, "Authorization", basicAuth("admin", "x"))
	count("wrong, by address", wrongPassword, 1, "Authorization", basicAuth("admin@example.org", "x"))
	count("unknown", wrongPassword, 1, "Authorization", basicAuth("nobody", "x"))
	count("unknown address", wrongPassword, 1, "Authorization", basicAuth("nobody@example.org", "x"))
	count("no password left", wrongPassword, 1, "Authorization", basicAuth("sub1", h.creds["sub1"]))
	count("no row", wrongPassword, 1, "Authorization", basicAuth("contrib1", h.creds["contrib1"]))
	count("no name", wrongPassword, 1, "Authorization", basicAuth("", "x"))
	count("nobody", "anonymous", 0)
	count("another scheme", "anonymous", 0, "Authorization", "Bearer x")
	cookie, nonce := h.login()
	count("cookie", "admin+", 1, "Cookie", cookie, "X-WP-Nonce", nonce)
	count("cookie alone", "anonymous", 0, "Cookie", cookie)
	count("cookie and password", "anonymous", 1, "Cookie", cookie, "Authorization", basicAuth("admin", "x"))
	count("expired cookie", "403 rest_cookie_invalid_nonce", 0, "Cookie", cookieName("http://site.test")+"=admin%7C1%7Ct%7Cm", "X-WP-Nonce",
		nonce)
	count("cookie of nobody", "403 rest_cookie_invalid_nonce", 1, "Cookie", cookieName("http://site.test")+"=nobody%7C2145916800%7Ct%7Cm",
		"X-WP-Nonce", nonce)
	count("cookie without a name", "403 rest_cookie_invalid_nonce", 1, "Cookie", cookieName("http://site.test")+"=%7C2145916800%7Ct%7Cm",
		"X-WP-Nonce", nonce)
}

// TestLimited checks that beyond the limit no password is checked, not even the right one.
func TestLimited(t *testing.T) {
	h := newFixture(t)
	right, wrong := basicAuth("admin", h.creds["admin"]), basicAuth(" ADMIN", "x")
	for i := range 10 {
		if got := outcome(h.authenticate("Authorization", wrong)); got != wrongPassword {
			t.Fatalf("%d: %s", i, got)
		}
	}
	h.now = h.now.Add(90 * time.Second)
	h.counter.Reset()
	for _, header := range []string{right, wrong} {
		p, headers, err := h.authenticate("Authorization", header)
		if got := outcome(p, headers, err); got != "429 rest_too_many_attempts" {
			t.Fatal(got)
		}
		if after := err.(*apierror.Error).RetryAfter; after != 210 {
			t.Error(after)
		}
	}
	if len(h.counter.Statements()) != 0 {
		t.Errorf("%q", h.counter.Statements())
	}
	golden.Equal(t, "from elsewhere", outcome(h.send(request("203.0.113.5:1", false, "Authorization", right))), "admin")
	golden.Equal(t, "another user", outcome(h.authenticate("Authorization", basicAuth("editor1", h.creds["editor1"]))), "editor1")
	cookie, nonce := h.login()
	golden.Equal(t, "with a cookie", outcome(h.authenticate("Authorization", wrong, "Cookie", cookie, "X-WP-Nonce", nonce)), "admin+")
	h.now = h.now.Add(210 * time.Second)
	golden.Equal(t, "later", outcome(h.authenticate("Authorization", right)), "admin")
	log := h.log.String()
	if strings.Count(log, "level=WARN") != 10 || strings.Count(log, `password or user" user=admin client=198.51.100.7`) != 9 ||
		strings.Count(log, "too many wrong passwords") != 1 {
		t.Errorf("warnings:\n%s", log)
	}
}

// TestDatabaseFails checks that a failure of the database neither counts as a wrong password nor makes the caller
// anonymous.
func TestDatabaseFails(t *testing.T) {
	h := newFixture(t)
	cookie, nonce := h.login()
	broken := errors.New("broken")
	for range 12 {
		for _, header := range [][]string{
			{"Authorization", basicAuth("admin", h.creds["admin"])}, {"Authorization", basicAuth("admin", "x")},
			{"Cookie", cookie, "X-WP-Nonce", nonce}, {"Cookie", cookie, "Authorization", basicAuth("admin", "x")},
		} {
			h.counter.Reset()
			h.counter.FailAt(1, broken)
			if p, _, err := h.authenticate(header...); !errors.Is(err, broken) || !p.Anonymous() {
				t.Fatalf("%+v, %v", p, err)
			}
		}
	}
	h.counter.Reset()
	golden.Equal(t, "afterwards", outcome(h.authenticate("Authorization", basicAuth("admin", h.creds["admin"]))), "admin")
	if _, err := h.users.Capabilities(settled(t.Context(), h), 77); !errors.Is(err, ErrUnknownUser) {
		t.Error(err)
	}
	h.counter.FailAt(1, broken)
	h.counter.Reset()
	h.counter.FailAt(1, broken)
	if _, err := h.users.Capabilities(settled(t.Context(), h), 2); !errors.Is(err, broken) || errors.Is(err, ErrUnknownUser) {
		t.Error(err)
	}
}

func TestCapabilitiesOfAHostsUser(t *testing.T) {
	h := newFixture(t)
	c, err := h.users.Capabilities(settled(t.Context(), h), 3)
	if err != nil || !c["publish_tribe_events"] || c["edit_others_tribe_events"] || len(h.counter.Statements()) != 1 {
		t.Errorf("%v %v", c, err)
	}
	h.exec("DELETE FROM wp_usermeta WHERE user_id = 3 AND meta_key = 'wp_capabilities'")
	if c, err = h.users.Capabilities(settled(t.Context(), h), 3); err != nil || c == nil || len(c) != 0 {
		t.Errorf("no row: %v %v", c, err)
	}
	p, _, err := h.authenticate("Authorization", basicAuth("author1", h.creds["author1"]))
	if err != nil || p.UserID != 3 || p.Capabilities == nil || p.Can("read") {
		t.Errorf("no row: %+v %v", p, err)
	}
}

// TestRequestEnds checks that the end of the request also ends waiting for the database.
func TestRequestEnds(t *testing.T) {
	h := newFixture(t)
	reached, release := h.counter.BlockAt(1)
	defer release()
	ctx, cancel := context.WithCancel(settled(t.Context(), h))
	go func() { <-reached; cancel() }()
	r := request(stranger, true, "Authorization", basicAuth("admin", "x"))
	if _, _, err := h.users.Authenticate(ctx, r, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
