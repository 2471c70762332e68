package auth

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/userstore"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Account is a user of the site as List describes it; see calendar.User.
type Account struct {
	ID           int64
	Login, Email string
	Roles        []string
	Passwords    int
	HasPassword  bool
	Mine         bool
}

// Invitation contains the secret with which a user may choose a password; see calendar.Invitation.
type Invitation struct {
	User int64
	Key  string
	Ends time.Time
}

// mostUsers limits the list of users. Standalone sites have few.
const mostUsers = 500

// List returns the users of the site, the oldest first, to a caller with the right to list them.
func (a *Accounts) List(ctx context.Context, p caller.Principal) (all []Account, err error) {
	if !p.Can(RightList) {
		return nil, caller.ErrForbidden
	}
	found, err := a.Users.Store.List(ctx, mostUsers)
	for _, u := range found {
		all = append(all, a.described(ctx, p, u))
	}
	return all, err
}

func (a *Accounts) described(ctx context.Context, p caller.Principal, u *userstore.User) Account {
	found := Account{ID: u.ID, Login: u.Login, Email: u.Email, HasPassword: HasAccountPassword(u.PasswordHash)}
	roles := site.From(ctx).Roles
	for name := range phpval.ArrayOf(u.Capabilities).All() {
		if roles[name.String()] != nil {
			found.Roles = append(found.Roles, name.String())
		}
	}
	if list, err := ListPasswords(u.ApplicationPasswords); err == nil {
		found.Passwords = len(list)
	}
	found.Mine = a.mayInvite(ctx, p, u) == nil
	return found
}

// mayInvite returns an error unless the caller may create a link with which the user chooses a new password. Since the
// caller could use that link, the caller needs all rights of the user.
func (a *Accounts) mayInvite(ctx context.Context, p caller.Principal, u *userstore.User) error {
	may := site.From(ctx).Own && p.Can(RightEdit) && p.Can(RightCreate) && p.Can(RightPromote)
	if !may || !a.Users.covers(ctx, p, a.Users.rights(ctx, u)) {
		return caller.ErrForbidden
	}
	return nil
}

// Roles returns, in alphabetical order, the roles that the caller may give to a new user: those without rights that the
// caller lacks. There are none if the caller may not create and promote users, and on sites with another admin.
func (a *Accounts) Roles(ctx context.Context, p caller.Principal) []string {
	if !site.From(ctx).Own || !p.Can(RightCreate) || !p.Can(RightPromote) {
		return nil
	}
	roles := site.From(ctx).Roles
	names := slices.Sorted(maps.Keys(roles))
	return slices.DeleteFunc(names, func(name string) bool { return !a.Users.covers(ctx, p, roles[name]) })
}

// Add creates a user, who has no password until the invitation is used. The role must be one of Roles.
func (a *Accounts) Add(ctx context.Context, p caller.Principal, n NewUser) (Invitation, error) {
	if !slices.Contains(a.Roles(ctx, p), n.Role) {
		return Invitation{}, ErrRole
	}
	key, stored, ends := a.Users.NewInvitation()
	id, err := a.Users.Add(ctx, n, userstore.NoPassword, stored, func([]string) error { return nil })
	return Invitation{id, joinToken(id, key), ends}, err
}

// Invite creates a new invitation for a user, and invalidates earlier ones. The caller needs all rights of the user.
func (a *Accounts) Invite(ctx context.Context, p caller.Principal, user int64) (Invitation, error) {
	u, err := a.Users.Store.ByID(ctx, user)
	if errors.Is(err, userstore.ErrNoUser) {
		return Invitation{}, ErrUnknownAccount
	}
	if err == nil {
		err = a.mayInvite(ctx, p, u)
	}
	if err != nil {
		return Invitation{}, err
	}
	key, stored, ends := a.Users.NewInvitation()
	return Invitation{u.ID, joinToken(u.ID, key), ends}, a.Users.Store.SetKey(ctx, u.ID, stored)
}

// Invited returns the user for whom an Invitation with the given Key was created, and the stored key, or ErrInvitation.
func (a *Accounts) Invited(ctx context.Context, key string) (*userstore.User, string, error) {
	user, token, ok := cutToken(key)
	if !ok || !site.From(ctx).Own {
		return nil, "", ErrInvitation
	}
	return a.Users.Invited(ctx, user, token)
}

// Accept sets the password of the user of an Invitation, ends all other sessions of the user, and begins a new one.
func (a *Accounts) Accept(ctx context.Context, r *http.Request, key, password string) (Began, error) {
	if err := a.secure(r); err != nil {
		return Began{}, err
	}
	u, stored, err := a.Invited(ctx, key)
	if err == nil {
		err = a.Users.SetPassword(ctx, u, password, stored)
	}
	if err != nil {
		return Began{}, err
	}
	return a.begin(ctx, r, u, "", false)
}

// ChangePassword sets a new password for the user of a session. old is the one with which the user signs in. All sessions
// of the user end, and a new one begins.
func (a *Accounts) ChangePassword(ctx context.Context, r *http.Request, s Began, old, password string) (Began, error) {
	if _, err := HashChosen(password); err != nil {
		return Began{}, err
	}
	u, err := a.confirmed(ctx, r, s, old)
	if err == nil {
		err = a.Users.SetPassword(ctx, u, password, "")
	}
	if err != nil {
		return Began{}, err
	}
	return a.begin(ctx, r, u, "", s.Ends.Sub(a.Users.Now()) > 24*time.Hour)
}

// Account returns a user, described to a caller, and the user's application passwords.
func (a *Accounts) Account(ctx context.Context, p caller.Principal, user int64) (found Account, all []AppPassword, err error) {
	u, err := a.Users.Store.ByID(ctx, user)
	if err != nil {
		return found, nil, err
	}
	all, err = ListPasswords(u.ApplicationPasswords)
	return a.described(ctx, p, u), all, err
}

// AddAppPassword creates an application password for the user of a session, and returns it. password is the one with
// which the user signs in.
func (a *Accounts) AddAppPassword(ctx context.Context, r *http.Request, s Began, password, name string) (plain string, err error) {
	if !IsPasswordName(name) {
		return "", ErrPasswordName
	}
	u, err := a.confirmed(ctx, r, s, password)
	if err == nil {
		err = a.Users.Store.AllowPasswords(ctx)
	}
	if err != nil {
		return "", err
	}
	return a.Users.AddPassword(ctx, u.ID, name)
}
