package calendar

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/userstore"
	"github.com/agendahq/agenda/internal/wp/phpval"
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

// mostUsers limits the list of users. Standalone sites have few.
const mostUsers = 500

// manage is write for operations that a site with another admin leaves to that admin. It fails there, and if the caller
// lacks the given capability; "" requires none.
func (a Accounts) manage(ctx context.Context, right string, do func(ctx context.Context, p caller.Principal) error) error {
	return a.withWrites(ctx, func(ctx context.Context) error {
		p := caller.From(ctx)
		if !site.From(ctx).Own || right != "" && !p.Can(right) {
			return caller.ErrForbidden
		}
		return do(ctx, p)
	})
}

// Users returns the users of the site, the oldest first. The caller needs the capability "list_users".
func (a Accounts) Users(ctx context.Context) (all []User, err error) {
	err = a.use(ctx, func(ctx context.Context) error {
		p := caller.From(ctx)
		if !p.Can(auth.RightList) {
			return caller.ErrForbidden
		}
		found, err := a.c.users.Store.List(ctx, mostUsers)
		for _, u := range found {
			all = append(all, a.described(ctx, p, u))
		}
		return err
	})
	return all, err
}

func (a Accounts) described(ctx context.Context, p caller.Principal, u *userstore.User) User {
	found := User{ID: u.ID, Login: u.Login, Email: u.Email, HasPassword: auth.HasAccountPassword(u.PasswordHash)}
	roles := site.From(ctx).Roles
	if stored, err := phpval.Unserialize(u.Capabilities); err == nil {
		if list, ok := stored.(*phpval.Array); ok {
			for name := range list.All() {
				if roles[name.String()] != nil {
					found.Roles = append(found.Roles, name.String())
				}
			}
		}
	}
	if list, err := auth.ListPasswords(u.ApplicationPasswords); err == nil {
		found.Passwords = len(list)
	}
	found.Mine = a.mayInvite(ctx, p, u) == nil
	return found
}

// mayInvite returns an error unless the caller may create a link with which the user chooses a new password. Since the
// caller could use that link, the caller needs all rights of the user.
func (a Accounts) mayInvite(ctx context.Context, p caller.Principal, u *userstore.User) error {
	may := site.From(ctx).Own && p.Can(auth.RightEdit) && p.Can(auth.RightCreate) && p.Can(auth.RightPromote)
	if !may || !a.c.users.Covers(ctx, p, u) {
		return caller.ErrForbidden
	}
	return nil
}

// Roles returns, in alphabetical order, the roles that the caller may give to a new user: those without rights that the
// caller lacks. There are none if the caller may not create and promote users, and on sites with another admin.
func (a Accounts) Roles(ctx context.Context) (names []string, err error) {
	err = a.use(ctx, func(ctx context.Context) error {
		names = a.grants(ctx, caller.From(ctx))
		return nil
	})
	return names, err
}

func (a Accounts) grants(ctx context.Context, p caller.Principal) []string {
	if !site.From(ctx).Own || !p.Can(auth.RightCreate) || !p.Can(auth.RightPromote) {
		return nil
	}
	names := slices.Sorted(maps.Keys(site.From(ctx).Roles))
	return slices.DeleteFunc(names, func(name string) bool { return !a.c.users.Grants(ctx, p, name) })
}

// Add creates a user on a standalone site. The user has no password until the invitation is used. The role must be one
// of Roles.
func (a Accounts) Add(ctx context.Context, n NewUser) (sent Invitation, err error) {
	err = a.manage(ctx, auth.RightCreate, func(ctx context.Context, p caller.Principal) error {
		if !slices.Contains(a.grants(ctx, p), n.Role) {
			return auth.ErrRole
		}
		key, stored, ends := a.c.users.NewInvitation()
		id, err := a.c.users.Add(ctx, auth.NewUser(n), userstore.NoPassword, stored, func([]string) error { return nil })
		sent = invitation(id, key, ends)
		return err
	})
	return sent, err
}

func invitation(user int64, key string, ends time.Time) Invitation {
	return Invitation{User: user, Key: strconv.FormatInt(user, 10) + tokenMark + key, Ends: ends}
}

// Invite creates a new invitation for a user of a standalone site, and invalidates earlier ones. The caller needs all
// rights of the user.
func (a Accounts) Invite(ctx context.Context, user int64) (sent Invitation, err error) {
	err = a.manage(ctx, auth.RightEdit, func(ctx context.Context, p caller.Principal) error {
		u, err := a.c.users.Store.ByID(ctx, user)
		if errors.Is(err, userstore.ErrNoUser) {
			return auth.ErrUnknownAccount
		}
		if err == nil {
			err = a.mayInvite(ctx, p, u)
		}
		if err != nil {
			return err
		}
		key, stored, ends := a.c.users.NewInvitation()
		sent = invitation(u.ID, key, ends)
		return a.c.users.Store.SetKey(ctx, u.ID, stored)
	})
	return sent, err
}

