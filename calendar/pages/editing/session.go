package editing

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// The names of the session's cookie. A browser takes one with the first prefix over TLS alone, for no other host and for all paths; with
// the second over TLS alone, where the site is below a path of its own.
const (
	cookieName       = "agenda_session"
	cookieOfHost     = "__Host-" + cookieName
	cookieOfTLS      = "__Secure-" + cookieName
	maxSessionCookie = 100 // bytes, of any token
)

// nameOf returns the name of the session's cookie on a connection.
func (s *Site) nameOf(encrypted bool) string {
	switch {
	case !encrypted:
		return cookieName
	case s.path == "/":
		return cookieOfHost
	}
	return cookieOfTLS
}

// token returns the token of a request's session. Over a connection on which no password is accepted no session is either.
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

// cookie returns the cookie of a session, or what removes it for nobody's. One without an end ends with the browser, and the session
// at its time in any case.
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

// signInForm is what the page to sign in shows.
type signInForm struct {
	Name, Next string
	Remember   bool
	Errors     fieldErrors
	Own        bool // the site is our own: passwords are those of accounts
	Refused    bool // no password is accepted over this connection
	Plain      bool // the connection is not encrypted
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

// askToSignIn leads who is not signed in to the page for that, and back afterwards. What a form sent is not accepted.
func (s *Site) askToSignIn(r *request) answer {
	to := r.link(signInPath+"/") + "?next=" + url.QueryEscape(r.link(r.below+"/"))
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

// next returns an address below Root that a form leads to, "" for any other.
func (s *Site) next(address string) string {
	if _, _, ok := s.find(address); !ok || strings.ContainsAny(address, "\\?#\r\n\t") || strings.Contains(address, "//") {
		return ""
	}
	return address
}

func signIn(s *Site, r *request) (answer, error) {
	form, err := s.signInForm(r)
	if err != nil {
		return answer{}, err
	}
	form.Name, form.Next, form.Remember = r.form.Get("name"), s.next(r.form.Get("next")), r.form.Get("remember") != ""
	session, err := s.accounts.SignIn(r.Context(), r.Request, calendar.SignIn{
		Name: form.Name, Password: r.form.Get("password"), Remember: form.Remember,
	})
	if isStatus(err, http.StatusUnauthorized) && !form.Refused {
		form.Errors = fieldErrors{"": "signin.wrong"}
		a := refused("signin.html", "signin", form)
		a.status = http.StatusUnauthorized
		return a, nil
	}
	if err != nil {
		return answer{}, err
	}
	to := form.Next
	if to == "" {
		to = r.link("/")
	}
	if old, ok := s.token(r.Request); ok { // one that the browser had is not used again
		_ = s.accounts.SignOut(r.Context(), calendar.Session{Token: old}, false)
	}
	return seeOther(to).withCookie(s.cookieFor(r, session, form.Remember)), nil
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
