package hosts_test

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// changedPart returns a cookie of which a part is another one: 0 is the login, 1 the expiration, 2 the token, 3 the signature.
func changedPart(cookie string, part int, change func(string) string) string {
	name, value, _ := strings.Cut(cookie, "=")
	value, _ = url.PathUnescape(value)
	parts := strings.Split(value, "|")
	parts[part] = change(parts[part])
	return name + "=" + url.PathEscape(strings.Join(parts, "|"))
}

// TestCookieWritesEnd: a login of which anything is not as the site made it writes nothing, nor one that has ended: with its time, its
// session, its password, its name, its nonce or the role of its user; and no answer has a nonce with which it could be used again.
func TestCookieWritesEnd(t *testing.T) {
	s := calendartest.New(t, func(o *calendar.Options) { o.Login.Keys = secrets })
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := s.DB.NewRaw(query, args...).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	const id = calendartest.AdministratorID
	admin, nonce := browser(t, s, id)
	subscriber, ownNonce := browser(t, s, calendartest.SubscriberID)
	event := fmt.Sprint("/events/", calendartest.EventJazz)
	began := s.Clock.Now()
	signature := func(name, token string) string { // of the action by the name
		sum := signed(md5.New, secrets.NonceKey+secrets.NonceSalt, fmt.Sprintf("%d|%s|%d|%s", (began.Unix()+43199)/43200, name, id, token))
		return sum[len(sum)-12 : len(sum)-2]
	}
	state := func() string {
		_, tags := send(t, s, "", "GET", "/tags?hide_empty=false", "")
		_, shown := send(t, s, "", "GET", event+"?_fields=title,status", "")
		return tags + shown
	}
	multipart := "--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nForged\r\n--x--\r\n"
	before := state()
	refused := func(about, cookie, nonce string) {
		t.Helper()
		for _, w := range []struct{ method, path, kind, body string }{
			{"POST", "/tags", "application/x-www-form-urlencoded", "name=Forged"},
			{"POST", "/tags", "multipart/form-data; boundary=x", multipart}, {"POST", "/tags?name=Forged", "text/plain", "x"},
			{"PATCH", event, "application/json", `{"title":"Forged"}`}, {"DELETE", event + "?force=true", "", ""},
			{"POST", "/batch", "application/json", `{"requests":[{"path":"/tags","body":{"name":"Forged"}}]}`},
		} {
			answer := raw(t, s, w.method, w.path, w.body, "Content-Type", w.kind, "Cookie", cookie, "X-WP-Nonce", nonce)
			written := answer.StatusCode < 400 && answer.StatusCode != 207
			if written || answer.StatusCode >= 500 || answer.StatusCode == 403 && answer.Header.Get("X-WP-Nonce") != "" &&
				strings.Contains(answer.Body, "rest_cookie_invalid_nonce") {
				t.Errorf("%s: %s %s: %d %v %s", about, w.method, w.path, answer.StatusCode, answer.Header, answer.Body)
			}
		}
		if got := state(); got != before {
			t.Fatalf("%s: afterwards %s, before %s", about, got, before)
		}
	}
	other := func(text string) string { return text + "0" }
	for part, name := range []string{"login", "expiration", "token", "signature"} {
		refused("another "+name, changedPart(admin, part, other), nonce)
		refused("no "+name, changedPart(admin, part, func(string) string { return "" }), nonce)
	}
	refused("the login of another user", changedPart(subscriber, 0, func(string) string { return calendartest.Administrator }), ownNonce)
	refused("a later end", changedPart(admin, 1, func(text string) string {
		at, _ := strconv.ParseInt(text, 10, 64)
		return strconv.FormatInt(at+86400, 10)
	}), nonce)
	refused("the cookie twice, the first forged", changedPart(admin, 3, other)+"; "+admin, nonce)
	refused("the nonce of another action", admin, signature("update-post", "token of "+strconv.Itoa(id)))
	s.Clock.Set(began.Add(25 * time.Hour))
	refused("a nonce of yesterday", admin, nonce)
	s.Clock.Set(began.AddDate(0, 0, 3))
	refused("an expired login", admin, nonceOf(s, id, "token of "+strconv.Itoa(id)))
	s.Clock.Set(began)

	// The role goes while the login lasts: the caller is known, and may do nothing any more.
	exec("UPDATE wp_usermeta SET meta_value = 'a:0:{}' WHERE user_id = ? AND meta_key = 'wp_capabilities'", id)
	refused("a role that was taken", admin, nonce)
	exec(`UPDATE wp_usermeta SET meta_value = 'a:1:{s:13:"administrator";b:1;}' WHERE user_id = ? AND meta_key = 'wp_capabilities'`, id)

	var sessions string
	if err := s.DB.NewRaw("SELECT meta_value FROM wp_usermeta WHERE user_id = ? AND meta_key = 'session_tokens'", id).
		Scan(t.Context(), &sessions); err != nil {
		t.Fatal(err)
	}
	for about, stored := range map[string]string{
		"a session that was ended": "a:0:{}",
		"sessions of others":       fmt.Sprintf(`a:1:{s:64:"%x";i:4000000000;}`, sha256.Sum256([]byte("x"))),
	} {
		exec("UPDATE wp_usermeta SET meta_value = ? WHERE user_id = ? AND meta_key = 'session_tokens'", stored, id)
		refused(about, admin, nonce)
	}
	exec("UPDATE wp_usermeta SET meta_value = ? WHERE user_id = ? AND meta_key = 'session_tokens'", sessions, id)
	var login string
	if err := s.DB.NewRaw("SELECT user_login FROM wp_users WHERE ID = ?", id).Scan(t.Context(), &login); err != nil {
		t.Fatal(err)
	}
	exec("UPDATE wp_users SET user_login = 'renamed' WHERE ID = ?", id)
	refused("a login that was renamed", admin, nonce)
	exec("UPDATE wp_users SET user_login = ? WHERE ID = ?", login, id)
	multipart = strings.Replace(strings.Replace(multipart, "Forged", "By form", 1), "--x--", "--x\r\nContent-Disposition: form-data; "+
		"name=\"_wpnonce\"\r\n\r\n"+nonce+"\r\n--x--", 1)
	answer := raw(t, s, "POST", "/tags", multipart, "Content-Type", "multipart/form-data; boundary=x", "Cookie", admin)
	if answer.StatusCode != 201 {
		t.Errorf("as it was again: %d %s", answer.StatusCode, answer.Body)
	}
	exec("UPDATE wp_users SET user_pass = '$wp$2y$10$fcGkQjVosL45QX.tMC5c9.m82HkNmpPur4BbIWDZZZGCnvhbh5uAK' WHERE ID = ?", id)
	before = state()
	refused("a password that was changed", admin, nonce)
}

