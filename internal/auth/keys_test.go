package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// observed contains cookies and nonces that a WordPress site made.
type observed struct {
	Keys struct {
		LoggedInKey  string `json:"logged_in_key"`
		LoggedInSalt string `json:"logged_in_salt"`
		NonceKey     string `json:"nonce_key"`
		NonceSalt    string `json:"nonce_salt"`
	}
	SiteURL    string `json:"site_url"`
	CookieName string `json:"cookie_name"`
	Cases      []struct {
		UserID     int64  `json:"user_id"`
		UserPass   string `json:"user_pass"`
		UserLogin  string `json:"user_login"`
		Token      string
		Expiration int64
		SessionKey string `json:"session_key"`
		Cookie     string
		NonceAt    int64 `json:"nonce_at"`
		Nonce      string
	}
	Anonymous struct {
		NonceAt int64 `json:"nonce_at"`
		Nonce   string
	} `json:"anonymous_nonce"`
}

func loadObserved(t testing.TB) (o observed, keys *Keys) {
	t.Helper()
	raw := must.Get(os.ReadFile("testdata/auth-cookie.json"))(t)
	if err := json.Unmarshal(raw, &o); err != nil || len(o.Cases) != 4 {
		t.Fatalf("%d cases, %v", len(o.Cases), err)
	}
	return o, &Keys{o.Keys.LoggedInKey, o.Keys.LoggedInSalt, o.Keys.NonceKey, o.Keys.NonceSalt}
}

func TestObservedCookies(t *testing.T) {
	o, keys := loadObserved(t)
	if got := cookieName(o.SiteURL); got != o.CookieName {
		t.Errorf("%s, want %s", got, o.CookieName)
	}
	for i, v := range o.Cases {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", "a=b; "+o.CookieName+"="+url.QueryEscape(v.Cookie)+"; c=d")
		c, ok := readCookie(r, o.SiteURL)
		if !ok || c.login != v.UserLogin || c.token != v.Token || c.expiration != strconv.FormatInt(v.Expiration, 10) {
			t.Fatalf("case %d: %+v, %v", i, c, ok)
		}
		golden.Equal(t, i, keys.cookieMAC(c, v.UserPass), c.mac)
		for _, other := range []string{"", "abc", "$2y$10$" + strings.Repeat("z", 53)} {
			if keys.cookieMAC(c, other) == c.mac {
				t.Errorf("case %d: the cookie outlives a new password", i)
			}
		}
		at := time.Unix(v.NonceAt, 0)
		if current, _ := keys.nonce(at, v.UserID, v.Token); current != v.Nonce {
			t.Errorf("case %d: nonce %s, want %s", i, current, v.Nonce)
		}
		session := phpval.Serialize(array(v.SessionKey, v.NonceAt+1))
		if !c.hasSession(session, at) {
			t.Errorf("case %d: no session", i)
		}
	}
	if current, _ := keys.nonce(time.Unix(o.Anonymous.NonceAt, 0), 0, ""); current != o.Anonymous.Nonce {
		t.Errorf("nonce of nobody: %s", current)
	}
}

// TestFragment checks that the MAC depends on a part from the middle of the password hash for two older formats.
func TestFragment(t *testing.T) {
	_, keys := loadObserved(t)
	c := cookie{"me", "1", "t", ""}
	golden.Each(t, "fragments.txt", func(a, b string, same bool) {
		if got := keys.cookieMAC(c, a) == keys.cookieMAC(c, b); got != same {
			t.Errorf("%s and %s: %v", a, b, got)
		}
	})
}

func TestNonceTicks(t *testing.T) {
	_, keys := loadObserved(t)
	made := time.Unix(nonceTick*41557-nonceTick+1, 0) // the start of a tick
	given, _ := keys.nonce(made, 7, "token")
	for after, want := range map[time.Duration]bool{
		0: true, 12*time.Hour - time.Second: true, 12 * time.Hour: true, 24*time.Hour - time.Second: true, 24 * time.Hour: false,
		-time.Second: false, 36 * time.Hour: false,
	} {
		fresh, ok := keys.accepts(given, made.Add(after), 7, "token")
		if ok != want {
			t.Errorf("after %s: %v", after, ok)
		}
		if current, _ := keys.nonce(made.Add(after), 7, "token"); fresh != current || len(fresh) != 10 {
			t.Errorf("after %s: fresh %s", after, fresh)
		}
	}
	for _, wrong := range []string{"", "0", given[:9], given + "0", strings.ToUpper(given) + "x"} {
		if _, ok := keys.accepts(wrong, made, 7, "token"); ok {
			t.Errorf("%q is accepted", wrong)
		}
	}
	if _, ok := keys.accepts(given, made, 8, "token"); ok {
		t.Error("accepted of another user")
	}
	if _, ok := keys.accepts(given, made, 7, "other"); ok {
		t.Error("accepted in another session")
	}
}

func TestExpired(t *testing.T) {
	until := strconv.FormatInt(noon.Unix(), 10)
	for _, c := range []struct {
		expiration, method string
		after              time.Duration
		expired            bool
	}{
		{until, "GET", 0, false}, {until, "GET", time.Second, true}, {until, "POST", time.Hour, false},
		{until, "POST", time.Hour + time.Second, true},
		{until, "PUT", time.Second, true}, {until, "DELETE", time.Second, true}, {"", "GET", 0, true}, {"x", "GET", 0, true},
		{until + "x", "GET", 0, true}, {"99999999999999999999", "GET", 0, true}, {"-9223372036854775808", "POST", 0, true},
	} {
		r := httptest.NewRequest(c.method, "/", nil)
		golden.Equal(t, c, (cookie{expiration: c.expiration}).expired(r, noon.Add(c.after)), c.expired)
	}
}

