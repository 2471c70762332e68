package calendar_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// editorPassword is an application password of editor1 on the recorded site.
const editorPassword = "VuVpRV4h7Dasr4z3DxEnTmcH"

func basic(name, password string) header {
	return header{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password))}
}

// local makes requests appear to come from the machine itself, from which passwords are accepted without TLS.
func local(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = "127.0.0.1:4711"
		h.ServeHTTP(w, r)
	})
}

// TestLoginCostsOneStatement checks that a caller and the caller's capabilities are read with one statement, and that
// nothing else is read in addition to what anonymous callers need. No cache may store the answers.
func TestLoginCostsOneStatement(t *testing.T) {
	t.Parallel()
	m := newMeter(t)
	m.handler = local(m.handler)
	auth := basic("editor1", editorPassword)
	send(m.handler, http.MethodGet, "/doc", "", auth) // stores that the password was used, which happens once a day
	for _, path := range []string{wide, "/events/25", "/venues", "/venues/8", "/categories", "/tags", "/"} {
		_, before := m.countStatements(http.MethodGet, path)
		w, after := m.countStatements(http.MethodGet, path, auth.name, auth.value)
		if w.Code != http.StatusOK || len(after) > len(before)+1 {
			t.Errorf("%s: %d, %d statements, %d for strangers\n%s", path, w.Code, len(after), len(before), strings.Join(after, "\n"))
		}
		if w.Header().Get("Cache-Control") == "" || !strings.Contains(w.Header().Get("Cache-Control"), "no-store") {
			t.Errorf("%s may be stored: %v", path, w.Header())
		}
	}
	w, sent := m.countStatements(http.MethodGet, "/events/25", "Authorization", basic("editor1", "wrong").value)
	if w.Code != http.StatusUnauthorized || len(sent) != 1 {
		t.Errorf("a wrong password: %d, %d statements", w.Code, len(sent))
	}
}

