package editing_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestTooLargePicture checks that a picture that is too large is an error at its field, and that the values of the form
// are still there. A form that cannot be read at all leads to a page with a way back.
func TestTooLargePicture(t *testing.T) {
	f := ownSite(t)
	b := f.as("author1")
	form := formOf(t, b.get("/edit/events/new/"))
	form.Set("title", "Typed")
	form.Set("act", "publish")
	for size, code := range map[int]int{21 << 20: http.StatusUnprocessableEntity, 30 << 20: http.StatusUnprocessableEntity,
		70 << 20: http.StatusRequestEntityTooLarge} {
		a := b.attach("/edit/events/new/", form, make([]byte, size))
		if a.Code != code {
			t.Errorf("%d bytes: %d", size, a.Code)
			continue
		}
		if code == http.StatusUnprocessableEntity {
			if !strings.Contains(a.Body.String(), `id="wrong-image"`) || formOf(t, a).Get("title") != "Typed" {
				t.Errorf("%d bytes: %v", size, wrongs(a))
			}
		} else if !strings.Contains(a.Body.String(), `<a href="/edit/events/new/">To the form`) {
			t.Errorf("%d bytes: no way back: %s", size, a.Body)
		}
	}
}

// signInFormOf returns the values that a browser would send from the page for signing in.
func signInFormOf(t *testing.T, body string) url.Values {
	t.Helper()
	return formTo(t, body, "/edit/sign-in/")
}

// formTo returns the values that a browser would send to an address from a page.
func formTo(t *testing.T, body, address string) url.Values {
	t.Helper()
	page := must.Get(html.Parse(strings.NewReader(body)))(t)
	v := url.Values{}
	for n := range page.Descendants() {
		if n.Data == "form" && attribute(n, "action") == address {
			fill(n, v)
		}
	}
	return v
}

// TestSessionEndsWhileTyping checks that a form that is sent after the session has ended is shown again after signing
// in, that nothing is stored before, and that it never serves anybody else.
func TestSessionEndsWhileTyping(t *testing.T) {
	f := ownSite(t)
	b := f.as("author1")
	form := formOf(t, b.get("/edit/events/new/"))
	form.Set("title", `Typed "<b>`)
	form.Set("day", "2026-12-01")
	form.Set("from", "20:00")
	form.Set("act", "publish")
	b.cookies = map[string]string{}
	a := b.attach("/edit/events/new/", form, aPicture(t))
	wantCode(t, a, http.StatusUnauthorized)
	kept := signInFormOf(t, a.Body.String())
	if kept.Get("typed") == "" || hostile(t, a.Body.String()) != "" {
		t.Fatal(a.Body)
	}
	kept.Set("name", "author1")
	kept.Set("password", "wrong")
	a = b.post("/edit/sign-in/", kept)
	wantCode(t, a, http.StatusUnauthorized)
	kept = signInFormOf(t, a.Body.String())
	kept.Set("password", password)
	b.site = "cross-site"
	wantCode(t, b.post("/edit/sign-in/", kept), http.StatusForbidden)
	b.site = "same-origin"
	a = b.post("/edit/sign-in/", kept)
	wantCode(t, a, http.StatusOK)
	again := formOf(t, a)
	if again.Get("title") != `Typed "<b>` || again.Get("day") != "2026-12-01" || f.stored(`Typed "<b>`, "COUNT(*)") != "0" ||
		!strings.Contains(a.Body.String(), `id="wrong-image"`) {
		t.Errorf("%v: %v", wrongs(a), again)
	}
	wantCode(t, b.again("/edit/events/new/", again, "publish", "title", "Typed"), http.StatusSeeOther)
	path := "/edit/events/" + f.stored("Typed", "ID") + "/"
	form = formOf(t, b.get(path))
	b.cookies = map[string]string{}
	kept = signInFormOf(t, b.again(path, form, "save", "cost", "7").Body.String())
	kept.Set("name", "author1")
	kept.Set("password", password)
	a = b.post("/edit/sign-in/", kept)
	if again = formOf(t, a); again.Get("cost") != "7" || !strings.Contains(a.Body.String(), `action="`+path) {
		t.Error(a.Body)
	}
	wantCode(t, b.again(path, again, "save"), http.StatusSeeOther)
	if f.meta("Typed", "_EventCost") != "7" {
		t.Error("it was not stored")
	}
	// The page for signing in does not lead on for a reader, to another address, or with a form that is too large.
	kept.Set("name", "sub1")
	wantCode(t, f.nobody().post("/edit/sign-in/", kept), http.StatusForbidden)
	kept.Set("name", "author1")
	for _, next := range []string{"https://evil.test/", "/edit/account/password/", ""} {
		kept.Set("next", next)
		wantCode(t, f.nobody().post("/edit/sign-in/", kept), http.StatusBadRequest)
	}
	form.Set("text", strings.Repeat("a", 300<<10))
	for _, a := range []string{f.nobody().post(path, form).Body.String(), f.nobody().attach(path, form, nil).Body.String()} {
		if strings.Contains(a, "aaaa") || !strings.Contains(a, "nothing was saved") {
			t.Errorf("%.300s", a)
		}
	}
}

