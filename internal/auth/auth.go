// Package auth finds out who calls: users of the site with application passwords, and
// editors whose browsers carry the site's cookie and nonce. It works on the site's own
// tables, so that whoever may enter there may enter here, and nobody else. What a
// caller may do with a post is decided in package site.
package auth

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
)

// ErrUnknownUser is returned for an id that no user of the site has.
var ErrUnknownUser = store.ErrNoUser

// Users authenticates the users of a site. Set its fields before its first use;
// it must not be copied then.
type Users struct {
	Store   *store.Users
	Network Network
	// Keys are the site's secrets. Without all four of them cookies and nonces
	// are not looked at.
	Keys   *Keys
	Limits Limits
	// RefuseAfter is how long after its request a refused password is answered;
	// 0 is DefaultRefuseAfter, below 0 at once.
	RefuseAfter time.Duration
	// Filtered says that no stored right lets a user store any HTML.
	Filtered bool
	Now      func() time.Time // default time.Now
	Logger   *slog.Logger     // default: nothing is logged

	init     sync.Once
	limiter  *limiter
	refusals *refusals
}

func (u *Users) prepare() {
	u.init.Do(func() {
		if u.Now == nil {
			u.Now = time.Now
		}
		u.Logger = cmp.Or(u.Logger, slog.New(slog.DiscardHandler))
		u.limiter = newLimiter(u.Limits)
		u.refusals = newRefusals(u.RefuseAfter)
	})
}

// Authenticate finds the caller of a request, whose context carries the site's
// settings, and what its answer has to carry besides. form returns a field of the
// request's form, "" without one.
//
// The cookie of a login wins over a password, but counts only with a nonce, so
// that no other site can use it. An error is an answer to a caller that is not
// let in, or one of the database; it never makes a caller anonymous.
func (u *Users) Authenticate(ctx context.Context, r *http.Request, form func(name string) (string, bool)) (caller.Principal, []rest.Header,
	error) {
	u.prepare()
	settings := site.From(ctx)
	name, password, basic := basicCredentials(r.Header.Get("Authorization"))
	basic = basic && settings.ApplicationPasswords
	if !u.Keys.Complete() {
		if !basic {
			return caller.Principal{}, nil, nil
		}
		p, err := u.byPassword(ctx, r, name, password)
		return p, nil, err
	}
	n := readNonce(r, form)
	// Without a nonce a cookie can only keep a password from being looked at.
	if c, ok := readCookie(r, settings.SiteURL); ok && (n.given || basic) {
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
		p, err := u.byPassword(ctx, r, name, password)
		return p, nil, err
	}
	if n.given {
		return u.withNonce(n, caller.Principal{}, "")
	}
	return caller.Principal{}, nil, nil
}

// Capabilities returns what a user may do by the rights that the site stores. The
// result must not be changed.
func (u *Users) Capabilities(ctx context.Context, userID int64) (map[string]bool, error) {
	user, err := u.Store.ByID(ctx, userID)
	if err != nil {
		return nil, err
	}
	return u.rights(ctx, user), nil
}

func (u *Users) rights(ctx context.Context, user *store.User) map[string]bool {
	return u.Limit(site.From(ctx).Roles.Capabilities(user.Capabilities))
}

// Limit returns the rights that are left of those given where texts of all users
// are filtered. The given map is not changed.
func (u *Users) Limit(all map[string]bool) map[string]bool {
	if u.Filtered && all[unfiltered] {
		all = maps.Clone(all) // it may be that of a role
		delete(all, unfiltered)
	}
	return all
}

const unfiltered = "unfiltered_html"

func (u *Users) principal(ctx context.Context, user *store.User) caller.Principal {
	return caller.Principal{UserID: user.ID, Login: user.Login, Capabilities: u.rights(ctx, user)}
}

// byCookie returns the user whose login a cookie proves, nil if it proves none.
func (u *Users) byCookie(ctx context.Context, r *http.Request, c cookie) (*store.User, error) {
	now := u.Now()
	if c.expired(r, now) {
		return nil, nil
	}
	user, err := u.Store.Find(ctx, cleanLogin(c.login), "")
	if errors.Is(err, store.ErrNoUser) {
		user, err = &store.User{}, nil // what follows takes as long as for others
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

// withNonce lets a caller in whose nonce is its session's, and gives it the next.
func (u *Users) withNonce(n nonce, p caller.Principal, token string) (caller.Principal, []rest.Header, error) {
	fresh, ok := u.Keys.accepts(n.text, u.Now(), p.UserID, token)
	if !ok {
		return caller.Principal{}, nil, rest.ErrNonce
	}
	return p, []rest.Header{{Name: nonceHeader, Value: fresh}}, nil
}
