package auth

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/userstore"
)

// Limits of the names of users, given by the columns of the database. The limit for the name of an application password
// is our own.
const (
	MaxLogin        = 60
	MaxEmail        = 100
	MaxPasswordName = 100
)

var (
	loginForm = regexp.MustCompile(`^[A-Za-z0-9 ._@-]+$`)
	emailForm = regexp.MustCompile("^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+@" +
		`([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$`)
)

// Errors for the names and passwords of users. Errors of a single parameter have status 400, as everywhere.
var (
	ErrLogin          = apierror.New(http.StatusBadRequest, "rest_user_login", "error_user_login")
	ErrEmail          = apierror.New(http.StatusBadRequest, "rest_user_email", "error_user_email")
	ErrRole           = apierror.New(http.StatusBadRequest, "rest_user_role", "error_user_role")
	ErrLoginTaken     = apierror.New(http.StatusBadRequest, "rest_user_login", "error_user_login_taken")
	ErrEmailTaken     = apierror.New(http.StatusBadRequest, "rest_user_email", "error_user_email_taken")
	ErrWeakPassword   = apierror.New(http.StatusBadRequest, "rest_user_password", "error_user_password")
	ErrPasswordName   = apierror.New(http.StatusBadRequest, "rest_password_name", "error_password_name")
	ErrInvitation     = apierror.New(http.StatusGone, "rest_invitation", "error_invitation")
	ErrUnknownAccount = apierror.New(http.StatusNotFound, "rest_user_invalid_id", "error_user_unknown")
)

// IsLogin reports whether a new user may have this login name. It must not contain adjacent blanks, because WordPress
// joins those in what a user types.
func IsLogin(name string) bool {
	return len(name) <= MaxLogin && loginForm.MatchString(name) && strings.Join(strings.Fields(name), " ") == name
}

// IsEmail reports whether a new user may have this e-mail address.
func IsEmail(address string) bool { return len(address) <= MaxEmail && emailForm.MatchString(address) }

// IsPasswordName reports whether an application password may have this name.
func IsPasswordName(name string) bool {
	name = strings.TrimSpace(name)
	return name != "" && utf8.RuneCountInString(name) <= MaxPasswordName && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, unicode.IsControl)
}

// NewUser is a user to add.
type NewUser struct{ Login, Email, Role string }

// covers reports whether a caller has all the given capabilities, so that nobody can create a user with more rights, or
// act as one. Names of roles, which WordPress stores among them, are ignored.
func (u *Users) covers(ctx context.Context, p caller.Principal, rights map[string]bool) bool {
	rights = u.Limit(ctx, rights)
	roles := site.From(ctx).Roles
	for right, held := range rights {
		if _, name := roles[right]; held && !name && !p.Can(right) {
			return false
		}
	}
	return true
}

// Add adds a user with a password hash or with the key of an invitation. admit is called within the transaction with
// the stored rights of the site's users, and can reject the addition.
func (u *Users) Add(ctx context.Context, n NewUser, passwordHash, key string, admit func(rights []string) error) (int64, error) {
	switch {
	case !IsLogin(n.Login):
		return 0, ErrLogin
	case !IsEmail(n.Email):
		return 0, ErrEmail
	}
	id, err := u.Store.Add(ctx, userstore.NewUser{
		Login: n.Login, Email: n.Email, Role: n.Role, Level: site.From(ctx).Roles.Level(n.Role), PasswordHash: passwordHash,
		ActivationKey: key,
	}, u.Now(), func(roles string, rights []string) error {
		if site.ParseRoles(roles)[n.Role] == nil {
			return ErrRole
		}
		return admit(rights)
	})
	switch {
	case errors.Is(err, userstore.ErrLoginTaken):
		err = ErrLoginTaken
	case errors.Is(err, userstore.ErrEmailTaken):
		err = ErrEmailTaken
	}
	return id, err
}

// HashChosen returns the hash of a password that a user chose for the account, or an error if it is too short or too
// long.
func HashChosen(plain string) (string, error) {
	if n := len(strings.TrimSpace(plain)); n < MinAccountPassword || len(plain) > MaxAccountPassword {
		return "", ErrWeakPassword
	}
	return HashAccountPassword(plain)
}

// invitationTime is how long an invitation can be used.
const invitationTime = 7 * 24 * time.Hour

// NewInvitation returns a token for the URL of an invitation, the key to store for it, and when it expires. The key has
// the column and the format in which WordPress stores the key for resetting a password.
func (u *Users) NewInvitation() (token, stored string, ends time.Time) {
	token, now := NewToken(), u.Now()
	return token, strconv.FormatInt(now.Unix(), 10) + ":" + fastHash(token), now.Add(invitationTime)
}

// Invited returns the user for the token of an invitation, and its stored key.
func (u *Users) Invited(ctx context.Context, id int64, token string) (*userstore.User, string, error) {
	stored, err := u.Store.Key(ctx, id)
	if err != nil {
		return nil, "", err
	}
	begun, hash, _ := strings.Cut(stored, ":")
	since, err := strconv.ParseInt(begun, 10, 64)
	if len(token) != tokenLength || err != nil || !equal(fastHash(token), hash) || u.Now().After(time.Unix(since, 0).Add(invitationTime)) {
		return nil, "", ErrInvitation
	}
	user, err := u.Store.ByID(ctx, id)
	if errors.Is(err, userstore.ErrNoUser) || err == nil && user.Barred {
		err = ErrInvitation
	}
	return user, stored, err
}

// SetPassword sets the password of an account and ends all its sessions. invitation is the stored key of the invitation
// that permits this, or "" if the user changes the password.
func (u *Users) SetPassword(ctx context.Context, user *userstore.User, plain, invitation string) error {
	hash, err := HashChosen(plain)
	if err != nil {
		return err
	}
	err = u.Store.SetPassword(ctx, user.ID, hash, invitation)
	if errors.Is(err, userstore.ErrNoUser) {
		err = ErrInvitation // the invitation was used in the meantime
	}
	if err != nil {
		return err
	}
	user.PasswordHash = hash
	return u.EndAll(ctx, user.ID)
}

// Managed reports whether the stored rights of at least one user allow adding users to the site.
func Managed(ctx context.Context, rights []string) bool {
	return slices.ContainsFunc(rights, func(stored string) bool { return site.From(ctx).Capabilities(stored)[RightPromote] })
}

// Rights concerning users, as named by WordPress.
const (
	RightRead    = "read" // required for signing in
	RightList    = "list_users"
	RightCreate  = "create_users"
	RightPromote = "promote_users"
	RightEdit    = "edit_users"
)