// TestLargeFormsNeedMemory checks that large forms of somebody without a session are rejected while other answers use all
// memory, and small ones are not.
func TestLargeFormsNeedMemory(t *testing.T) {
	const all = 64 << 20
	f := ownSite(t, func(o *calendar.Options) { o.Limits.Answers = calendar.NewMemory(all) })
	b, large := f.nobody(), strings.Repeat("a", 200<<10)
	typed := url.Values{"name": {"author1"}, "password": {"wrong"}, "typed": {large}}
	wantCode(t, b.post("/edit/sign-in/", typed), http.StatusUnauthorized)
	must.Succeed(t, calendar.Reserve(t.Context(), f.calendar, all)) // the one answer that may exceed the limit
	wantCode(t, b.post("/edit/sign-in/", typed), http.StatusServiceUnavailable)
	wantCode(t, b.attach("/edit/events/new/", url.Values{"text": {large}}, nil), http.StatusServiceUnavailable)
	wantCode(t, b.post("/edit/sign-in/", url.Values{"name": {"author1"}, "password": {password}}), http.StatusSeeOther)
}

// TestSessionEndsWhileMovingADate checks that the form of an occurrence that is sent after the session has ended is
// shown again after signing in, and that its other button does nothing before that.
func TestSessionEndsWhileMovingADate(t *testing.T) {
	var trouble error
	f := ownSite(t, withSeries(t), func(o *calendar.Options) {
		o.Hooks.BeforeWrite = func(context.Context, *calendar.Draft) error { return trouble }
	})
	b := f.as("editor1")
	wantCode(t, b.fillIn("/edit/events/new/", "publish", "title", "Choir", "day", "2026-12-01", "from", "20:00", "to", "22:00",
		"repeats", "weekly", "until", "2026-12-22"), http.StatusSeeOther)
	path := "/edit/events/" + f.stored("Choir", "ID") + "/dates/2026-12-08-200000/"
	for _, typed := range []url.Values{{"act": {"move"}, "day": {"2026-12-09"}, "from": {"19:15"}, "to": {"late"}}, {"act": {"skip"}}} {
		nobody := f.nobody()
		a := nobody.post(path, typed)
		wantCode(t, a, http.StatusUnauthorized)
		kept := signInFormOf(t, a.Body.String())
		kept.Set("name", "editor1")
		kept.Set("password", password)
		a = nobody.post("/edit/sign-in/", kept)
		wantCode(t, a, http.StatusOK)
		again := formOf(t, a)
		for name, want := range map[string]string{"day": "2026-12-08", "from": "20:00", "to": "22:00"} {
			if typed.Has(name) {
				want = typed.Get(name)
			}
			if again.Get(name) != want {
				t.Errorf("%v: %s is %q, want %q", typed, name, again.Get(name), want)
			}
		}
		if !strings.Contains(a.Body.String(), "Nothing is saved yet") {
			t.Errorf("nothing is said about it: %v", wrongs(a))
		}
		wantCode(t, nobody.get(path), http.StatusOK) // the date is neither moved nor skipped
	}
	move := url.Values{"act": {"move"}, "day": {"2026-12-09"}, "from": {"19:15"}, "to": {"21:00"}}
	trouble = errors.New("secret")
	a := b.post(path, move)
	wantCode(t, a, http.StatusInternalServerError)
	if form := formOf(t, a); form.Get("from") != "19:15" || strings.Contains(a.Body.String(), "secret") {
		t.Errorf("what was typed is lost: %v", form)
	}
	trouble = nil
	wantCode(t, b.post(path, move), http.StatusSeeOther)
	wantCode(t, b.get(strings.Replace(path, "08-200000", "09-191500", 1)), http.StatusOK)
}

