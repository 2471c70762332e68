package calendar

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/schema"
)

// Accounts gives access to the users of the site, for pages on which people sign in: see package calendar/pages. Its
// methods return an *Error, in the language of ctx, where they reject what a user entered.
//
// A session is a random token. The user's browser stores it in a cookie; the site stores its hash among the user's
// sessions. The API never accepts such a token.
type Accounts struct{ c *Calendar }

// Accounts returns access to the users of the site.
func (c *Calendar) Accounts() Accounts { return Accounts{c} }

// SignIn is what a user enters to sign in.
type SignIn struct {
	Name     string // user name or e-mail address
	Password string
	Remember bool // the session lasts 14 days instead of 12 hours
}

// Session is the session of a user who has signed in. The zero value belongs to no user.
type Session struct {
	Principal

	// Token is stored by the user's browser. It is a secret.
	Token string
	Ends  time.Time
}

// Format keeps the token out of everything that prints a session.
func (s Session) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "session of user %d", s.UserID) }

// sessionOf converts a session, nothing to the zero value.
func sessionOf(b auth.Began) Session { return Session{forHost(b.Principal), b.Token, b.Ends} }

func (s Session) began() auth.Began {
	return auth.Began{Principal: caller.Principal(s.Principal), Token: s.Token, Ends: s.Ends}
}

// errUnheard is the error on sites where WordPress caches rows in an object cache that is not notified of changes by
// other programs: WordPress would go on with its copy of the sessions, and write that copy back.
var errUnheard = apierror.New(http.StatusServiceUnavailable, "rest_no_companion", "error_no_companion")

// SignIn creates a session. r is the request that submitted the form. It determines whether the connection is
// encrypted, without which no password is accepted (see Login.PlainHTTP), and the address for which wrong passwords are
// counted, with the limits of the API.
//
// On a standalone site (SiteSettings.Own) the password is that of the account, or an application password if the
// account has no password. On a site with another admin, such as WordPress, it is an application password. On such a
// site SignIn fails while the database shows that an object cache is in use and no companion plugin is installed, since
// the site would not notice the end of a session. A user has at most ten sessions: one more ends the oldest.
func (a Accounts) SignIn(ctx context.Context, r *http.Request, s SignIn) (began Session, err error) {
	return a.begin(ctx, func(ctx context.Context) (auth.Began, error) {
		if err := a.heard(ctx); err != nil {
			return auth.Began{}, err
		}
		return a.c.accounts.SignIn(ctx, r, s.Name, s.Password, s.Remember)
	})
}

// begin runs do, which begins a session.
func (a Accounts) begin(ctx context.Context, do func(ctx context.Context) (auth.Began, error)) (Session, error) {
	began, err := resultOf(ctx, a.withWrites, do)
	return sessionOf(began), err
}

// heard returns an error if WordPress might not notice that a session began or ended.
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

// Session returns the session of a token, with the current capabilities of its user. It returns an *Error with status
// 401 if the session has ended: because it expired, by SignOut, by a new password of the account, because the
// application password with which it began was revoked, or because the user was deleted or has no role any more.
func (a Accounts) Session(ctx context.Context, token string) (found Session, err error) {
	b, err := resultOf(ctx, a.use, func(ctx context.Context) (auth.Began, error) { return a.c.accounts.Session(ctx, token) })
	return sessionOf(b), err
}

// SignOut ends a session, or all sessions of its user if everywhere is true.
func (a Accounts) SignOut(ctx context.Context, s Session, everywhere bool) error {
	return a.withWrites(ctx, func(ctx context.Context) error { return a.c.accounts.SignOut(ctx, s.Token, everywhere) })
}

// Connection describes how a request was transmitted.
type Connection struct {
	Encrypted bool // by TLS, as far as this process or a trusted proxy (Login.TrustedProxies) knows
	Accepted  bool // a password is accepted over it: it is encrypted, or comes from this machine, or Login.PlainHTTP is set
}

// Connection returns how a request was transmitted.
func (a Accounts) Connection(r *http.Request) Connection {
	return Connection{Encrypted: a.c.users.Network.Encrypted(r), Accepted: a.c.users.Network.Secure(r)}
}

// use runs do with the settings of the site, the caller of ctx and the limits of a request.
func (a Accounts) use(ctx context.Context, do func(ctx context.Context) error) error {
	l := rest.Local{Operation: a.c.api.Operations(a.c.events.Collection).List}
	root := mountIn(ctx, a.c.own).Root
	err := a.c.engine.Local(ctx, root, l, a.c.principal, func(ctx context.Context, _ *call.Call) error { return do(ctx) })
	return hostError(ctx, err)
}

// withWrites is use for operations that write.
func (a Accounts) withWrites(ctx context.Context, do func(ctx context.Context) error) error {
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

// resultOf returns what do returns, which use or withWrites runs. With an error it is the zero value.
func resultOf[T any](ctx context.Context, run func(context.Context, func(context.Context) error) error,
	do func(context.Context) (T, error)) (found T, err error) {
	err = run(ctx, func(ctx context.Context) (err error) {
		found, err = do(ctx)
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return found, nil
}

// OpenFirst returns a key with which its holder can create the first user of a standalone site, an administrator. The
// key is valid for an hour, or until there is such a user. It is "" if a user of the site can already add others, if
// the site has another admin, and if the calendar is read-only.
func (a Accounts) OpenFirst(ctx context.Context) (key string, err error) {
	return resultOf(ctx, a.use, func(ctx context.Context) (string, error) { return a.c.accounts.OpenFirst(ctx, a.c.ReadOnly()) })
}

// First returns an *Error with status 410 unless key was returned by OpenFirst and is still valid.
func (a Accounts) First(ctx context.Context, key string) error {
	return a.use(ctx, func(context.Context) error { return a.c.accounts.CheckFirst(key) })
}

// AddFirst creates the first user of a site with the key that OpenFirst returned, and a session of this user. The key
// can be used once.
func (a Accounts) AddFirst(ctx context.Context, r *http.Request, key, login, email, password string) (began Session, err error) {
	return a.begin(ctx, func(ctx context.Context) (auth.Began, error) {
		return a.c.accounts.AddFirst(ctx, r, key, login, email, password)
	})
}
