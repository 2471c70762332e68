package main

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

var firstAddress = regexp.MustCompile(`(?m)^  (http://\S+/edit/first/[A-Za-z0-9]{43}/)$`)

// send posts a form as a page of the address would, and returns the status and the path to which the response
// redirects.
func send(t *testing.T, c *http.Client, address string, form url.Values) (status int, path string) {
	t.Helper()
	resp := must.Get(c.PostForm(address, form))(t)
	defer resp.Body.Close()
	return resp.StatusCode, resp.Request.URL.Path
}

// TestFirstUser checks that a site without a user who may manage it starts with a secret address where the first user
// is created, and that this user can then sign in. A second start has no such address. The address is in no output that
// is stored.
func TestFirstUser(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "town")
	stored := func(printing func(*testing.T, ...string) (string, string, func() (int, string)), args ...string) {
		t.Helper()
		_, printed, end := printing(t, append(args, "-data", dir, "-demo=false")...)
		if _, log := end(); strings.Contains(printed+log, "/edit/first/") || !strings.Contains(printed, "agenda user add") {
			t.Errorf("the address is in an output that is stored, or what to do is not: %s%s", printed, log)
		}
	}
	stored(onScreen, "-log-format", "json")
	stored(printing)
	_, printed, end := onScreen(t, "-data", dir, "-demo=false", "-log-level", "debug")
	m := firstAddress.FindStringSubmatch(printed)
	if m == nil {
		t.Fatalf("no address: %s", printed)
	}
	jar, _ := cookiejar.New(nil)
	c := &http.Client{Jar: jar}
	form := url.Values{"login": {"anna"}, "email": {"anna@example.org"}, "password": {"seven brave hens"}}
	if status, path := send(t, c, m[1], form); status != http.StatusOK || !strings.HasPrefix(path, "/edit/") ||
		strings.Contains(path, "first") {
		t.Fatalf("the first user: %d %s", status, path)
	}
	_, log := end()
	secret := m[1][len(m[1])-44:] // including the final slash
	secretless(t, log, map[string]string{"the address": secret, "the password": "seven brave hens"})

	address, printed, end := onScreen(t, "-data", dir, "-demo=false")
	if strings.Contains(printed, "/edit/first/") {
		t.Errorf("it opens again: %s", printed)
	}
	c.Jar, _ = cookiejar.New(nil)
	status, path := send(t, c, address+"/edit/sign-in/", url.Values{"name": {"anna"}, "password": {"seven brave hens"}})
	if status != http.StatusOK || strings.Contains(path, "sign-in") {
		t.Errorf("signing in: %d %s", status, path)
	}
	signedIn := func() bool {
		t.Helper()
		resp := must.Get(c.Get(address + "/edit/users/"))(t)
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK && resp.Request.URL.Path == "/edit/users/"
	}
	if !signedIn() {
		t.Error("the first user may not see the users")
	}
	if code, out, errOut := ran(t, "user", "revoke", "-login", "anna", "-all", "-data", dir); code != 0 || signedIn() {
		t.Errorf("revoked: %d %s%s, still signed in: %v", code, out, errOut, signedIn())
	}
	end()
	for flag, want := range map[string]int{"off": http.StatusNotFound, "on": http.StatusOK} {
		address, end := server(t, "-data", dir, "-demo=false", "-editing", flag)
		if resp, _ := get(t, address+"/edit/sign-in/"); resp.StatusCode != want {
			t.Errorf("-editing %s: %d", flag, resp.StatusCode)
		}
		end()
	}
}

// TestInitOpensNothing checks that there is no address for a first user after init, which creates one. The
// administrator signs in with the application password and chooses a password for the account.
func TestInitOpensNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "town")
	password := onePassword.FindString(moved(t, 0, "init", "-data", dir, "-email", "anna@example.org"))
	address, printed, end := onScreen(t, "-data", dir)
	defer end()
	if strings.Contains(printed, "/edit/first/") {
		t.Errorf("it opens: %s", printed)
	}
	jar, _ := cookiejar.New(nil)
	c := &http.Client{Jar: jar}
	send(t, c, address+"/edit/sign-in/", url.Values{"name": {"admin"}, "password": {password}})
	status, path := send(t, c, address+"/edit/account/password/", url.Values{"old": {password}, "password": {"seven brave hens"}})
	if status != http.StatusOK || path != "/edit/account/" {
		t.Errorf("choosing a password: %d %s", status, path)
	}
	c.Jar, _ = cookiejar.New(nil)
	status, _ = send(t, c, address+"/edit/sign-in/", url.Values{"name": {"admin"}, "password": {password}})
	if status != http.StatusUnauthorized {
		t.Errorf("the application password still signs in: %d", status)
	}
}
