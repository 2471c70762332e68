package calendar

import (
	"context"
	"net/http"
	"time"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
)

// User is a user of the site as Users lists it.
type User struct {
	ID           int64
	Login, Email string
	Roles        []string
	Passwords    int  // number of application passwords
	HasPassword  bool // the account itself has a password, besides application passwords
	Mine         bool // the caller may create a link with which the user chooses a new password: see Invite
}

// NewUser is a user to be created. Login has 1 to 60 letters, digits, spaces and . - _ @; Role is a role of the site.
type NewUser struct{ Login, Email, Role string }

// Invitation contains the secret with which a user may choose a password, once, within seven days.
type Invitation struct {
	User int64
	Key  string // letters, digits and a dash: a secret
	Ends time.Time
}

// manage is withWrites for operations that a site with another admin leaves to that admin. It fails there, and if the
// caller lacks the given capability; "" requires none.
func manage[T any](ctx context.Context, a Accounts, right string, do func(ctx context.Context, p caller.Principal) (T, error)) (T, error) {
	return resultOf(ctx, a.withWrites, func(ctx context.Context) (found T, err error) {
		p := caller.From(ctx)
		if !site.From(ctx).Own || right != "" && !p.Can(right) {
			return found, caller.ErrForbidden
		}
		return do(ctx, p)
	})
}

// Users returns the users of the site, the oldest first. The caller needs the capability "list_users".
func (a Accounts) Users(ctx context.Context) (all []User, err error) {
	found, err := resultOf(ctx, a.use, func(ctx context.Context) ([]auth.Account, error) {
		return a.c.accounts.List(ctx, caller.From(ctx))
	})
	for _, u := range found {
		all = append(all, User(u))
	}
	return all, err
}

// Roles returns, in alphabetical order, the roles that the caller may give to a new user: those without rights that the
// caller lacks. There are none if the caller may not create and promote users, and on sites with another admin.
func (a Accounts) Roles(ctx context.Context) (names []string, err error) {
	return resultOf(ctx, a.use, func(ctx context.Context) ([]string, error) { return a.c.accounts.Roles(ctx, caller.From(ctx)), nil })
}

// Add creates a user on a standalone site. The user has no password until the invitation is used. The role must be one
// of Roles.
func (a Accounts) Add(ctx context.Context, n NewUser) (sent Invitation, err error) {
	i, err := manage(ctx, a, auth.RightCreate, func(ctx context.Context, p caller.Principal) (auth.Invitation, error) {
		return a.c.accounts.Add(ctx, p, auth.NewUser(n))
	})
	return Invitation(i), err
}

// Invite creates a new invitation for a user of a standalone site, and invalidates earlier ones. The caller needs all
// rights of the user.
func (a Accounts) Invite(ctx context.Context, user int64) (sent Invitation, err error) {
	i, err := manage(ctx, a, auth.RightEdit, func(ctx context.Context, p caller.Principal) (auth.Invitation, error) {
		return a.c.accounts.Invite(ctx, p, user)
	})
	return Invitation(i), err
}

// Invited returns the login of the user for whom an Invitation with the given Key was created. It returns an *Error
// with status 410 if there is none, or if it was used.
func (a Accounts) Invited(ctx context.Context, key string) (login string, err error) {
	return resultOf(ctx, a.use, func(ctx context.Context) (string, error) {
		u, _, err := a.c.accounts.Invited(ctx, key)
		if err != nil {
			return "", err
		}
		return u.Login, nil
	})
}

// Accept sets the password of the user of an Invitation, 10 to 4096 bytes, ends all other sessions of the user, and
// creates a new one.
func (a Accounts) Accept(ctx context.Context, r *http.Request, key, password string) (began Session, err error) {
	return a.begin(ctx, func(ctx context.Context) (auth.Began, error) { return a.c.accounts.Accept(ctx, r, key, password) })
}

// ChangePassword sets a new password for the user of a session, on a standalone site. old is the password with which
// the user signs in; attempts count towards the limits of SignIn. All sessions of the user end, and a new one is
// created.
func (a Accounts) ChangePassword(ctx context.Context, r *http.Request, s Session, old, password string) (began Session, err error) {
	b, err := manage(ctx, a, "", func(ctx context.Context, _ caller.Principal) (auth.Began, error) {
		return a.c.accounts.ChangePassword(ctx, r, s.began(), old, password)
	})
	return sessionOf(b), err
}

// AppPassword is an application password of a user, with which programs log in to the API.
type AppPassword struct {
	ID, Name, LastAddress string
	Made, Used            time.Time // the zero time if unknown or never
}

// Account returns the user of a session, and the user's application passwords.
func (a Accounts) Account(ctx context.Context, s Session) (found User, all []AppPassword, err error) {
	err = a.use(ctx, func(ctx context.Context) error {
		u, list, err := a.c.accounts.Account(ctx, caller.From(ctx), s.UserID)
		if err != nil {
			return err
		}
		found = User(u)
		for _, p := range list {
			all = append(all, AppPassword{ID: p.UUID, Name: p.Name, LastAddress: p.LastIP, Made: p.Created, Used: p.LastUsed})
		}
		return nil
	})
	return found, all, err
}

// AddAppPassword creates an application password for the user of a session, on a standalone site, and returns it; only
// its hash is stored. password is the one with which the user signs in.
func (a Accounts) AddAppPassword(ctx context.Context, r *http.Request, s Session, password, name string) (plain string, err error) {
	return manage(ctx, a, "", func(ctx context.Context, _ caller.Principal) (string, error) {
		return a.c.accounts.AddAppPassword(ctx, r, s.began(), password, name)
	})
}

// RevokeAppPassword removes the application password with an ID from the user of a session. Sessions that began with it
// end.
func (a Accounts) RevokeAppPassword(ctx context.Context, s Session, id string) error {
	return a.withWrites(ctx, func(ctx context.Context) error { return a.c.users.RevokePassword(ctx, s.UserID, id) })
}