// TestSessionEndsInAccountForms checks that forms of accounts and invitations that are sent after the session has ended
// are shown again after signing in, without their passwords, and that nothing is stored before.
func TestSessionEndsInAccountForms(t *testing.T) {
	f := ownSite(t)
	for path, typed := range map[string]url.Values{
		"/edit/users/":            {"login": {"anna"}, "email": {"anna@example.org"}, "role": {"editor"}, "password": {"secret hens"}},
		"/edit/account/programs/": {"name": {"<phone>"}, "confirm": {"secret hens"}},
	} {
		b := f.nobody()
		a := b.post(path, typed)
		wantCode(t, a, http.StatusUnauthorized)
		kept := signInFormOf(t, a.Body.String())
		if kept.Get("typed") == "" || strings.Contains(kept.Get("typed"), "hens") || hostile(t, a.Body.String()) != "" {
			t.Fatalf("%s: %s", path, a.Body)
		}
		kept.Set("name", "admin")
		kept.Set("password", password)
		a = b.post("/edit/sign-in/", kept)
		wantCode(t, a, http.StatusOK)
		if !strings.Contains(a.Body.String(), "Nothing is saved yet") || hostile(t, a.Body.String()) != "" {
			t.Errorf("%s: %s", path, a.Body)
		}
		again := formTo(t, a.Body.String(), path)
		for name, values := range typed {
			if want := values[0]; want != "secret hens" && again.Get(name) != want {
				t.Errorf("%s: %s is %q, want %q", path, name, again.Get(name), want)
			}
		}
		if again.Has("confirm") {
			if again.Get("confirm") != "" {
				t.Errorf("%s: a password is shown: %v", path, again)
			}
			again.Set("confirm", password)
		}
		stored := f.value("SELECT COUNT(*) FROM wp_users WHERE user_login = 'anna'")
		wantCode(t, b.post(path, again), http.StatusOK)
		if path == "/edit/users/" {
			if stored != "0" {
				t.Error("the user was stored before the form was sent again")
			}
			kept.Set("name", "sub1")
			wantCode(t, f.nobody().post("/edit/sign-in/", kept), http.StatusForbidden)
		}
	}
}

// TestTroubleWhileSaving checks that the form is shown again if it cannot be stored because of a failure of this
// server.
func TestTroubleWhileSaving(t *testing.T) {
	var trouble error
	f := ownSite(t, func(o *calendar.Options) {
		o.Hooks.BeforeWrite = func(context.Context, *calendar.Draft) error { return trouble }
	})
	b := f.as("editor1")
	trouble = errors.New("secret")
	a := b.fillIn("/edit/events/new/", "publish", "title", "Typed", "day", "2026-12-01", "from", "20:00")
	wantCode(t, a, http.StatusInternalServerError)
	if !strings.Contains(a.Body.String(), "went wrong") || strings.Contains(a.Body.String(), "secret") {
		t.Error(a.Body)
	}
	trouble = nil
	wantCode(t, b.again("/edit/events/new/", formOf(t, a), "publish"), http.StatusSeeOther)
	if f.stored("Typed", "COUNT(*)") != "1" {
		t.Error("it is not stored")
	}
}

// TestSignInLeadsBackToACopy checks that signing in preserves the query of the page from which the user came.
func TestSignInLeadsBackToACopy(t *testing.T) {
	f := ownSite(t)
	to := f.nobody().get("/edit/events/new/?copy=12").Header().Get("Location")
	if to != "/edit/sign-in/?next=%2Fedit%2Fevents%2Fnew%2F%3Fcopy%3D12" {
		t.Fatal(to)
	}
	form := signInFormOf(t, f.nobody().get(to).Body.String())
	form.Set("name", "author1")
	form.Set("password", password)
	if to := f.nobody().post("/edit/sign-in/", form).Header().Get("Location"); to != "/edit/events/new/?copy=12" {
		t.Error(to)
	}
	form.Set("next", "/edit/events/?q=\r\nX: y//evil.test")
	if to := f.nobody().post("/edit/sign-in/", form).Header().Get("Location"); to != "/edit/events/?q=%0D%0AX%3A+y%2F%2Fevil.test" {
		t.Errorf("%q", to)
	}
}
