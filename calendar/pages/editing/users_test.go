package editing_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// invite invites a user and returns the path of the invitation.
func (b *browser) invite(login, role string) string {
	b.t.Helper()
	a := b.post("/edit/users/", url.Values{"login": {login}, "email": {login + "@example.org"}, "role": {role}})
	return linkIn(b.t, a.Body.String())
}

func linkIn(t testing.TB, page string) string {
	t.Helper()
	m := regexp.MustCompile(`value="https://site\.test(/edit/invitation/[^"]+)"`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no link: %s", page)
	}
	return html.UnescapeString(m[1])
}

func setPassword(text string) url.Values { return url.Values{"password": {text}} }

// TestInvitation checks that an administrator can invite a user, who sets a password with the link, once, within seven
// days. A newer link replaces the older one. Only hashes are stored.
func TestInvitation(t *testing.T) {
	f := ownSite(t)
	admin := f.as("admin")
	link := admin.invite("anna", "editor")
	anna := f.nobody()
	if a := anna.get(link); a.Code != http.StatusOK || !strings.Contains(a.Body.String(), "anna") {
		t.Fatalf("the link: %d %s", a.Code, a.Body)
	}
	wantCode(t, anna.post(link, setPassword("short")), http.StatusUnprocessableEntity)
	if a := anna.post(link, setPassword("seven brave hens")); a.Code != http.StatusSeeOther || !anna.signedIn() {
		t.Errorf("set: %d %s", a.Code, a.Body)
	}
	wantCode(t, f.nobody().post(link, setPassword("another password")), http.StatusGone)
	var stored []string
	err := f.db.NewRaw("SELECT CONCAT(user_pass, user_activation_key) FROM wp_users WHERE user_login = 'anna' UNION ALL "+
		"SELECT meta_value FROM wp_usermeta WHERE user_id = (SELECT ID FROM wp_users WHERE user_login = 'anna')").Scan(t.Context(), &stored)
	if err != nil || !strings.HasPrefix(stored[0], "$wp$2y$10$") || strings.Contains(strings.Join(stored, " "), "hens") {
		t.Errorf("%v: %q", err, stored)
	}
	older := linkIn(t, admin.post("/edit/users/2/invite/", nil).Body.String())
	newer := linkIn(t, admin.post("/edit/users/2/invite/", nil).Body.String())
	editor := f.as("editor1")
	if f.wait(7*24*time.Hour - time.Minute); f.nobody().get(older).Code != http.StatusGone || f.nobody().get(newer).Code != http.StatusOK {
		t.Error("a link that was replaced serves, or the new one does not")
	}
	if f.wait(2 * time.Minute); f.nobody().get(newer).Code != http.StatusGone {
		t.Error("a link serves after seven days")
	}
	if editor.signedIn() {
		t.Error("a session of twelve hours lasts a week")
	}
}

// TestInvitationsGrantNoMore checks that users cannot give roles with rights that they lack, or take over accounts with
// more rights.
func TestInvitationsGrantNoMore(t *testing.T) {
	f := ownSite(t)
	// an editor who may also add and promote users
	f.exec("UPDATE wp_usermeta SET meta_value = ? WHERE meta_key = 'wp_capabilities' AND user_id = 2",
		`a:5:{s:6:"editor";b:1;s:10:"list_users";b:1;s:12:"create_users";b:1;s:13:"promote_users";b:1;s:10:"edit_users";b:1;}`)
	editor := f.as("editor1")
	page := editor.get("/edit/users/").Body.String()
	if strings.Contains(page, `value="administrator"`) || !strings.Contains(page, `value="editor"`) ||
		strings.Contains(page, `/users/1/invite/`) || !strings.Contains(page, `/users/3/invite/`) {
		t.Errorf("offered: %s", page)
	}
	for name, want := range map[string]int{"administrator": 422, "nonsense": 422, "": 422, "editor": 200, "subscriber": 200} {
		form := url.Values{"login": {"x " + name}, "email": {"x" + name + "@example.org"}, "role": {name}}
		form.Set("login", strings.TrimSpace(form.Get("login")))
		if a := editor.post("/edit/users/", form); a.Code != want {
			t.Errorf("%q: %d, want %d", name, a.Code, want)
		}
	}
	for path, want := range map[string]int{"/edit/users/1/invite/": 403, "/edit/users/2/invite/": 200, "/edit/users/3/invite/": 200} {
		if a := editor.post(path, nil); a.Code != want {
			t.Errorf("%s: %d, want %d", path, a.Code, want)
		}
	}
	admin := f.as("admin")
	for field, form := range map[string]url.Values{
		"login": {"login": {"änna"}, "email": {"a@example.org"}, "role": {"author"}},
		"email": {"login": {"anna"}, "email": {"anna"}, "role": {"author"}},
		"taken": {"login": {"AUTHOR1"}, "email": {"a@example.org"}, "role": {"author"}},
		"mail":  {"login": {"anna"}, "email": {"Author1@example.org"}, "role": {"author"}},
	} {
		if a := admin.post("/edit/users/", form); a.Code != 422 || !strings.Contains(a.Body.String(), `aria-invalid="true"`) {
			t.Errorf("%s: %d %s", field, a.Code, a.Body)
		}
	}
}

