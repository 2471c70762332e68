package hosts_test

import (
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// secrets contains the secrets of the site, with which WordPress signs cookies and nonces.
var secrets = calendar.SiteKeys{LoggedInKey: "key 1", LoggedInSalt: "salt 1", NonceKey: "key 2", NonceSalt: "salt 2"}

func signed(algorithm func() hash.Hash, key, message string) string {
	mac := hmac.New(algorithm, []byte(key))
	mac.Write([]byte(message))
	return hex.EncodeToString(mac.Sum(nil))
}

// browser logs a user in to wp-admin: it returns the cookie, and the nonce that admin pages contain.
func browser(t *testing.T, s *calendartest.Site, id int64) (cookie, nonce string) {
	t.Helper()
	var login, password, home string
	get := func(to any, query string, args ...any) {
		t.Helper()
		must.Succeed(t, s.DB.NewRaw(query, args...).Scan(t.Context(), to))
	}
	get(&login, "SELECT user_login FROM wp_users WHERE ID = ?", id)
	get(&password, "SELECT user_pass FROM wp_users WHERE ID = ?", id)
	get(&home, "SELECT option_value FROM wp_options WHERE option_name = 'siteurl'")
	token, until := fmt.Sprint("token of ", id), s.Clock.Now().AddDate(0, 0, 2).Unix()
	sum := sha256.Sum256([]byte(token))
	must.Get(s.DB.NewRaw("INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (?, 'session_tokens', ?)", id,
		fmt.Sprintf(`a:1:{s:64:"%x";a:1:{s:10:"expiration";i:%d;}}`, sum, until)).Exec(t.Context()))(t)
	fragment := password[max(0, len(password)-4):]
	if strings.HasPrefix(password, "$P$") || strings.HasPrefix(password, "$2y$") {
		fragment = password[8:12]
	}
	expiration := strconv.FormatInt(until, 10)
	key := signed(md5.New, secrets.LoggedInKey+secrets.LoggedInSalt, strings.Join([]string{login, fragment, expiration, token}, "|"))
	mac := signed(sha256.New, key, strings.Join([]string{login, expiration, token}, "|"))
	cookie = fmt.Sprintf("wordpress_logged_in_%x=%s", md5.Sum([]byte(home)),
		url.PathEscape(strings.Join([]string{login, expiration, token, mac}, "|")))
	return cookie, nonceOf(s, id, token)
}

func nonceOf(s *calendartest.Site, id int64, token string) string {
	return nonceFor("wp_rest", s, id, token)
}

func nonceFor(action string, s *calendartest.Site, id int64, token string) string {
	tick := (s.Clock.Now().Unix() + 43199) / 43200
	sum := signed(md5.New, secrets.NonceKey+secrets.NonceSalt, fmt.Sprintf("%d|%s|%d|%s", tick, action, id, token))
	return sum[len(sum)-12 : len(sum)-2]
}

// changedPart returns a cookie with one part replaced: part 0 is the login, 1 the expiration, 2 the token and 3 the
// signature.
func changedPart(cookie string, part int, change func(string) string) string {
	name, value, _ := strings.Cut(cookie, "=")
	value, _ = url.PathUnescape(value)
	parts := strings.Split(value, "|")
	parts[part] = change(parts[part])
	return name + "=" + url.PathEscape(strings.Join(parts, "|"))
}

// TestCookieWrites checks that a write with a cookie needs the nonce of the cookie's session, whatever the form of a
// request that another site could make a browser send: a form, plain text, a method in the query, a batch. A cookie
// without its nonce is ignored, and no answer shows the nonce to a client that does not have it.
func TestCookieWrites(t *testing.T) {
	s := calendartest.New(t, func(o *calendar.Options) {
		o.Login.Keys, o.Cache.Tags = secrets, calendar.SurrogateKey
		o.Login.CredentialOrigins = []string{"https://app.example.org"}
		o.Routes = []calendar.Route{{
			Method: "POST", Path: "/whoami", Description: "Says who calls.",
			Handle: func(_ context.Context, r *calendar.RouteRequest) (any, error) {
				return "(" + r.Principal.Login + ")", nil
			},
		}}
	})
	admin, nonce := browser(t, s, calendartest.AdministratorID)
	subscriber, ownNonce := browser(t, s, calendartest.SubscriberID)
	event := fmt.Sprint("/events/", calendartest.EventJazz)
	const form, text, json = "application/x-www-form-urlencoded", "text/plain", "application/json"
	type write struct{ method, path, kind, body string }
	writes := []write{
		{"POST", "/tags", form, "name=Forged"}, {"POST", "/tags", json, `{"name":"Forged"}`}, {"POST", "/tags?name=Forged", text, `{}`},
		{"POST", event, form, "title=Forged"}, {"PUT", event, json, `{"title":"Forged"}`}, {"PATCH", event, json, `{"title":"Forged"}`},
		{"POST", event + "?_method=PATCH", form, "title=Forged"}, {"POST", event + "?_method=DELETE&force=true", form, "a=b"},
		{"DELETE", event, "", ""},
		{"POST", "/batch", json, `{"atomic":true,"requests":[{"path":"/tags","body":{"name":"Forged"}}]}`},
		{"POST", "/batch", json, `{"atomic":true,"requests":[{"path":"/tags?_wpnonce=` + nonce + `","body":{"name":"Forged"},` +
			`"headers":{"X-WP-Nonce":"` + nonce + `"}}]}`},
	}
	state := func() string {
		_, tags := sendRequest(t, s, "", "GET", "/tags?hide_empty=false", "")
		_, shown := sendRequest(t, s, "", "GET", event+"?_fields=title,status", "")
		return tags + shown
	}
	before, token := state(), fmt.Sprint("token of ", calendartest.AdministratorID)
	other := func(text string) string { return text + "0" }
	for _, credentials := range []struct {
		about, cookie, nonce string
		status               []int
	}{
		{"a cookie alone", admin, "", []int{401, 400}},
		{"an invented nonce", admin, "0123456789", []int{403}},
		{"an empty nonce", admin, " ", []int{403}},
		{"the nonce of a stranger", admin, nonceOf(s, 0, ""), []int{403}},
		{"the nonce of another user", admin, ownNonce, []int{403}},
		{"the nonce of another session", admin, nonceOf(s, calendartest.AdministratorID, "another"), []int{403}},
		{"the nonce of another action", admin, nonceFor("update-post", s, calendartest.AdministratorID, token), []int{403}},
		{"a nonce alone", "", nonce, []int{403}},
		{"another login", changedPart(subscriber, 0, func(string) string { return calendartest.Administrator }), ownNonce, []int{403}},
		{"a later end", changedPart(admin, 1, func(end string) string { return "9" + end }), nonce, []int{403}},
		{"another token", changedPart(admin, 2, other), nonce, []int{403}},
		{"another signature", changedPart(admin, 3, other), nonce, []int{403}},
		{"no signature", changedPart(admin, 3, func(string) string { return "" }), nonce, []int{403}},
		{"the cookie twice, the first forged", changedPart(admin, 3, other) + "; " + admin, nonce, []int{403}},
		{"a subscriber", subscriber, ownNonce, []int{403, 409, 400}},
	} {
		for _, w := range writes {
			for _, origin := range []string{"", "https://evil.example", "https://app.example.org"} {
				header := []string{"Content-Type", w.kind, "Cookie", credentials.cookie}
				if credentials.nonce != "" {
					header = append(header, "X-WP-Nonce", strings.TrimSpace(credentials.nonce))
				}
				answer := sendRaw(t, s, w.method, w.path, w.body, append(header, "Origin", origin)...)
				ok := false
				for _, status := range credentials.status {
					ok = ok || answer.StatusCode == status
				}
				if !ok || answer.Header.Get("X-WP-Nonce") != "" && credentials.cookie != subscriber {
					t.Errorf("%s from %q: %v: %d %v", credentials.about, origin, w, answer.StatusCode, answer.Header)
				}
				allowed := answer.Header.Get("Access-Control-Allow-Credentials")
				if (allowed != "") != (origin == "https://app.example.org") {
					t.Errorf("%s from %q: credentials %q", credentials.about, origin, allowed)
				}
			}
		}
	}
	if got := state(); got != before {
		t.Fatalf("afterwards %s, before %s", got, before)
	}
	for _, get := range []string{event + "?_method=DELETE", event + "?force=true&_method=DELETE&_wpnonce=" + nonce} {
		answer := sendRaw(t, s, "GET", get, "", "Cookie", admin, "X-WP-Nonce", nonce, "X-HTTP-Method-Override", "DELETE")
		if answer.StatusCode < 400 {
			t.Errorf("GET %s: %d", get, answer.StatusCode)
		}
	}
	for header, want := range map[string]string{"": `"()"`, nonce: `"(anna)"`} {
		header := []string{"X-WP-Nonce", header, "Cookie", admin}
		if header[1] == "" {
			header = header[2:]
		}
		if answer := sendRaw(t, s, "POST", "/whoami", "", header...); answer.Body != want {
			t.Errorf("a route, %v: %s", header, answer.Body)
		}
	}
	read := sendRaw(t, s, "GET", event, "", "Cookie", admin, "X-WP-Nonce", nonce)
	if read.Header.Get("X-WP-Nonce") != nonce || read.Header.Get("Surrogate-Key") != "" || read.StatusCode != 200 {
		t.Errorf("a read with a nonce: %d %v", read.StatusCode, read.Header)
	}
	if got := state(); got != before {
		t.Fatalf("afterwards %s, before %s", got, before)
	}
	for _, w := range []write{
		{"POST", "/tags", form, "name=Header"}, {"POST", "/tags", form, "name=Form&_wpnonce=" + nonce},
		{"POST", "/tags?_wpnonce=" + nonce, json, `{"name":"Query"}`}, {"PATCH", event, json, `{"title":"By cookie"}`},
		{"POST", event + "?_method=DELETE", form, "a=b"},
	} {
		header := []string{"Content-Type", w.kind, "Cookie", admin}
		if !strings.Contains(w.path+w.body, nonce) {
			header = append(header, "X-WP-Nonce", nonce)
		}
		if answer := sendRaw(t, s, w.method, w.path, w.body, header...); answer.StatusCode >= 300 {
			t.Errorf("with the nonce: %s %s %s: %d %s", w.method, w.path, w.body, answer.StatusCode, answer.Body)
		}
	}
	if got := state(); !strings.Contains(got, "query") || !strings.Contains(got, "form") || !strings.Contains(got, "header") {
		t.Errorf("written: %s", got)
	}
}

// received is an answer whose body was read.
type received struct {
	*http.Response
	Body string
}

// sendRaw sends a request unchanged, without a login.
func sendRaw(t *testing.T, s *calendartest.Site, method, path, body string, header ...string) received {
	t.Helper()
	return sendBy(t, s.Client(), s, method, path, body, header...)
}

// sendBy sends a request by a client.
func sendBy(t *testing.T, client *http.Client, s *calendartest.Site, method, path, body string, header ...string) received {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body)))(t)
	for i := 0; i+1 < len(header); i += 2 {
		if header[i+1] != "" || header[i] == "X-WP-Nonce" {
			r.Header.Set(header[i], header[i+1])
		}
	}
	answer := must.Get(client.Do(r))(t)
	defer answer.Body.Close()
	read := must.Get(io.ReadAll(answer.Body))(t)
	return received{answer, string(read)}
}
