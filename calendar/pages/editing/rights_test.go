package editing_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// roles are the columns of routes, with the login of a user of each role.
var roles = []struct{ role, login string }{
	{"anonymous", ""}, {"subscriber", "sub1"}, {"contributor", "contrib1"}, {"author", "author1"}, {"editor", "editor1"},
	{"administrator", "admin"},
}

// routes contains the status that each role gets at each address of account pages, on a standalone site. "in" is a
// redirect with 303 to the page for signing in. Forms are sent empty or with invalid values: 422 shows that they were
// processed.
const routes = `
GET  /edit/                                  in  303 303 303 303 303
GET  /edit/sign-in/                          200 303 303 303 303 303
POST /edit/sign-in/                          401 401 401 401 401 401
GET  /edit/account/                          in  200 200 200 200 200
POST /edit/account/password/                 401 422 422 422 422 422
POST /edit/account/programs/                 401 422 422 422 422 422
POST /edit/account/programs/none/revoke/     401 303 303 303 303 303
GET  /edit/users/                            in  403 403 403 403 200
POST /edit/users/                            401 403 403 403 403 422
POST /edit/users/99/invite/                  401 403 403 403 403 404
GET  /edit/invitation/2-none/                410 410 410 410 410 410
POST /edit/invitation/2-none/                410 410 410 410 410 410
GET  /edit/first/none/                       410 410 410 410 410 410
POST /edit/first/none/                       410 410 410 410 410 410
GET  /edit/sign-out/                         405 405 405 405 405 405
GET  /edit/nothing/                          404 404 404 404 404 404
POST /edit/users/0/invite/                   404 404 404 404 404 404
`

func TestRoutesByRole(t *testing.T) {
	f := ownSite(t)
	var browsers []*browser
	for _, r := range roles {
		browsers = append(browsers, f.as(r.login))
	}
	for line := range strings.Lines(strings.TrimSpace(routes)) {
		cells := strings.Fields(line)
		method, path := cells[0], cells[1]
		for i, want := range cells[2:] {
			b := browsers[i]
			form := url.Values{"password": {"short"}}
			var body string
			if method == http.MethodPost {
				body = form.Encode()
			}
			a := b.send(method, path, strings.NewReader(body), "application/x-www-form-urlencoded")
			got := strconv.Itoa(a.Code)
			if strings.HasPrefix(a.Header().Get("Location"), "/edit/sign-in/") {
				got = "in"
			}
			if got != want {
				t.Errorf("%s %s as %s: %s, want %s\n%s", method, path, roles[i].role, got, want, a.Body)
			}
			protected(t, method+" "+path, a.Header())
			if method == http.MethodPost {
				crossOrigin(t, b, path)
			}
		}
	}
}

// protected checks the headers that every account page sets, whatever its status.
func protected(t *testing.T, what string, h http.Header) {
	t.Helper()
	for name, want := range map[string]string{
		"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "ETag": "",
		"Surrogate-Key": "", "Cache-Tag": "", "X-Frame-Options": "DENY", "Access-Control-Allow-Origin": "",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %s is %q, want %q", what, name, got, want)
		}
	}
	policy := h.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "form-action 'self'",
		"frame-ancestors 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("%s: policy %q lacks %s", what, policy, part)
		}
	}
}

// crossOrigin sends the form of a page from another site.
func crossOrigin(t *testing.T, b *browser, path string) {
	t.Helper()
	for _, site := range []string{"cross-site", "same-site"} {
		other := *b
		other.site = site
		a := other.post(path, url.Values{"password": {"short"}})
		if a.Code != http.StatusForbidden || len(a.Result().Cookies()) > 0 {
			t.Errorf("POST %s from %s: %d %v", path, site, a.Code, a.Header())
		}
		protected(t, "POST "+path+" from "+site, a.Header())
	}
}

// TestUsersBesideAnAdmin checks that on a site with another admin, users are managed there: these pages only show them
// to an administrator.
func TestUsersBesideAnAdmin(t *testing.T) {
	f := besideSite(t)
	b := f.nobody()
	b.post("/edit/sign-in/", signIn("admin", creds(t, "admin")))
	for line, want := range map[string]int{
		"GET /edit/account/": 200, "GET /edit/users/": 200, "POST /edit/account/password/": 403, "POST /edit/account/programs/": 403,
		"POST /edit/users/": 403, "POST /edit/users/2/invite/": 403, "GET /edit/invitation/2-none/": 410, "POST /edit/first/none/": 410,
		"POST /edit/account/programs/none/revoke/": 303,
	} {
		method, path, _ := strings.Cut(line, " ")
		form := url.Values{"login": {"anna"}, "email": {"anna@example.org"}, "role": {"subscriber"}, "name": {"phone"},
			"password": {"seven brave hens"}, "old": {creds(t, "admin")}, "confirm": {creds(t, "admin")}}
		a := b.send(method, path, strings.NewReader(form.Encode()), "application/x-www-form-urlencoded")
		golden.Equal(t, line, a.Code, want)
		protected(t, line, a.Header())
	}
}

// Rights are asked for by the names that the post types have on the site.
func TestRightsByOtherNames(t *testing.T) {
	f := ownSite(t, func(o *calendar.Options) {
		for _, query := range []string{
			"UPDATE wp_posts SET post_type = REPLACE(post_type, 'tribe_', 'vendr_')",
			"UPDATE wp_options SET option_value = REPLACE(option_value, '_tribe_', '_vendr_') WHERE option_name = 'wp_user_roles'",
		} {
			must.Get(o.DB.NewRaw(query).Exec(t.Context()))(t)
		}
		o.Site.Names = schema.Names{Event: "vendr_events", Venue: "vendr_venue", Organizer: "vendr_organizer"}
	})
	for login, want := range map[string]string{"editor1": "publish", "author1": "publish", "contrib1": "pending"} {
		b := f.as(login)
		for kind, name := range map[string]string{"events": "title", "venues": "venue", "organizers": "organizer"} {
			title := login + " " + kind
			values := []string{name, title}
			if kind == "events" {
				values = append(values, "day", "2026-12-01", "from", "20:00")
			}
			page := b.get("/edit/" + kind + "/new/")
			if says := strings.Contains(page.Body.String(), ">Publish<"); says != (want == "publish") {
				t.Errorf("%s: the button says that it publishes: %t", title, says)
			}
			wantCode(t, b.again("/edit/"+kind+"/new/", formOf(t, page), "publish", values...), http.StatusSeeOther)
			got := f.value("SELECT post_status FROM wp_posts WHERE post_title = ? AND post_type LIKE 'vendr%'", title)
			golden.Equal(t, title, got, want)
		}
		if list := b.get("/edit/events/?q=" + login).Body.String(); login != "contrib1" && !strings.Contains(list, `value="bin"`) {
			t.Errorf("%s has no buttons", login)
		}
		wantCode(t, b.get("/edit/categories/"), map[bool]int{true: http.StatusOK, false: http.StatusForbidden}[want == "publish"])
	}
}
