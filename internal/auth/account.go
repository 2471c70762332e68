package auth

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"golang.org/x/crypto/bcrypt"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/userstore"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// MinAccountPassword and MaxAccountPassword are the minimum and maximum length of an account's password in bytes.
// WordPress rejects longer passwords when a user logs in.
const (
	MinAccountPassword = 10
	MaxAccountPassword = maxPassword
)

// accountCost is the bcrypt cost with which WordPress hashes the passwords of accounts.
const accountCost = 10

// HashAccountPassword returns the hash of an account's password in the form in which WordPress stores it.
func HashAccountPassword(plain string) (string, error) {
	slow <- struct{}{}
	defer func() { <-slow }()
	hash, err := bcrypt.GenerateFromPassword([]byte(slowText(phpval.Trim(plain))), accountCost)
	if err != nil {
		return "", err
	}
	// PHP calls the same algorithm $2y$.
	return "$wp" + string(bytes.Replace(hash, []byte("$2a$"), []byte("$2y$"), 1)), nil
}

// HasAccountPassword reports whether an account has a usable password, judging by its stored hash. Accounts created
// here without a password get a hash in a form that no password matches.
func HasAccountPassword(hash string) bool {
	const md5Length = 32
	return strings.HasPrefix(hash, "$") || len(hash) == md5Length
}

// IsAccountPassword reports whether a password is the account's password.
func IsAccountPassword(plain, hash string) bool {
	plain = phpval.Trim(plain) // WordPress trims a password before it stores and checks it
	return plain != "" && len(plain) <= MaxAccountPassword && HasAccountPassword(hash) && slowMatches(plain, hash)
}

// SignIn finds the user who signs in on one of our pages. On a site that Agenda manages itself, it accepts the
// account's password or, as long as the account has none, an application password. Beside a WordPress with its own
// admin, it only accepts application passwords: the account's password is for that admin, which may require a second
// factor. used is the id of the application password, or "" if the account's password was used.
func (u *Users) SignIn(ctx context.Context, r *http.Request, name, password string) (user *userstore.User, used string, err error) {
	settings := site.From(ctx)
	if name == "" || password == "" || !settings.Own && !settings.ApplicationPasswords {
		return nil, "", rest.ErrPassword
	}
	var item *phpval.Array
	user, err = u.login(ctx, r, name, func(user *userstore.User) bool {
		if settings.Own && HasAccountPassword(user.PasswordHash) {
			return IsAccountPassword(password, user.PasswordHash)
		}
		item = usedPassword(user, password)
		return item != nil
	})
	if err != nil || item == nil {
		return user, "", err
	}
	u.noteUse(ctx, r, user, item)
	return user, stringField(item, fieldUUID), nil
}
