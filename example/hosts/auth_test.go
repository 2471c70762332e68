package hosts_test

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/hosts"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// provider is an OpenID provider with one signing key.
type provider struct {
	*httptest.Server
	key  *rsa.PrivateKey
	down bool
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	key := must.Get(rsa.GenerateKey(rand.Reader, 2048))(t)
	p := &provider{key: key}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		answer := map[string]any{"issuer": p.URL, "jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"}}
		if r.URL.Path == "/keys" {
			if p.down {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			answer = map[string]any{"keys": []any{map[string]any{
				"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "one",
				"n": base64Part(key.N.Bytes()), "e": base64Part(big.NewInt(int64(key.E)).Bytes()),
			}}}
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(p.Close)
	return p
}

func base64Part(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// token returns a token with changed header and claims, signed with a key.
func (p *provider) token(t *testing.T, key *rsa.PrivateKey, change func(header, claims map[string]any)) string {
	t.Helper()
	header := map[string]any{"alg": "RS256", "kid": "one"}
	claims := map[string]any{"iss": p.URL, "aud": "calendar", "sub": "248289761001", "exp": time.Now().Add(time.Hour).Unix()}
	if change != nil {
		change(header, claims)
	}
	h := must.Get(json.Marshal(header))(t)
	c := must.Get(json.Marshal(claims))(t)
	signed := base64Part(h) + "." + base64Part(c)
	if header["alg"] == "none" {
		return signed + "."
	}
	sum := sha256.Sum256([]byte(signed))
	signature := must.Get(rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:]))(t)
	return signed + "." + base64Part(signature)
}

// requestDraft requests a draft, and returns the status and the body of the answer.
func requestDraft(s *calendartest.Site, change func(r *http.Request)) (int, string) {
	path := fmt.Sprintf("/wp-json/vendor/events/v1/events/%d?_fields=title", calendartest.EventWalk)
	r, w := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
	change(r)
	s.Handler.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// An ID token authenticates its user if the provider signed it for this host and it has not expired. If the provider
// does not answer, the token does not count as wrong.
func TestOIDC(t *testing.T) {
	p := newProvider(t)
	find := func(_ context.Context, subject string) (int64, error) {
		switch subject {
		case "248289761001":
			return calendartest.EditorID, nil
		case "unknown":
			return 0, nil
		}
		return 0, errors.New("the directory does not answer")
	}
	authenticator := must.Get(hosts.NewOIDC(t.Context(), p.URL, "calendar", find))(t)
	s := calendartest.New(t, func(o *calendar.Options) { o.Authenticator = authenticator })
	bearer := func(token string) (int, string) {
		return requestDraft(s, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) })
	}
	claim := func(name string, value any) func(_, claims map[string]any) {
		return func(_, claims map[string]any) { claims[name] = value }
	}
	p.down = true
	right := p.token(t, p.key, nil)
	if status, body := bearer(right); status != 503 || !strings.Contains(body, "rest_login_unavailable") || strings.Contains(body, "keys") {
		t.Errorf("without the provider's keys: %d %s", status, body)
	}
	p.down = false
	if status, body := bearer(right); status != 200 || !strings.Contains(body, "Autumn Walk") {
		t.Fatalf("a right token: %d %s", status, body)
	}
	other := must.Get(rsa.GenerateKey(rand.Reader, 2048))(t)
	parts := strings.Split(right, ".")
	for name, token := range map[string]string{
		"no token":           "",
		"nonsense":           "a.b.c",
		"expired":            p.token(t, p.key, claim("exp", time.Now().Add(-time.Hour).Unix())),
		"of another issuer":  p.token(t, p.key, claim("iss", "https://other.example")),
		"for another client": p.token(t, p.key, claim("aud", "shop")),
		"of another key":     p.token(t, other, nil),
		"without signature":  p.token(t, p.key, func(header, _ map[string]any) { header["alg"] = "none" }),
		"a shared secret":    p.token(t, p.key, func(header, _ map[string]any) { header["alg"] = "HS256" }),
		"changed claims":     parts[0] + "." + strings.Split(p.token(t, other, claim("sub", "1")), ".")[1] + "." + parts[2],
		"an unknown user":    p.token(t, p.key, claim("sub", "unknown")),
	} {
		if status, body := bearer(token); status != 401 || !strings.Contains(body, "rest_not_authenticated") {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if status, _ := bearer(p.token(t, p.key, claim("sub", "other"))); status != 503 {
		t.Errorf("without the directory: %d", status)
	}
	if status, _ := requestDraft(s, func(r *http.Request) { r.SetBasicAuth("emma", "secret") }); status != 401 {
		t.Errorf("a password: %d", status)
	}
	if status, _ := requestDraft(s, func(*http.Request) {}); status != 403 {
		t.Errorf("nobody: %d", status)
	}
}

// The header of a reverse proxy is trusted if the request comes from its address and has its secret. A forged header is
// rejected, and so is a request that another origin makes a browser send.
func TestProxy(t *testing.T) {
	proxy := &hosts.Proxy{
		Header: "X-Remote-User", From: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")},
		SecretHeader: "X-Proxy-Secret", Secret: "s3cret",
		Find: func(_ context.Context, name string) (int64, error) {
			switch name {
			case "emma":
				return calendartest.EditorID, nil
			case "down":
				return 0, errors.New("the directory does not answer")
			}
			return 0, nil
		},
	}
	s := calendartest.New(t, func(o *calendar.Options) { o.Authenticator = proxy })
	golden.Each(t, "proxy.txt", func(from, secret string, names []string, want int) {
		status, body := requestDraft(s, func(r *http.Request) {
			r.RemoteAddr, r.Header["X-Remote-User"] = from, names
			r.Header.Set("X-Proxy-Secret", secret)
		})
		if status != want {
			t.Errorf("%s %q %q: %d %s", from, secret, names, status, body)
		}
	})
	for site, want := range map[string]int{"": 200, "same-origin": 200, "cross-site": 401} {
		r := httptest.NewRequest("DELETE", fmt.Sprint("/wp-json/vendor/events/v1/tags/", calendartest.TagFree), nil)
		r.RemoteAddr = "10.1.2.3:4711"
		r.Header.Set("X-Remote-User", "emma")
		r.Header.Set("X-Proxy-Secret", "s3cret")
		r.Header.Set("Sec-Fetch-Site", site)
		fresh := s
		if want == 200 {
			fresh = calendartest.New(t, func(o *calendar.Options) { o.Authenticator = proxy })
		}
		w := httptest.NewRecorder()
		if fresh.Handler.ServeHTTP(w, r); w.Code != want {
			t.Errorf("a write of %q: %d %s", site, w.Code, w.Body)
		}
	}
	none := *proxy
	none.From, none.Secret = nil, ""
	s = calendartest.New(t, func(o *calendar.Options) { o.Authenticator = &none })
	if status, _ := requestDraft(s, func(r *http.Request) { r.Header.Set("X-Remote-User", "emma") }); status != 401 {
		t.Errorf("a proxy that nothing tells from others: %d", status)
	}
}
