package auth

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"golang.org/x/crypto/bcrypt"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// MinAccountPassword is how many bytes an account's own password has at least, and MaxAccountPassword at most: WordPress checks no
// longer one.
const (
	MinAccountPassword = 10
	MaxAccountPassword = maxPassword
)

// accountCost is the cost of bcrypt that WordPress stores accounts' passwords with.
const accountCost = 10

// HashAccountPassword returns the hash of an account's own password, as WordPress stores it.
func HashAccountPassword(plain string) (string, error) {
	slow <- struct{}{}
	defer func() { <-slow }()
	hash, err := bcrypt.GenerateFromPassword([]byte(slowText(phpval.Trim(plain))), accountCost)
	if err != nil {
		return "", err
	}
	// PHP's name for the same function.
	return "$wp" + string(bytes.Replace(hash, []byte("$2a$"), []byte("$2y$"), 1)), nil
}

// HasAccountPassword reports whether an account's stored hash is of some password: what is made here begins with one that nobody has.
func HasAccountPassword(hash string) bool {
	const md5Length = 32
	return strings.HasPrefix(hash, "$") || len(hash) == md5Length
}

// IsAccountPassword reports whether a password is an account's own one.
func IsAccountPassword(plain, hash string) bool {
	plain = phpval.Trim(plain) // as WordPress does before it stores and checks one
	return plain != "" && len(plain) <= MaxAccountPassword && HasAccountPassword(hash) && slowMatches(plain, hash)
}

// SignIn finds the user who signs in on a page. On a site of our own that is who knows the password of the account, or an application
// password while the account has none. Beside a site with an admin of its own it is an application password alone: the account's own is
// for that, where it may need more than a password. used is the id of the application password, "" for the account's.
func (u *Users) SignIn(ctx context.Context, r *http.Request, name, password string) (user *store.User, used string, err error) {
	settings := site.From(ctx)
	if name == "" || password == "" || !settings.Own && !settings.ApplicationPasswords {
		return nil, "", rest.ErrPassword
	}
	var item *phpval.Array
	user, err = u.login(ctx, r, name, func(user *store.User) bool {
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
	return user, text(item, fieldUUID), nil
}
