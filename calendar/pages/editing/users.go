package editing

import (
	"regexp"

	"github.com/agendahq/agenda/calendar"
)

const usersPath = "/users"

// mayUsers reports whether a caller may list the users.
func mayUsers(p calendar.Principal) bool { return can("list_users")(p) }

// mayInvite reports whether a caller may add users. The calendar decides which roles the caller may give.
func mayInvite(p calendar.Principal) bool {
	return mayUsers(p) && p.Can("create_users") && p.Can("promote_users")
}

// usersForm contains the values of the page of the users.
type usersForm struct {
	Own    bool
	Users  []calendar.User
	Roles  []string // roles that the caller may give
	New    calendar.NewUser
	Errors fieldErrors
}

// invited contains the values of the page that shows a new invitation, once.
type invited struct{ Login, Address, Ends string }

func (s *Site) usersForm(r *request) (f usersForm, err error) {
	settings, err := s.Calendar.SiteSettings(r.Context())
	if f.Own = settings.Own; err != nil {
		return f, err
	}
	if f.Users, err = s.accounts.Users(r.Context()); err != nil {
		return f, err
	}
	f.Roles, err = s.accounts.Roles(r.Context())
	return f, err
}

func showUsers(s *Site, r *request) (answer, error) {
	form, err := s.usersForm(r)
	return shown("users.html", "users", form), err
}

// newUser returns the user that a form describes.
func (r *request) newUser() calendar.NewUser {
	return calendar.NewUser{Login: r.form.Get("login"), Email: r.form.Get("email"), Role: r.form.Get("role")}
}

func addUser(s *Site, r *request) (answer, error) {
	n := r.newUser()
	sent, err := s.accounts.Add(r.Context(), n)
	if errs, ok := fieldsOf(err); ok {
		form, err := s.usersForm(r)
		form.New, form.Errors = n, errs
		return refused("users.html", "users", form), err
	}
	return s.showInvited(r, n.Login, sent), err
}

// resumeUsers shows the form of an invitation that was sent after the session had ended, for the user who has signed in
// again.
func resumeUsers(s *Site, r *request) (answer, error) {
	form, err := s.usersForm(r)
	form.New, form.Errors = r.newUser(), fieldErrors{"": "signin.resumed"}
	return shown("users.html", "users", form), err
}

func inviteAgain(s *Site, r *request) (answer, error) {
	sent, err := s.accounts.Invite(r.Context(), r.id)
	if err != nil {
		return answer{}, err
	}
	login, err := s.accounts.Invited(r.Context(), sent.Key)
	return s.showInvited(r, login, sent), err
}

// showInvited shows the address of an invitation, which is not stored.
func (s *Site) showInvited(r *request, login string, sent calendar.Invitation) answer {
	return shown("invited.html", "invited", invited{
		Login: login, Address: s.public(r) + r.link(invitationPath+"/"+sent.Key+"/"),
		Ends: sent.Ends.In(s.Zone).Format("2006-01-02 15:04"),
	})
}

// public returns the scheme and host of addresses that are sent to others.
func (s *Site) public(r *request) string {
	switch {
	case s.Origin != "":
		return s.Origin
	case s.accounts.Connection(r.Request).Encrypted:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

const (
	invitationPath = "/invitation"
	// FirstPath is the path below Root of the page for creating the first user of a site. It is followed by the key
	// from calendar.Accounts.OpenFirst.
	FirstPath = "/first"
)

var secretPath = regexp.MustCompile(Root + "(" + invitationPath + "|" + FirstPath + ")/[^/]+")

// Logged returns the path of a request in a form that can be logged: without the secret of an invitation or of the
// first user.
func Logged(path string) string { return secretPath.ReplaceAllString(path, Root+"$1/…") }

// welcomeForm contains the values of the pages of an invitation and of the first user.
type welcomeForm struct {
	Login, Email string
	First        bool
	Refused      bool // no password is accepted over this connection
	Errors       fieldErrors
}

func (s *Site) welcome(r *request, form welcomeForm) answer {
	form.Refused = !s.accounts.Connection(r.Request).Accepted
	title := "welcome"
	if form.First {
		title = "first"
	}
	if form.Errors != nil {
		return refused("welcome.html", title, form)
	}
	return shown("welcome.html", title, form)
}

func showInvitation(s *Site, r *request) (answer, error) {
	login, err := s.accounts.Invited(r.Context(), r.key)
	return s.welcome(r, welcomeForm{Login: login}), err
}

func acceptInvitation(s *Site, r *request) (answer, error) {
	login, err := s.accounts.Invited(r.Context(), r.key)
	if err != nil {
		return answer{}, err
	}
	session, err := s.accounts.Accept(r.Context(), r.Request, r.key, r.form.Get("password"))
	return s.welcomed(r, welcomeForm{Login: login}, session, err)
}

// welcomed redirects to the start page if there is a session, or shows the form with its errors.
func (s *Site) welcomed(r *request, form welcomeForm, session calendar.Session, err error) (answer, error) {
	if errs, ok := fieldsOf(err); ok {
		form.Errors = errs
		return s.welcome(r, form), nil
	}
	return done(r.link("/"), "welcome").withCookie(s.cookieFor(r, session, false)), err
}

func showFirst(s *Site, r *request) (answer, error) {
	err := s.accounts.First(r.Context(), r.key)
	return s.welcome(r, welcomeForm{First: true}), err
}

func addFirst(s *Site, r *request) (answer, error) {
	form := welcomeForm{First: true, Login: r.form.Get("login"), Email: r.form.Get("email")}
	session, err := s.accounts.AddFirst(r.Context(), r.Request, r.key, form.Login, form.Email, r.form.Get("password"))
	return s.welcomed(r, form, session, err)
}