// TestD28PasswordsOverTLS checks D28: a password that a remote client sends without encryption is rejected rather than
// ignored, unless the host allows plain HTTP.
func TestD28PasswordsOverTLS(t *testing.T) {
	h := siteHandler(t)
	auth := basic("editor1", editorPassword)
	for _, path := range []string{"/events", "/nothing", "/"} {
		w := send(h, http.MethodGet, path, "", auth)
		if w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), `"rest_https_required"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	open := siteHandler(t, func(o *calendar.Options) { o.Login.PlainHTTP = true })
	wantStatus(t, send(open, http.MethodGet, "/events?status=draft", "", auth), http.StatusOK)
	wantStatus(t, send(local(h), http.MethodGet, "/events?status=draft", "", auth), http.StatusOK)
}

// TestD29WrongPasswords checks D29: after too many wrong passwords for a user from one address the answer is 429, even
// for the right password, without a query for the user. Calendars with the same Limiter count together.
func TestD29WrongPasswords(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	login := calendar.Login{MaxPerUserAndAddress: 3, RefuseAfter: time.Millisecond, Limiter: &calendar.LoginLimiter{}}
	h := local(contract.Handler(t, calendar.Options{DB: db, Now: frozen, Login: login}))
	again := local(contract.Handler(t, calendar.Options{DB: db, Now: frozen, Login: login}))
	for _, user := range []string{"editor1", "nobody", "nobody@example.org"} {
		for range 3 {
			if w := send(h, http.MethodGet, "/events", "", basic(user, "wrong")); w.Code != http.StatusUnauthorized ||
				!strings.Contains(w.Body.String(), `"incorrect_password"`) {
				t.Fatalf("%s: %d %s", user, w.Code, w.Body)
			}
		}
		counter.Reset()
		w := send(h, http.MethodGet, "/events", "", basic(user, editorPassword))
		if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" ||
			!strings.Contains(w.Body.String(), `"rest_too_many_attempts"`) {
			t.Errorf("%s: %d %s %v", user, w.Code, w.Body, w.Header())
		}
		wantStatus(t, send(again, http.MethodGet, "/events", "", basic(user, editorPassword)), http.StatusTooManyRequests, user)
		if sent := counter.Statements(); len(sent) > 2 { // at most one of each calendar, for its settings
			t.Errorf("%s: %d statements", user, len(sent))
		}
	}
	wantStatus(t, send(h, http.MethodGet, "/events?status=draft", "", basic("author1", "z29XVbGgFq8mASEodR26ZErE")), http.StatusOK)
	login.MaxPerUserAndAddress = 4
	_, err := calendar.New(t.Context(), calendar.Options{DB: db, Login: login})
	if err == nil || !strings.Contains(err.Error(), "other limits") {
		t.Errorf("one limiter with two limits: %v", err)
	}
}

// TestAnonymousAuthenticator checks that the authenticator Anonymous ignores credentials: even with a valid password
// drafts cannot be listed.
func TestAnonymousAuthenticator(t *testing.T) {
	h := local(siteHandler(t, func(o *calendar.Options) { o.Authenticator = calendar.Anonymous }))
	wantStatus(t, send(h, http.MethodGet, "/events?status=draft", "", basic("editor1", editorPassword)), http.StatusBadRequest)
}

// byID is an Authenticator of a host for which every caller is the user of the site with this id.
type byID struct {
	id           int64
	capabilities map[string]bool
}

func (b byID) Authenticate(*http.Request) (calendar.Principal, error) {
	return calendar.Principal{UserID: b.id, Capabilities: b.capabilities}, nil
}

// TestCheckPassword checks that a host's own login form can check passwords as the API does, with the same limits.
func TestCheckPassword(t *testing.T) {
	c := must.Get(calendar.New(t.Context(), calendar.Options{DB: testdb.SiteA(t), Now: frozen,
		Login: calendar.Login{MaxPerUserAndAddress: 2, RefuseAfter: calendar.None}}))(t)
	defer c.Close(t.Context())
	check := func(from, name, password string) string {
		r := httptest.NewRequest(http.MethodPost, "/login", nil)
		r.RemoteAddr = from
		p, err := c.CheckPassword(t.Context(), r, name, password)
		var refused *calendar.Error
		switch {
		case err == nil:
			return fmt.Sprint(p.Login, p.Can("edit_others_tribe_events"))
		case errors.As(err, &refused):
			if refused.Status == http.StatusTooManyRequests && refused.RetryAfter == 0 {
				t.Error("nothing says when to try again")
			}
			return fmt.Sprint(refused.Status, " ", refused.Code)
		}
		t.Fatal(err)
		return ""
	}
	const here, elsewhere = "127.0.0.1:4711", "203.0.113.9:4711"
	for _, step := range []struct{ from, name, password, want string }{
		{elsewhere, "editor1", editorPassword, "401 rest_https_required"},
		{here, "editor1", editorPassword, "editor1true"},
		{here, "nobody", editorPassword, "401 incorrect_password"},
		{here, "editor1", "", "401 incorrect_password"},
		{here, "editor1", "wrong", "401 incorrect_password"},
		{here, "editor1", "wrong", "401 incorrect_password"},
		{here, "editor1", editorPassword, "429 rest_too_many_attempts"},
	} {
		if got := check(step.from, step.name, step.password); got != step.want {
			t.Errorf("%s from %s: %s, want %s", step.name, step.from, got, step.want)
		}
	}
}

// failing is an Authenticator that returns an error together with a principal, which must have no effect.
type failing struct{ err error }

func (f failing) Authenticate(*http.Request) (calendar.Principal, error) {
	return calendar.Principal{UserID: 1, Capabilities: map[string]bool{"edit_tribe_events": true}}, f.err
}

// TestAuthenticatorErrors checks that credentials which an Authenticator rejects with an AuthError are answered with
// 401 and not logged, and that any other error is answered with 503 and logged. No answer shows the cause.
func TestAuthenticatorErrors(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		code   string
		logged bool
	}{
		"refused": {&calendar.AuthError{}, http.StatusUnauthorized, "rest_not_authenticated", false},
		"refused for a cause": {&calendar.AuthError{Err: errors.New("s3cret cause")}, http.StatusUnauthorized, "rest_not_authenticated",
			false},
		"wrapped":        {fmt.Errorf("s3cret: %w", &calendar.AuthError{}), http.StatusUnauthorized, "rest_not_authenticated", false},
		"directory down": {errors.New("s3cret directory is down"), http.StatusServiceUnavailable, "rest_login_unavailable", true},
		"too slow":       {context.DeadlineExceeded, http.StatusServiceUnavailable, "rest_login_unavailable", true},
	} {
		log := &record{}
		h := siteHandler(t, func(o *calendar.Options) { o.Authenticator, o.Logger = failing{c.err}, log.logger() })
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			w := send(h, method, "/events", `{"title":"x"}`, asJSON)
			wantError(t, w, c.status, c.code)
			if strings.Contains(w.Body.String(), "s3cret") || (w.Header().Get("Retry-After") != "") != c.logged {
				t.Errorf("%s: %v %s", name, w.Header(), w.Body)
			}
		}
		if logged := log.takeRecords(); (len(logged) == 2) != c.logged || c.logged && !strings.Contains(logged[0], c.err.Error()) {
			t.Errorf("%s: logged %q", name, logged)
		}
	}
	h := siteHandler(t, func(o *calendar.Options) { o.Authenticator, o.Logger = failing{errors.New("down")}, quiet() })
	for tag, word := range map[string]string{"": "could not be checked", "/nl": "kon niet worden gecontroleerd", "/fr": "instant"} {
		if w := get(h, contract.Site+tag+"/wp-json/"+namespace+"/events"); !strings.Contains(w.Body.String(), word) {
			t.Errorf("%s: %s", tag, w.Body)
		}
	}
}
