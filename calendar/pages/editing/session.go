package editing

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// Names of the session cookie. Browsers accept a cookie with the prefix __Host- only over TLS, for this host only, and
// with the path "/". The prefix __Secure- only requires TLS, and is used if the site is below a path.
const (
	cookieName       = "agenda_session"
	cookieOfHost     = "__Host-" + cookieName
	cookieOfTLS      = "__Secure-" + cookieName
	maxSessionCookie = 100 // more bytes than any token has
)

// nameOf returns the name of the session cookie on a connection.
func (s *Site) nameOf(encrypted bool) string {
	switch {
	case !encrypted:
		return cookieName
	case s.path == "/":
		return cookieOfHost
	}
	return cookieOfTLS
}

// token returns the session token of a request. A connection over which no password is accepted has none.
func (s *Site) token(r *http.Request) (string, bool) {
	by := s.accounts.Connection(r)
	c, err := r.Cookie(s.nameOf(by.Encrypted))
	return valueOf(c), err == nil && by.Accepted && c.Value != "" && len(c.Value) <= maxSessionCookie
}

func valueOf(c *http.Cookie) string {
	if c == nil {
		return ""
	}
	return c.Value
}

// cookie returns the cookie of a session, or one that removes the cookie if the session is the zero value. If
// session.Ends is the zero time, the cookie ends when the browser is closed; the session still ends at its own time.
func (s *Site) cookie(r *http.Request, session calendar.Session) *http.Cookie {
	encrypted := s.accounts.Connection(r).Encrypted
	c := &http.Cookie{
		Name: s.nameOf(encrypted), Value: session.Token, Path: s.path, HttpOnly: true, Secure: encrypted, SameSite: http.SameSiteLaxMode,
	}
	switch {
	case session.Token == "":
		c.MaxAge = -1
	case !session.Ends.IsZero():
		c.Expires = session.Ends
	}
	return c
}

// withCookie adds a cookie to an answer.
func (a answer) withCookie(c *http.Cookie) answer {
	if a.header == nil {
		a.header = http.Header{}
	}
	a.header.Add("Set-Cookie", c.String())
	return a
}

// signInForm contains the values of the page for signing in.
type signInForm struct {
	Name, Next string
	Remember   bool
	Errors     fieldErrors
	Typed      string // encoded values of a form that was sent without a session
	Own        bool   // the site is standalone: users sign in with the password of their account
	Refused    bool   // no password is accepted over this connection
	Plain      bool   // the connection is not encrypted
}

const (
	signInPath  = "/sign-in"
	signOutPath = "/sign-out"
	accountPath = "/account"
)

func (s *Site) signInForm(r *request) (signInForm, error) {
	settings, err := s.Calendar.SiteSettings(r.Context())
	by := s.accounts.Connection(r.Request)
	return signInForm{Own: settings.Own, Refused: !by.Accepted, Plain: !by.Encrypted}, err
}

// askToSignIn redirects to the page for signing in, which leads back afterwards. A form that was sent without a session
// is rejected.
func (s *Site) askToSignIn(r *request) answer {
	here := r.link(r.below + "/")
	if r.URL.RawQuery != "" {
		here += "?" + r.URL.RawQuery
	}
	to := r.link(signInPath+"/") + "?next=" + url.QueryEscape(here)
	if r.Method == http.MethodPost {
		return answer{status: http.StatusUnauthorized, template: "error.html", title: "error.401",
			data: problem{Text: r.lang.word("error.401.text")}}
	}
	return seeOther(to)
}

func showSignIn(s *Site, r *request) (answer, error) {
	if signedIn(r.user()) {
		return seeOther(r.link("/")), nil
	}
	form, err := s.signInForm(r)
	form.Next = s.next(r.URL.Query().Get("next"))
	return shown("signin.html", "signin", form), err
}

// next returns address, with its query encoded anew, if it is below Root, and "" otherwise, so that a form cannot
// redirect to another site.
func (s *Site) next(address string) string {
	address, query, _ := strings.Cut(address, "?")
	if _, _, ok := s.find(address); !ok || strings.ContainsAny(address, "\\?#\r\n\t") || strings.Contains(address, "//") {
		return ""
	}
	if values, err := url.ParseQuery(query); err == nil && len(values) > 0 {
		address += "?" + values.Encode()
	}
	return address
}

func signIn(s *Site, r *request) (answer, error) {
	form, err := s.signInForm(r)
	if err != nil {
		return answer{}, err
	}
	form.Name, form.Next, form.Remember = r.form.Get("name"), s.next(r.form.Get("next")), r.form.Get("remember") != ""
	form.Typed = r.form.Get("typed")
	session, err := s.accounts.SignIn(r.Context(), r.Request, calendar.SignIn{
		Name: form.Name, Password: r.form.Get("password"), Remember: form.Remember,
	})
	if isStatus(err, http.StatusUnauthorized) && !form.Refused {
		form.Errors = fieldErrors{"": "signin.wrong"}
		a := refused("signin.html", "signin", form)
		a.status = http.StatusUnauthorized
		return a, nil
	}
	if err != nil && form.Typed != "" {
		a := s.failure(r, err)
		p, _ := a.data.(problem)
		form.Errors = fieldErrors{"": p.Text}
		a.template, a.title, a.data = "signin.html", "signin", form
		return a, nil
	}
	if err != nil {
		return answer{}, err
	}
	to := form.Next
	if to == "" {
		to = r.link("/")
	}
	if old, ok := s.token(r.Request); ok { // the browser's previous session is not used again
		_ = s.accounts.SignOut(r.Context(), calendar.Session{Token: old}, false)
	}
	a := seeOther(to)
	if form.Typed != "" {
		if a, err = s.resume(r, session, form); err != nil {
			a = s.failure(r, err)
		}
	}
	return a.withCookie(s.cookieFor(r, session, form.Remember)), nil
}

// cookieFor returns the cookie of a session that began now.
func (s *Site) cookieFor(r *request, session calendar.Session, remember bool) *http.Cookie {
	if !remember {
		session.Ends = time.Time{}
	}
	return s.cookie(r.Request, session)
}

func signOut(s *Site, r *request) (answer, error) {
	err := s.accounts.SignOut(r.Context(), r.session, r.form.Get("everywhere") != "")
	return done(r.link(signInPath+"/"), "signed-out").withCookie(s.cookie(r.Request, calendar.Session{})), err
}
