// Package auth identifies the caller of a request: users of the site with application passwords, and editors whose
// browsers send WordPress's cookie and nonce. It reads the site's own tables, so exactly the users of the site can log
// in. Package site decides what a caller may do with a post.
package auth

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/userstore"
)

// ErrUnknownUser is returned for an id that no user has.
var ErrUnknownUser = userstore.ErrNoUser

// Users authenticates the users of a site.
type Users struct {
	Config

	shared   *sharedLimiter // nil without a Counter
	refusals *refusals
}

// Config configures Users.
type Config struct {
	Store   *userstore.Users
	Network Network
	// Keys contains the site's secret keys. Unless all four are set, cookies and nonces are ignored.
	Keys   *Keys
	Limits Limits
	// Limiter may be shared by several Users with the same Limits, so that wrong passwords are counted together. nil
	// creates one for these Users.
	Limiter *Limiter
	// Counter counts wrong passwords together with other processes. nil counts them in this process only.
	Counter Counter
	// RefuseAfter is the time between the arrival of a request and the response that rejects its password. 0 means the
	// default, and a negative value means no delay.
	RefuseAfter time.Duration
	// Filtered means that no user may store unfiltered HTML, whatever their rights are.
	Filtered bool
	// UnknownNetwork means that the site seems to belong to a WordPress network whose tables cannot be read. The
	// network's administrators are then unknown, so no user may store unfiltered HTML.
	UnknownNetwork bool
	// Rights contains the capabilities that an administrator of the site's network has in addition to those of the
	// site's roles.
	Rights []string
	Now    func() time.Time // default: time.Now
	Logger *slog.Logger     // default: nothing is logged
}

// New returns Users.
func New(c Config) *Users {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	if c.Limiter == nil {
		c.Limiter = NewLimiter(c.Limits)
	}
	return &Users{
		Config: c, shared: newSharedLimiter(c.Counter, c.Limits, c.Logger), refusals: newRefusals(c.RefuseAfter),
	}
}

// Authenticate returns the caller of a request, and headers for the response. The site's settings must be in the
// context. form returns a field of the request's form and reports whether the form contains it.
//
// A login cookie takes precedence over a password, but counts only together with a nonce, so that other sites cannot
// make use of it. An error either rejects the caller, or reports a failure of the database; neither makes the caller
// anonymous.
func (u *Users) Authenticate(ctx context.Context, r *http.Request, form func(name string) (string, bool)) (caller.Principal, []rest.Header,
	error) {
	settings := site.From(ctx)
	name, password, basic := basicCredentials(r.Header.Get("Authorization"))
	basic = basic && settings.ApplicationPasswords
	if !u.Keys.Complete() {
		if !basic {
			return caller.Principal{}, nil, nil
		}
		p, err := u.ByPassword(ctx, r, name, password)
		return p, nil, err
	}
	n := readNonce(r, form)
	// Without a nonce, the only effect of a valid cookie is that the password is not checked.
	if c, ok := readCookie(r, settings.LoginURL()); ok && (n.given || basic) {
		user, err := u.byCookie(ctx, r, c)
		switch {
		case err != nil:
			return caller.Principal{}, nil, err
		case user != nil && !n.given:
			return caller.Principal{}, nil, nil
		case user != nil:
			return u.withNonce(n, u.principal(ctx, user), c.token)
		}
	}
	if basic {
		p, err := u.ByPassword(ctx, r, name, password)
		return p, nil, err
	}
	if n.given {
		return u.withNonce(n, caller.Principal{}, "")
	}
	return caller.Principal{}, nil, nil
}

// Capabilities returns the capabilities of a user according to the stored roles. The result must not be modified.
func (u *Users) Capabilities(ctx context.Context, userID int64) (map[string]bool, error) {
	user, err := u.Store.ByID(ctx, userID)
	if err == nil && user.Barred {
		err = ErrUnknownUser
	}
	if err != nil {
		return nil, err
	}
	return u.rights(ctx, user), nil
}

// rights returns the capabilities of a user. Administrators of the network have all of them, whatever their roles on
// the site are.
func (u *Users) rights(ctx context.Context, user *userstore.User) map[string]bool {
	settings := site.From(ctx)
	if !settings.Network.IsAdmin(user.Login) {
		return u.Limit(ctx, settings.Capabilities(user.Capabilities))
	}
	all := settings.Roles.All()
	for _, right := range u.Rights {
		all[right] = true
	}
	if u.Filtered {
		delete(all, unfiltered)
	}
	return all
}

// Limit removes the capability unfiltered_html, unless the site is one where users have it as stored. On a network of
// sites, only the network's administrators have it. The given map is not modified.
func (u *Users) Limit(ctx context.Context, all map[string]bool) map[string]bool {
	if all[unfiltered] && (u.Filtered || u.UnknownNetwork || site.From(ctx).Network != nil) {
		all = maps.Clone(all) // the map may belong to a role
		delete(all, unfiltered)
	}
	return all
}

const unfiltered = "unfiltered_html"

func (u *Users) principal(ctx context.Context, user *userstore.User) caller.Principal {
	return caller.Principal{UserID: user.ID, Login: user.Login, Capabilities: u.rights(ctx, user)}
}

// byCookie returns the user of a valid cookie, and nil for an invalid one.
func (u *Users) byCookie(ctx context.Context, r *http.Request, c cookie) (*userstore.User, error) {
	now := u.Now()
	if c.expired(r, now) {
		return nil, nil
	}
	user, err := u.Store.Find(ctx, cleanLogin(c.login, site.From(ctx).Links.Spelling()), "")
	if errors.Is(err, userstore.ErrNoUser) || err == nil && user.Barred {
		user, err = &userstore.User{}, nil // continue, so that unknown users take as long as others
	}
	if err != nil {
		return nil, err
	}
	proved := equal(u.Keys.cookieMAC(c, user.PasswordHash), c.mac)
	if !proved || user.ID == 0 || !c.hasSession(user.SessionTokens, now) {
		return nil, nil
	}
	return user, nil
}

// withNonce authenticates a caller if the nonce belongs to the session, and returns the next nonce as a header.
func (u *Users) withNonce(n nonce, p caller.Principal, token string) (caller.Principal, []rest.Header, error) {
	fresh, ok := u.Keys.accepts(n.text, u.Now(), p.UserID, token)
	if !ok {
		return caller.Principal{}, nil, rest.ErrNonce
	}
	return p, []rest.Header{{Name: nonceHeader, Value: fresh}}, nil
}

// Personal reports whether a request contains any credentials for this site, valid or not: a password, a nonce or a
// login cookie.
func (u *Users) Personal(ctx context.Context, r *http.Request) bool {
	_, login := r.Cookie(cookieName(site.From(ctx).LoginURL()))
	return login == nil || len(r.Header.Values("Authorization")) > 0 || readNonce(r, nil).given
}

// WithRights returns p with the capabilities that the site stores for the user, if a host left them nil.
func (u *Users) WithRights(ctx context.Context, p caller.Principal) (caller.Principal, error) {
	if p.UserID == 0 || p.Capabilities != nil {
		p.Capabilities = u.Limit(ctx, p.Capabilities)
		return p, nil
	}
	var err error
	if p.Capabilities, err = u.Capabilities(ctx, p.UserID); errors.Is(err, ErrUnknownUser) {
		return caller.Principal{}, rest.ErrNotAuthenticated
	}
	return p, err
}
