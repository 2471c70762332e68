// Package auth finds the caller of a request: users of the site with application
// passwords, and editors whose browsers send the site's cookie and nonce. It uses the
// site's own tables, so exactly the users of the site can log in. Package site decides
// what a caller may do with a post.
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
	"github.com/agendahq/agenda/internal/store"
)

// ErrUnknownUser is returned for an id without a user.
var ErrUnknownUser = store.ErrNoUser

// Users authenticates the users of a site.
type Users struct {
	Config

	shared   *sharedLimiter // nil without a Counter
	refusals *refusals
}

// Config is what Users work with.
type Config struct {
	Store   *store.Users
	Network Network
	// Keys are the site's secrets. Unless all four are set, cookies and nonces are
	// ignored.
	Keys   *Keys
	Limits Limits
	// Limiter counts wrong passwords for other Users too, who have the same Limits; nil for
	// these alone.
	Limiter *Limiter
	// Counter counts wrong passwords for other processes too; nil for this one alone.
	Counter Counter
	// RefuseAfter is the time from a request to the refusal of its password; 0 is the
	// default, below 0 at once.
	RefuseAfter time.Duration
	// Filtered reports that no right allows a user to store any HTML.
	Filtered bool
	// UnknownNetwork reports that the site seems to belong to a network of which nothing can be read: no stored right allows
	// a user to store any HTML, since its administrators are not known.
	UnknownNetwork bool
	// Rights are the capabilities that an administrator of the site's network has beside those of the site's roles.
	Rights []string
	Now    func() time.Time // default time.Now
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

// Authenticate returns the caller of a request, whose context has the site's
// settings, and headers for the answer. form returns a field of the request's form,
// "" without one.
//
// The cookie of a login comes before a password, but counts only with a nonce, so
// that no other site can use it. An error is an answer to a caller who is not let in,
// or one of the database; it never makes a caller anonymous.
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
	// Without a nonce a cookie only keeps a password from being checked.
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

// Capabilities returns what a user may do by the stored rights. The result must not
// be changed.
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

// rights returns what a user may do: on a network its administrators everything, whatever their roles on the site.
func (u *Users) rights(ctx context.Context, user *store.User) map[string]bool {
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

// Limit returns the given rights without that to store any HTML, where nobody has it but, on a network of sites, its
// administrators. The given map is not changed.
func (u *Users) Limit(ctx context.Context, all map[string]bool) map[string]bool {
	if all[unfiltered] && (u.Filtered || u.UnknownNetwork || site.From(ctx).Network != nil) {
		all = maps.Clone(all) // it may belong to a role
		delete(all, unfiltered)
	}
	return all
}

const unfiltered = "unfiltered_html"

func (u *Users) principal(ctx context.Context, user *store.User) caller.Principal {
	return caller.Principal{UserID: user.ID, Login: user.Login, Capabilities: u.rights(ctx, user)}
}

// byCookie returns the user of a valid cookie, nil for an invalid one.
func (u *Users) byCookie(ctx context.Context, r *http.Request, c cookie) (*store.User, error) {
	now := u.Now()
	if c.expired(r, now) {
		return nil, nil
	}
	user, err := u.Store.Find(ctx, cleanLogin(c.login, site.From(ctx).Links.Spelling()), "")
	if errors.Is(err, store.ErrNoUser) || err == nil && user.Barred {
		user, err = &store.User{}, nil // the rest takes as long as for others
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

// withNonce authenticates a caller whose nonce belongs to the session, and returns the next nonce.
func (u *Users) withNonce(n nonce, p caller.Principal, token string) (caller.Principal, []rest.Header, error) {
	fresh, ok := u.Keys.accepts(n.text, u.Now(), p.UserID, token)
	if !ok {
		return caller.Principal{}, nil, rest.ErrNonce
	}
	return p, []rest.Header{{Name: nonceHeader, Value: fresh}}, nil
}

// Personal reports whether a request carries what may let a caller in: a password, a
// nonce or the cookie of a login, right or wrong.
func (u *Users) Personal(ctx context.Context, r *http.Request) bool {
	_, login := r.Cookie(cookieName(site.From(ctx).LoginURL()))
	return login == nil || len(r.Header.Values("Authorization")) > 0 || readNonce(r, nil).given
}
