package users

import "github.com/agendahq/agenda/internal/auth"

// DefaultName is the default name of an application password.
const DefaultName = "Agenda"

// Check returns an error if an account is invalid, as far as that can be checked without the site.
func (a Account) Check() error {
	switch {
	case a.Login == "":
		return mistake("--login is missing: name the new user")
	case !auth.IsLogin(a.Login):
		return mistake("--login %q: use 1 to %d letters (a to z), digits and . - _ @, with single spaces between them", a.Login,
			auth.MaxLogin)
	case a.Email == "":
		return mistake("--email is missing: name the user's e-mail address")
	case !auth.IsEmail(a.Email):
		return mistake("--email %q: use an address such as anna@example.org, at most %d characters", a.Email, auth.MaxEmail)
	}
	return nil
}

// CheckPassword returns an error if a chosen application password is too short.
func CheckPassword(chosen string) error {
	if !auth.Strong(chosen) {
		return mistake("the password is too short: use at least %d letters (a to z) and digits; other characters do not count",
			auth.MinPassword)
	}
	return nil
}

func checkName(name string) error {
	if !auth.IsPasswordName(name) {
		return mistake("--password-name: use 1 to %d printable characters", auth.MaxPasswordName)
	}
	return nil
}