// Invited returns the login of the user for whom an Invitation with the given Key was created. It returns an *Error
// with status 410 if there is none, or if it was used.
func (a Accounts) Invited(ctx context.Context, key string) (login string, err error) {
	err = a.use(ctx, func(ctx context.Context) error {
		u, _, err := a.invited(ctx, key)
		if err == nil {
			login = u.Login
		}
		return err
	})
	return login, err
}

func (a Accounts) invited(ctx context.Context, key string) (*userstore.User, string, error) {
	user, token, ok := cutToken(key)
	if !ok || !site.From(ctx).Own {
		return nil, "", auth.ErrInvitation
	}
	return a.c.users.Invited(ctx, user, token)
}

// Accept sets the password of the user of an Invitation, 10 to 4096 bytes, ends all other sessions of the user, and
// creates a new one.
func (a Accounts) Accept(ctx context.Context, r *http.Request, key, password string) (began Session, err error) {
	err = a.withWrites(ctx, func(ctx context.Context) error {
		if err := a.secure(r); err != nil {
			return err
		}
		u, stored, err := a.invited(ctx, key)
		if err == nil {
			err = a.c.users.SetPassword(ctx, u, password, stored)
		}
		if err != nil {
			return err
		}
		began, err = a.begin(ctx, r, u, "", false)
		return err
	})
	return began, err
}

// ChangePassword sets a new password for the user of a session, on a standalone site. old is the password with which
// the user signs in; attempts count towards the limits of SignIn. All sessions of the user end, and a new one is
// created.
func (a Accounts) ChangePassword(ctx context.Context, r *http.Request, s Session, old, password string) (began Session, err error) {
	err = a.manage(ctx, "", func(ctx context.Context, _ caller.Principal) error {
		if _, err := auth.HashChosen(password); err != nil {
			return err
		}
		u, err := a.confirmed(ctx, r, s, old)
		if err == nil {
			err = a.c.users.SetPassword(ctx, u, password, "")
		}
		if err != nil {
			return err
		}
		began, err = a.begin(ctx, r, u, "", s.Ends.Sub(a.c.options.Now()) > 24*time.Hour)
		return err
	})
	return began, err
}

// confirmed returns the user of a session if the password is right.
func (a Accounts) confirmed(ctx context.Context, r *http.Request, s Session, password string) (*userstore.User, error) {
	u, _, err := a.c.users.SignIn(ctx, r, s.Login, password)
	if err == nil && u.ID != s.UserID {
		err = errNoSession
	}
	return u, err
}

// AppPassword is an application password of a user, with which programs log in to the API.
type AppPassword struct {
	ID, Name, LastAddress string
	Made, Used            time.Time // the zero time if unknown or never
}

// Account returns the user of a session, and the user's application passwords.
func (a Accounts) Account(ctx context.Context, s Session) (found User, all []AppPassword, err error) {
	err = a.use(ctx, func(ctx context.Context) error {
		u, err := a.c.users.Store.ByID(ctx, s.UserID)
		if err != nil {
			return err
		}
		found = a.described(ctx, caller.From(ctx), u)
		list, err := auth.ListPasswords(u.ApplicationPasswords)
		for _, p := range list {
			all = append(all, AppPassword{ID: p.UUID, Name: p.Name, LastAddress: p.LastIP, Made: p.Created, Used: p.LastUsed})
		}
		return err
	})
	return found, all, err
}

// AddAppPassword creates an application password for the user of a session, on a standalone site, and returns it; only
// its hash is stored. password is the one with which the user signs in.
func (a Accounts) AddAppPassword(ctx context.Context, r *http.Request, s Session, password, name string) (plain string, err error) {
	err = a.manage(ctx, "", func(ctx context.Context, _ caller.Principal) error {
		if !auth.IsPasswordName(name) {
			return auth.ErrPasswordName
		}
		u, err := a.confirmed(ctx, r, s, password)
		if err == nil {
			err = a.c.users.Store.AllowPasswords(ctx)
		}
		if err != nil {
			return err
		}
		plain, err = a.c.users.AddPassword(ctx, u.ID, name)
		return err
	})
	return plain, err
}

// RevokeAppPassword removes the application password with an ID from the user of a session. Sessions that began with it
// end.
func (a Accounts) RevokeAppPassword(ctx context.Context, s Session, id string) error {
	return a.withWrites(ctx, func(ctx context.Context) error { return a.c.users.RevokePassword(ctx, s.UserID, id) })
}

// secure returns an error if no password is accepted over the connection of a request.
func (a Accounts) secure(r *http.Request) error {
	if !a.c.users.Network.Secure(r) {
		return errPlain
	}
	return nil
}

// begin creates a session for a user.
func (a Accounts) begin(ctx context.Context, r *http.Request, u *userstore.User, used string, remember bool) (Session, error) {
	rights, err := a.c.users.Capabilities(ctx, u.ID)
	if err == nil && !rights[auth.RightRead] {
		err = caller.ErrForbidden // the user has no role on the site
	}
	if err != nil {
		return Session{}, err
	}
	token, ends, err := a.c.users.Begin(ctx, r, u, used, remember)
	p := forHost(caller.Principal{UserID: u.ID, Login: u.Login, Capabilities: rights})
	return Session{p, sessionToken(u.ID, token), ends}, err
}