// TestHostsReadAsTheirCaller: what a route's handler and a hook read of an item is what the API shows the caller of the request, and
// where that is nothing, they learn no more than the API would say.
func TestHostsReadAsTheirCaller(t *testing.T) {
	var s *calendartest.Site
	var a *asker
	// read returns what a host learns of an event: its title and text, or why not.
	read := func(ctx context.Context, id int64) string {
		e, err := s.Calendar.Event(ctx, id)
		var refused *calendar.Error
		switch {
		case errors.As(err, &refused):
			return fmt.Sprint(refused.Status, " ", refused.Code)
		case err != nil:
			return err.Error()
		}
		return fmt.Sprintf("200 %s: %s", e.Title, e.Description)
	}
	s, a = asked(t, func(o *calendar.Options) {
		o.Cache.Tags = calendar.SurrogateKey
		o.Routes = []calendar.Route{{
			Method: "GET", Path: "/own/{id}", Description: "Shows an event.",
			Params: []calendar.Param{{Name: "id", Type: calendar.FieldInteger, Description: "Its id."}},
			Handle: func(ctx context.Context, r *calendar.RouteRequest) (any, error) { return read(ctx, r.Int("id")), nil },
		}}
	})
	ids := []int64{calendartest.EventJazz, calendartest.EventRehearsal, calendartest.EventMembers, calendartest.EventSlam,
		calendartest.EventWalk, calendartest.EventConcert, calendartest.VenueHall, 999}
	outcomes := map[string]bool{}
	for _, as := range []string{"", calendartest.Subscriber, calendartest.Contributor, calendartest.Author, calendartest.Editor} {
		wants := make([]string, len(ids))
		for i, id := range ids {
			status, body := send(t, s, as, "GET", fmt.Sprint("/events/", id), "")
			var api struct{ Code, Title, Description string }
			if err := json.Unmarshal([]byte(body), &api); err != nil {
				t.Fatal(err)
			}
			wants[i] = fmt.Sprint(status, " ", api.Code)
			if status == http.StatusOK {
				wants[i] = fmt.Sprintf("200 %s: %s", api.Title, api.Description)
			}
			outcomes[strconv.Itoa(status)] = true
			for _, query := range []string{"", "?password=" + url.QueryEscape(calendartest.PostPassword), "?status=draft&context=edit"} {
				_, body := send(t, s, as, "GET", fmt.Sprint("/own/", id, query), "")
				var got string
				if err := json.Unmarshal([]byte(body), &got); err != nil || got != wants[i] {
					t.Errorf("a route as %q, of %d%s: %s, the API: %s", as, id, query, body, wants[i])
				}
			}
		}
		if as == "" || as == calendartest.Subscriber {
			continue // who may write nothing
		}
		called := false
		a.hook = func(ctx context.Context, _ *calendar.Draft) error {
			called = true
			for i, id := range ids {
				if got := read(ctx, id); got != wants[i] {
					t.Errorf("a hook as %q, of %d: %s, the API: %s", as, id, got, wants[i])
				}
			}
			return calendar.ErrForbidden
		}
		send(t, s, as, "POST", "/events", `{"title":"New","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00"}`)
		if !called {
			t.Errorf("the hook was not asked as %q", as)
		}
	}
	if len(outcomes) < 3 {
		t.Errorf("the API answers all with %v", outcomes)
	}
	answer := raw(t, s, "GET", fmt.Sprint("/own/", calendartest.EventJazz), "")
	if answer.Header.Get(calendar.SurrogateKey) != "" || !strings.Contains(answer.Header.Get("Cache-Control"), "no-store") {
		t.Errorf("a cache may keep it: %v", answer.Header)
	}
}
