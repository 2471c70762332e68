package calendar

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/schema"
)

// Accounts are the users of the site, for pages on which people sign in: see package calendar/pages. Each of its errors that says what
// was refused is an *Error in the language of ctx.
//
// A session is a random token, which the browser of the user has in a cookie and the site among the user's sessions, as a hash. The API
// never accepts one.
type Accounts struct{ c *Calendar }

// Accounts returns the users of the site.
func (c *Calendar) Accounts() Accounts { return Accounts{c} }

// SignIn is what a user signs in with.
type SignIn struct {
	Name     string // or the e-mail address
	Password string
	Remember bool // for 14 days, else 12 hours
}

// Session is that of a user who signed in. The zero value is nobody's.
type Session struct {
	Principal

	// Token is what the browser has: a secret.
	Token string
	Ends  time.Time
}

// Format keeps the token out of anything that prints a session.
func (s Session) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "session of user %d", s.UserID) }

var (
	errPlain     = rest.ErrPlainHTTP
	errNoSession = apierror.New(http.StatusUnauthorized, "rest_no_session", "error_no_session")
	// errUnheard is the answer where WordPress keeps copies of rows in a cache that nothing tells of a change: it would go on with the
	// sessions of its copy, and write that back.
	errUnheard = apierror.New(http.StatusServiceUnavailable, "rest_no_companion", "error_no_companion")
)

// SignIn begins a session. r is the request of the form: it says whether the connection is encrypted, without which no password is
// accepted (see Login.PlainHTTP), and for which address wrong passwords count, by the same limits as those of the API.
//
// On a site of our own (SiteSettings.Own) the password is that of the account, or an application password as long as the account has
// none. Beside a site that has an admin of its own it is an application password; there nobody signs in while the database shows an object
// cache and no companion is installed, since such a site would not see that a session ended. Of the ten sessions that a user may have the
// oldest ends.
func (a Accounts) SignIn(ctx context.Context, r *http.Request, s SignIn) (began Session, err error) {
	err = a.write(ctx, func(ctx context.Context) error {
		if err := a.heard(ctx); err != nil {
			return err
		}
		user, used, err := a.c.users.SignIn(ctx, r, s.Name, s.Password)
		if err != nil {
			return err
		}
		began, err = a.begin(ctx, r, user, used, s.Remember)
		return err
	})
	if err != nil {
		return Session{}, err
	}
	return began, nil
}

// heard returns an error where WordPress might not see that a session began or ended.
func (a Accounts) heard(ctx context.Context) error {
	if site.From(ctx).Own {
		return nil
	}
	report, err := schema.CheckCompanion(ctx, a.c.options.DB, a.c.options.Site.Prefix)
	keepsRows := func(c schema.Cache) bool { return !c.Pages }
	if err == nil && !report.Ready() && slices.ContainsFunc(report.Caches, keepsRows) {
		err = errUnheard
	}
	return err
}

// Session returns the session of a token, with what its user may do now. It is an *Error with 401 where the session has ended: by its
// time, by SignOut, by a new password of the account, by the end of the application password that it began with, or because the user is
// gone or has no role any more.
func (a Accounts) Session(ctx context.Context, token string) (found Session, err error) {
	err = a.use(ctx, func(ctx context.Context) error {
		user, secret, ok := cutToken(token)
		if !ok {
			return errNoSession
		}
		p, ends, err := a.c.users.BySession(ctx, user, secret)
		if errors.Is(err, auth.ErrNoSession) {
			err = errNoSession
		}
		found = Session{forHost(p), token, ends}
		return err
	})
	if err != nil {
		return Session{}, err
	}
	return found, nil
}

// SignOut ends a session, and with everywhere all that its user has.
func (a Accounts) SignOut(ctx context.Context, s Session, everywhere bool) error {
	return a.write(ctx, func(ctx context.Context) error {
		user, secret, ok := cutToken(s.Token)
		switch {
		case !ok:
			return errNoSession
		case everywhere:
			return a.c.users.EndAll(ctx, user)
		}
		return a.c.users.End(ctx, user, secret)
	})
}

// Connection says how a request came.
type Connection struct {
	Encrypted bool // by TLS, as far as this process or a trusted proxy (Login.TrustedProxies) knows
	Accepted  bool // a password is accepted over it: it is encrypted, or from this very machine, or Login.PlainHTTP is set
}

// Connection says how a request came.
func (a Accounts) Connection(r *http.Request) Connection {
	return Connection{Encrypted: a.c.users.Network.Encrypted(r), Accepted: a.c.users.Network.Secure(r)}
}

// use runs what a page of an account asks, with the settings of the site and the bounds of a request.
func (a Accounts) use(ctx context.Context, do func(ctx context.Context) error) error {
	l := rest.Local{Operation: a.c.api.Operations(a.c.events.Collection).List}
	err := a.c.engine.Local(ctx, a.c.root(ctx), l, a.c.principal, func(ctx context.Context, _ *call.Call) error { return do(ctx) })
	return a.c.refused(ctx, err)
}

// write is use for what is stored.
func (a Accounts) write(ctx context.Context, do func(ctx context.Context) error) error {
	end, err := a.c.engine.Writes.Begin()
	if err != nil {
		return ErrClosed
	}
	defer end()
	return a.use(ctx, func(ctx context.Context) error {
		if readOnly := a.c.engine.ReadOnly; readOnly != nil {
			return readOnly
		}
		return do(ctx)
	})
}

// A token names its user, so that one row is read and none is searched.
const tokenMark = "-"

func sessionToken(user int64, secret string) string {
	return strconv.FormatInt(user, 10) + tokenMark + secret
}

func cutToken(token string) (user int64, secret string, ok bool) {
	id, secret, ok := strings.Cut(token, tokenMark)
	user, err := strconv.ParseInt(id, 10, 64)
	return user, secret, ok && err == nil && user > 0
}
