package auth

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store/userstore"
)

// ErrEnded is the error for a token without a session, or whose session has ended.
var ErrEnded = apierror.New(http.StatusUnauthorized, "rest_no_session", "error_no_session")

// Accounts is what the users of a site do on pages on which they sign in. Its methods need the settings of the site in
// their context.
type Accounts struct {
	Users *Users
	first firstUser
}

// Began is a session of a user.
type Began struct {
	Principal caller.Principal
	Token     string // stored by the user's browser: a secret
	Ends      time.Time
}

// SignIn begins a session of the user with a name or e-mail address and a password.
func (a *Accounts) SignIn(ctx context.Context, r *http.Request, name, password string, remember bool) (Began, error) {
	user, used, err := a.Users.SignIn(ctx, r, name, password)
	if err != nil {
		return Began{}, err
	}
	return a.begin(ctx, r, user, used, remember)
}

// begin begins a session of a user. used is the id of the application password with which the user signed in, or "".
func (a *Accounts) begin(ctx context.Context, r *http.Request, u *userstore.User, used string, remember bool) (Began, error) {
	rights, err := a.Users.Capabilities(ctx, u.ID)
	if err == nil && !rights[RightRead] {
		err = caller.ErrForbidden // the user has no role on the site
	}
	if err != nil {
		return Began{}, err
	}
	secret, ends, err := a.Users.Begin(ctx, r, u, used, remember)
	if err != nil {
		return Began{}, err
	}
	return Began{caller.Principal{UserID: u.ID, Login: u.Login, Capabilities: rights}, joinToken(u.ID, secret), ends}, nil
}

// Session returns the session of a token, with the current capabilities of its user, or ErrEnded. Users without the right
// to read, such as those without a role or with a role that no longer exists, have no session.
func (a *Accounts) Session(ctx context.Context, token string) (Began, error) {
	id, secret, ok := cutToken(token)
	if !ok {
		return Began{}, ErrEnded
	}
	user, err := a.Users.Store.ByID(ctx, id)
	if errors.Is(err, userstore.ErrNoUser) || err == nil && user.Barred {
		err = ErrEnded
	}
	if err != nil {
		return Began{}, err
	}
	ends, ok := a.Users.session(user, secret)
	p := a.Users.principal(ctx, user)
	if !ok || !p.Can(RightRead) {
		return Began{}, ErrEnded
	}
	return Began{p, token, ends}, nil
}

// SignOut ends the session of a token, or all sessions of its user if everywhere is true.
func (a *Accounts) SignOut(ctx context.Context, token string, everywhere bool) error {
	user, secret, ok := cutToken(token)
	switch {
	case !ok:
		return ErrEnded
	case everywhere:
		return a.Users.EndAll(ctx, user)
	}
	return a.Users.End(ctx, user, secret)
}

// secure returns an error if no password is accepted over the connection of a request.
func (a *Accounts) secure(r *http.Request) error {
	if !a.Users.Network.Secure(r) {
		return rest.ErrPlainHTTP
	}
	return nil
}

// confirmed returns the user of a session if the password is right.
func (a *Accounts) confirmed(ctx context.Context, r *http.Request, s Began, password string) (*userstore.User, error) {
	u, _, err := a.Users.SignIn(ctx, r, s.Principal.Login, password)
	if err == nil && u.ID != s.Principal.UserID {
		err = ErrEnded
	}
	return u, err
}

// tokenMark separates the two parts of a token: the id of its user, so that one row is read and none has to be searched
// for, and the secret.
const tokenMark = "-"

func joinToken(user int64, secret string) string {
	return strconv.FormatInt(user, 10) + tokenMark + secret
}

func cutToken(token string) (user int64, secret string, ok bool) {
	id, secret, ok := strings.Cut(token, tokenMark)
	user, err := strconv.ParseInt(id, 10, 64)
	return user, secret, ok && err == nil && user > 0
}
