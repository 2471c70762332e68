package editing

import (
	"errors"
	"net/http"

	"github.com/agendahq/agenda/calendar"
)

// accountPages returns the pages on which users sign in and manage accounts.
func accountPages() []page {
	return []page{
		{method: http.MethodGet, path: signInPath, may: anyone, show: showSignIn},
		{method: http.MethodPost, path: signInPath, may: anyone, show: signIn, body: signInLimit},
		{method: http.MethodPost, path: signOutPath, may: signedIn, show: signOut},

		{method: http.MethodGet, path: accountPath, may: signedIn, show: showAccount},
		{method: http.MethodPost, path: accountPath + "/password", may: signedIn, show: changePassword},
		{method: http.MethodPost, path: accountPath + "/programs", may: signedIn, show: addAppPassword,
			resume: resumeAccount, keeps: []string{"name"}},
		{method: http.MethodPost, path: accountPath + "/programs/{key}/revoke", may: signedIn, show: revokeAppPassword},

		{method: http.MethodGet, path: usersPath, may: mayUsers, show: showUsers},
		{method: http.MethodPost, path: usersPath, may: mayInvite, show: addUser,
			resume: resumeUsers, keeps: []string{"login", "email", "role"}},
		{method: http.MethodPost, path: usersPath + "/{id}/invite", may: mayInvite, show: inviteAgain},

		{method: http.MethodGet, path: invitationPath + "/{key}", may: anyone, show: showInvitation},
		{method: http.MethodPost, path: invitationPath + "/{key}", may: anyone, show: acceptInvitation},
		{method: http.MethodGet, path: FirstPath + "/{key}", may: anyone, show: showFirst},
		{method: http.MethodPost, path: FirstPath + "/{key}", may: anyone, show: addFirst},
	}
}

// accountForm contains the values of the page of an account.
type accountForm struct {
	User      calendar.User
	Own       bool // passwords are managed here, not in another admin
	Passwords []calendar.AppPassword
	Made      string // a new application password, which is shown once
	Name      string // name entered for a new application password
	Errors    fieldErrors
}

func (s *Site) accountForm(r *request) (accountForm, error) {
	settings, err := s.Calendar.SiteSettings(r.Context())
	if err != nil {
		return accountForm{}, err
	}
	user, passwords, err := s.accounts.Account(r.Context(), r.session)
	return accountForm{User: user, Own: settings.Own, Passwords: passwords}, err
}

func showAccount(s *Site, r *request) (answer, error) {
	form, err := s.accountForm(r)
	return shown("account.html", "account", form), err
}

// changePassword sets a new password for the account. The browser gets a new session, and all others end.
func changePassword(s *Site, r *request) (answer, error) {
	session, err := s.accounts.ChangePassword(r.Context(), r.Request, r.session, r.form.Get("old"), r.form.Get("password"))
	if err != nil {
		return s.accountRefused(r, err)
	}
	return done(r.link(accountPath+"/"), "password").withCookie(s.cookieFor(r, session, false)), nil
}

func (s *Site) accountRefused(r *request, err error) (answer, error) {
	errs, ok := fieldsOf(err)
	if !ok {
		return answer{}, err
	}
	form, err := s.accountForm(r)
	form.Errors, form.Name = errs, r.form.Get("name")
	return refused("account.html", "account", form), err
}

func addAppPassword(s *Site, r *request) (answer, error) {
	made, err := s.accounts.AddAppPassword(r.Context(), r.Request, r.session, r.form.Get("confirm"), r.form.Get("name"))
	if isWrongPassword(err) {
		err = &fieldError{"confirm", "account.old.wrong"}
	}
	if err != nil {
		return s.accountRefused(r, err)
	}
	form, err := s.accountForm(r)
	form.Made = made
	return shown("account.html", "account", form), err
}

// resumeAccount shows the form for a new application password, which was sent after the session had ended, for the user
// who has signed in again.
func resumeAccount(s *Site, r *request) (answer, error) {
	form, err := s.accountForm(r)
	form.Name, form.Errors = r.form.Get("name"), fieldErrors{"": "signin.resumed"}
	return shown("account.html", "account", form), err
}

func revokeAppPassword(s *Site, r *request) (answer, error) {
	err := s.accounts.RevokeAppPassword(r.Context(), r.session, r.key)
	return done(r.link(accountPath+"/"), "revoked"), err
}

// fieldError is the error of a field. text is a message or the key of one.
type fieldError struct{ field, text string }

func (e *fieldError) Error() string { return "editing: " + e.field + ": " + e.text }

// fieldsByCode maps codes of the calendar's errors to fields of these forms.
var fieldsByCode = map[string]string{
	"rest_user_login": "login", "rest_user_email": "email", "rest_user_role": "role", "rest_user_password": "password",
	"rest_password_name": "name",
}

// fieldsOf returns the errors of the fields of an account form. ok is false if err is about anything else.
func fieldsOf(err error) (errs fieldErrors, ok bool) {
	var field *fieldError
	if errors.As(err, &field) {
		return fieldErrors{field.field: field.text}, true
	}
	if isWrongPassword(err) {
		return fieldErrors{"old": "account.old.wrong"}, true
	}
	var refused *calendar.Error
	if !errors.As(err, &refused) || fieldsByCode[refused.Code] == "" {
		return nil, false
	}
	return fieldErrors{fieldsByCode[refused.Code]: refused.Message}, true
}

func isWrongPassword(err error) bool {
	var refused *calendar.Error
	return errors.As(err, &refused) && refused.Code == "incorrect_password"
}
