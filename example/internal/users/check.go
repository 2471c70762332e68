package users

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/auth"
)

// The limits are those of the columns.
const (
	maxLogin = 60
	maxEmail = 100
	maxName  = 100 // of an application password; the site has no limit
)

var (
	login = regexp.MustCompile(`^[A-Za-z0-9 ._@-]+$`)
	email = regexp.MustCompile("^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+@" +
		`([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$`)
)

// DefaultName is the name of an application password unless another is given.
const DefaultName = "Agenda"

// Check returns what is wrong with an account, as far as that can be checked
// without the site.
func (a Account) Check() error {
	switch {
	case a.Login == "":
		return mistake("--login is missing: name the new user")
	case len(a.Login) > maxLogin || !login.MatchString(a.Login):
		return mistake("--login %q: use 1 to %d letters (a to z), digits, spaces and . - _ @", a.Login, maxLogin)
	case strings.Join(strings.Fields(a.Login), " ") != a.Login:
		// A site joins the blanks in a login name that a user types.
		return mistake("--login %q: use single spaces, and none at the start or the end", a.Login)
	case a.Email == "":
		return mistake("--email is missing: name the user's e-mail address")
	case len(a.Email) > maxEmail || !email.MatchString(a.Email):
		return mistake("--email %q: use an address such as anna@example.org, at most %d characters", a.Email, maxEmail)
	}
	return nil
}

// CheckPassword returns what is wrong with a chosen application password.
func CheckPassword(chosen string) error {
	if !auth.Strong(chosen) {
		return mistake("the password is too short: use at least %d letters (a to z) and digits; others do not count", auth.MinPassword)
	}
	return nil
}

func checkName(name string) error {
	if name = strings.TrimSpace(name); name == "" || utf8.RuneCountInString(name) > maxName ||
		!utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return mistake("--password-name: use 1 to %d characters that can be printed", maxName)
	}
	return nil
}
