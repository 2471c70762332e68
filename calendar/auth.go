package calendar

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"time"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
)

// Principal is the caller of a request: who it is and what it may do. The zero
// value is an anonymous caller.
//
//	type Principal struct {
//		UserID       int64           // id in the site's user table; 0 for callers that are no user
//		Login        string          // name, for logs
//		Capabilities map[string]bool // what the caller may do; nil: what the site stores for the user
//	}
//
// A host's Authenticator may name a user of the site and leave Capabilities
// nil: then they are those that the site stores for that user. With
// Capabilities of its own it decides itself, also for callers that are no
// users, such as another program; what such a caller creates has no author. Where
// Options.FilterHTML holds nobody has the right unfiltered_html.
type Principal = site.Principal

// Authenticator finds the caller of a request. A request without credentials
// is anonymous and no error: the zero Principal. Wrong credentials are an
// *AuthError, and answered with 401, never treated as anonymous. Any other error
// says that it could not be found out who calls, such as a user directory that
// does not answer: it is logged, and answered with 503. Neither is shown.
type Authenticator interface {
	Authenticate(r *http.Request) (Principal, error)
}

// AuthError is what an Authenticator returns to refuse a caller. Its zero value
// is complete:
//
//	return calendar.Principal{}, &calendar.AuthError{}
type AuthError struct {
	// Err is the reason, for errors.Is and errors.As of the host's own; it is
	// neither shown nor logged. Default none.
	Err error
}

// Error returns the reason.
func (e *AuthError) Error() string {
	if e.Err == nil {
		return "calendar: the credentials are not valid"
	}
	return "calendar: the credentials are not valid: " + e.Err.Error()
}

// Unwrap returns the reason, nil if none is given.
func (e *AuthError) Unwrap() error { return e.Err }

// Anonymous is the Authenticator of a calendar that lets nobody in: everybody
// reads what is public.
var Anonymous Authenticator = nobody{}

type nobody struct{}

func (nobody) Authenticate(*http.Request) (Principal, error) { return Principal{}, nil }

// SiteKeys are the secret keys and salts of a site, from its configuration
// file. With them a logged-in editor's browser uses the API by the site's own
// cookie, together with the nonce (X-WP-Nonce) that its admin pages carry.
type SiteKeys struct{ LoggedInKey, LoggedInSalt, NonceKey, NonceSalt string }

// Login says how the users of the site log in. It counts only for the built-in
// authenticator, not for one of the host's.
type Login struct {
	// Keys let editors in by the site's cookie. Default: no cookies.
	Keys SiteKeys

	// PlainHTTP takes passwords over unencrypted connections from anywhere.
	// Without it they are taken over TLS, from this very machine, and through a
	// trusted proxy that says that its client used HTTPS; else the answer is 401.
	PlainHTTP bool

	// TrustedProxies are the addresses of proxies whose word counts on the
	// client's address and scheme: X-Forwarded-For, X-Forwarded-Proto,
	// Forwarded. Default none.
	TrustedProxies []netip.Prefix

	// ClientAddress tells the address of a client, for counting wrong passwords
	// and for what is stored about the use of one. Default, and where it returns
	// "": the peer, or what a trusted proxy says.
	ClientAddress func(*http.Request) string

	// Wrong passwords are counted for a user name from an address (10), for an
	// address (50) and for a user name (100) within a time (5 minutes); beyond
	// that the answer is 429 without a look at the password. In brackets the
	// defaults. Wrong passwords of protected posts are counted for an address,
	// apart from the others.
	MaxPerUserAndAddress, MaxPerAddress, MaxPerUser int
	Window                                          time.Duration

	// RefuseAfter is how long after its request a wrong password, or one of an
	// unknown user, is answered: the time tells nothing of what was looked at.
	// Right passwords are not slowed. It should be more than comparing with the
	// slowest stored hash takes. Default 2 s; below 0 at once.
	RefuseAfter time.Duration
}

func (l Login) keys() *auth.Keys {
	return &auth.Keys{LoggedInKey: l.Keys.LoggedInKey, LoggedInSalt: l.Keys.LoggedInSalt, NonceKey: l.Keys.NonceKey, NonceSalt: l.Keys.NonceSalt}
}

var errNotAuthenticated = rest.NewError(http.StatusUnauthorized, "rest_not_authenticated", "error_not_authenticated")

type authenticate = func(ctx context.Context, r *http.Request, form func(string) (string, bool)) (site.Principal, []rest.Header, error)

// byHost makes a host's Authenticator the engine's. A user whose capabilities
// the host leaves to the site has those of the site's tables.
func byHost(a Authenticator, users *auth.Users) authenticate {
	return func(ctx context.Context, r *http.Request, _ func(string) (string, bool)) (site.Principal, []rest.Header, error) {
		p, err := a.Authenticate(r)
		var refused *AuthError
		switch {
		case errors.As(err, &refused):
			return Principal{}, nil, errNotAuthenticated
		case err != nil:
			return Principal{}, nil, rest.ErrLoginUnavailable.Because(err)
		}
		if p.UserID != 0 && p.Capabilities == nil {
			p.Capabilities, err = users.Capabilities(ctx, p.UserID)
			if errors.Is(err, auth.ErrUnknownUser) {
				return Principal{}, nil, errNotAuthenticated
			}
		}
		p.Capabilities = users.Limit(p.Capabilities)
		return p, nil, err
	}
}