func TestHasSession(t *testing.T) {
	sum := sha256.Sum256([]byte("token"))
	key, now := hex.EncodeToString(sum[:]), noon.Unix()
	c := cookie{token: "token"}
	for about, s := range map[string]struct {
		stored string
		want   bool
	}{
		"an array": {phpval.Serialize(array("other", 1, key, array("expiration", now+1, "ip", "::1", "ua", "x", "login", 5))),
			true},
		"its last second":    {phpval.Serialize(array(key, array("expiration", now))), true},
		"expired":            {phpval.Serialize(array(key, array("expiration", now-1))), false},
		"a number":           {phpval.Serialize(array(key, now)), true},
		"a number, expired":  {phpval.Serialize(array(key, now-1)), false},
		"a text":             {phpval.Serialize(array(key, strconv.FormatInt(now+5, 10))), false},
		"an array, a text":   {phpval.Serialize(array(key, array("expiration", strconv.FormatInt(now+5, 10)))), true},
		"without expiration": {phpval.Serialize(array(key, array("login", now+5))), false},
		"another session":    {phpval.Serialize(array("x"+key[1:], now+5)), false},
		"no sessions":        {"a:0:{}", false}, "no row": {"", false}, "garbage": {"a:1:{", false}, "no array": {"i:5;", false},
		"null": {phpval.Serialize(array(key, nil)), false},
	} {
		golden.Equal(t, about, c.hasSession(s.stored, noon), s.want)
	}
}

func TestReadCookie(t *testing.T) {
	name := cookieName("http://site.test")
	for value, want := range map[string]bool{
		"a%7C1%7Ct%7Cm": true, "a|1|t|m": true, "a+b%7C1%7Ct%7Cm": true, "": false, "a|1|t": false, "a|1|t|m|x": false, "%zz|1|t|m": false,
		"|||": true,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", name+"="+value)
		if c, ok := readCookie(r, "http://site.test"); ok != want || ok && strings.Contains(value, "+") && c.login != "a+b" {
			t.Errorf("%q: %+v %v", value, c, ok)
		}
		if _, ok := readCookie(r, "http://other.test"); ok {
			t.Errorf("%q: taken from another site", value)
		}
	}
}

func TestReadNonce(t *testing.T) {
	for _, c := range []struct {
		form, query, header string
		want                nonce
	}{
		{"", "", "", nonce{}}, {"f", "_wpnonce=q", "h", nonce{"f", true}}, {"", "a=b&_wpnonce=q", "h", nonce{"q", true}},
		{"", "", "h", nonce{"h", true}},
		{"", "_wpnonce=", "h", nonce{"", true}}, {"", "_wpnonce", "", nonce{"", true}}, {"", "", "-", nonce{"", true}},
		{"", "_wpnonce[]=q", "h", nonce{"", true}}, {"", "%5fwpnonce=q", "", nonce{"q", true}},
	} {
		r := httptest.NewRequest(http.MethodGet, "/?"+c.query, nil)
		if c.header != "" {
			r.Header.Set("X-WP-Nonce", strings.Trim(c.header, "-"))
		}
		form := func(name string) (string, bool) {
			if name != "_wpnonce" {
				t.Errorf("field %s", name)
			}
			return c.form, c.form != ""
		}
		golden.Equal(t, c, readNonce(r, form), c.want)
		if got := readNonce(r, nil); c.form == "" && got != c.want {
			t.Errorf("%+v without a form: %+v", c, got)
		}
	}
}

func TestKeysAreComplete(t *testing.T) {
	for _, c := range []struct {
		keys *Keys
		want bool
	}{{nil, false}, {&Keys{}, false}, {&Keys{"a", "b", "c", ""}, false}, {&Keys{"", "b", "c", "d"}, false},
		{&Keys{"a", "", "c", "d"}, false}, {&Keys{"a", "b", "", "d"}, false}, {&Keys{"a", "b", "c", "d"}, true}} {
		if c.keys.Complete() != c.want {
			t.Errorf("%v: %v", c.keys, !c.want)
		}
	}
	secret := Keys{"secret", "secret", "secret", "secret"}
	got := fmt.Sprintf("%v %+v %#v %s %v", secret, &secret, secret, &secret, struct{ K *Keys }{&secret})
	if strings.Contains(got, "secret") || secret.LogValue().String() != "keys" {
		t.Error(got)
	}
}

func FuzzCookie(f *testing.F) {
	o, keys := loadObserved(f)
	f.Add(url.QueryEscape(o.Cases[0].Cookie), "a:0:{}", o.Cases[0].UserPass)
	f.Add("a|1|t|m", `a:1:{s:1:"x";a:1:{s:10:"expiration";d:NAN;}}`, "$P$")
	f.Fuzz(func(t *testing.T, value, sessions, hash string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", o.CookieName+"="+value)
		if c, ok := readCookie(r, o.SiteURL); ok {
			c.expired(r, noon)
			c.hasSession(sessions, noon)
			if keys.cookieMAC(c, hash) == c.mac && !strings.Contains(value, o.Cases[0].UserLogin) {
				t.Errorf("forged: %q", value)
			}
		}
	})
}