// TestOwnAccount checks that users can change their password with the old one, which ends all other sessions, and
// create and revoke application passwords.
func TestOwnAccount(t *testing.T) {
	f := ownSite(t)
	b, other := f.as("author1"), f.as("author1")
	change := func(old, chosen string) int {
		return b.post("/edit/account/password/", url.Values{"old": {old}, "password": {chosen}}).Code
	}
	if got := change("wrong", "seven brave hens"); got != 422 || !other.signedIn() {
		t.Errorf("with a wrong old one: %d", got)
	}
	if got := change(password, strings.Repeat("x", 4097)); got != 422 {
		t.Errorf("a password that is too long: %d", got)
	}
	if got := change(password, "  seven brave hens "); got != 303 || !b.signedIn() || other.signedIn() {
		t.Errorf("changed: %d; signed in %v, the other %v", got, b.signedIn(), other.signedIn())
	}
	wantCode(t, f.nobody().post("/edit/sign-in/", signIn("author1", "seven brave hens")), 303)
	f.exec("UPDATE wp_usermeta SET meta_value = '' WHERE meta_key = '_application_passwords'")
	f.exec("DELETE FROM wp_options WHERE option_name = 'using_application_passwords'")
	wantCode(t, b.post("/edit/account/programs/", url.Values{"name": {"phone"}, "confirm": {"wrong"}}), 422)
	page := b.post("/edit/account/programs/", url.Values{"name": {"<phone>"}, "confirm": {"seven brave hens"}}).Body.String()
	made := regexp.MustCompile(`<code>(\w{24})</code>`).FindStringSubmatch(page)
	if made == nil || !strings.Contains(page, "&lt;phone&gt;") {
		t.Fatalf("made: %s", page)
	}
	if code := f.drafts("author1", made[1]); code != http.StatusOK {
		t.Errorf("the API: %d", code)
	}
	path := regexp.MustCompile(`action="(/edit/account/programs/[^"]+/revoke/)"`).FindStringSubmatch(page)
	if path == nil || f.as("editor1").post(path[1], nil).Code != 303 || f.drafts("author1", made[1]) != http.StatusOK {
		t.Fatalf("another user took it away: %v", path)
	}
	if a := b.post(path[1], nil); a.Code != 303 || f.drafts("author1", made[1]) != http.StatusUnauthorized {
		t.Errorf("taken away: %d", a.Code)
	}
}

// TestFirstUser checks that there is a key for the first user only if no user may add others, that it is valid for an
// hour, and that it can be used once.
func TestFirstUser(t *testing.T) {
	f := ownSite(t)
	open := func() string {
		return must.Get(f.calendar.Accounts().OpenFirst(t.Context()))(t)
	}
	if open() != "" {
		t.Error("opened although there is an administrator")
	}
	f.exec("UPDATE wp_usermeta SET meta_value = ? WHERE meta_key = 'wp_capabilities' AND user_id = 1", `a:1:{s:6:"editor";b:1;}`)
	late, key := open(), open()
	if f.nobody().get("/edit/first/"+late+"/").Code != 410 || f.nobody().get("/edit/first/"+key+"/").Code != 200 {
		t.Error("an older key serves, or the new one does not")
	}
	b, form := f.nobody(), url.Values{"login": {"anna"}, "email": {"anna@example.org"}, "password": {"short"}}
	wantCode(t, b.post("/edit/first/"+key+"/", form), 422)
	form.Set("password", "seven brave hens")
	if a := b.post("/edit/first/"+key+"/", form); a.Code != 303 || b.get("/edit/users/").Code != 200 {
		t.Errorf("made: %d %s", a.Code, a.Body)
	}
	form.Set("login", "berta")
	wantCode(t, f.nobody().post("/edit/first/"+key+"/", form), 410)
	f.exec("DELETE FROM wp_usermeta WHERE meta_key = 'wp_capabilities'")
	key = open()
	if f.wait(time.Hour); f.nobody().get("/edit/first/"+key+"/").Code != 410 {
		t.Error("the key serves after an hour")
	}
	if key, err := besideSite(t).calendar.Accounts().OpenFirst(t.Context()); key != "" || err != nil {
		t.Errorf("beside an admin: %q, %v", key, err)
	}
}

// TestReadOnly checks that nobody can sign in on a read-only calendar.
func TestReadOnly(t *testing.T) {
	f := ownSite(t, func(o *calendar.Options) { o.ReadOnly = true })
	wantCode(t, f.nobody().post("/edit/sign-in/", signIn("admin", password)), http.StatusServiceUnavailable)
}
