package calendar

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
)

// SiteKeys are the secret keys and salts in the configuration file of a site (wp-config.php). With them, the browser of
// a logged-in editor can use the API with the site's own cookie, together with the nonce (X-WP-Nonce) that the site's
// admin pages contain.
type SiteKeys struct{ LoggedInKey, LoggedInSalt, NonceKey, NonceSalt string }

// Login configures how the users of the site log in. If the host has an Authenticator, only CredentialOrigins is used
// and, for the passwords of protected posts, TrustedProxies, ClientAddress, MaxPerAddress, MaxPerUser, Window, Limiter
// and Counter.
type Login struct {
	// Keys make the site's cookie valid for logging in. Default: cookies are ignored.
	Keys SiteKeys

	// CredentialOrigins are the origins ("https://app.example.org") whose pages may read answers to requests with the
	// browser's credentials. Pages of other origins may read what is public. Default: none.
	CredentialOrigins []string

	// PlainHTTP accepts passwords over unencrypted connections from everywhere. Without it they are accepted over TLS,
	// from this machine, and through a trusted proxy according to which the client used HTTPS; other connections are
	// answered with 401.
	PlainHTTP bool

	// TrustedProxies are the addresses of the proxies whose headers X-Forwarded-For, X-Forwarded-Proto and Forwarded
	// determine the client's address and scheme. Default: none.
	TrustedProxies []netip.Prefix

	// ClientAddress returns the address of a client, for counting wrong passwords and for recording the use of a
	// password. Default, also if it returns "": the address of the peer, or the one from a trusted proxy.
	ClientAddress func(*http.Request) string

	// NoAuthorizePage omits from the index of Options.ServeRoot the address of the site's admin page on which users
	// create application passwords for programs (wp-admin/authorize-application.php). It is for sites without such an
	// admin.
	NoAuthorizePage bool

	// MaxPerUserAndAddress, MaxPerAddress and MaxPerUser are the maximal numbers of wrong passwords within Window: for
	// a user name from one address, for an address, and for a user name. Over the limit every password is answered with
	// 429. Wrong passwords of protected posts are counted separately per address. Those from Do without WithClient, for
	// which no address is known, are counted per post, with the limit MaxPerUser. Defaults: 10, 50, 100, and 5 minutes.
	MaxPerUserAndAddress, MaxPerAddress, MaxPerUser int
	Window                                          time.Duration

	// Limiter counts wrong passwords for several calendars of one site in this process, such as one per host name: the
	// limits apply to the sum. The calendars must have the same limits. Default: each calendar counts separately,
	// together with its replicas.
	Limiter *LoginLimiter

	// Counter counts wrong passwords for all processes that serve the site. Each process checks its own count first,
	// without calling Counter; so the limits still apply per process if Counter fails, which is logged. For a login
	// within that count, Counter is called once, and for a wrong password twice. Default: each process counts
	// separately.
	Counter LoginCounter

	// RefuseAfter is the time after which a wrong password, or one of an unknown user, is answered, counted from the
	// request. It hides which comparisons were made. Correct passwords are not delayed. It should exceed the time of a
	// comparison with the slowest stored hash. Default 2 s; None answers at once.
	RefuseAfter time.Duration
}

// CheckPassword returns the user of the site with a user name or e-mail address and an application password, for a host
// with a login form. r is the request that submitted the form. It determines whether the connection is encrypted,
// without which no password is accepted (see Login.PlainHTTP), and the address for which wrong passwords are counted,
// with the limits of the API. If the API would reject the password, the error is an *Error in the language of ctx: 401,
// or 429 with RetryAfter. A wrong password is answered after Login.RefuseAfter.
func (c *Calendar) CheckPassword(ctx context.Context, r *http.Request, name, password string) (found Principal, err error) {
	p, err := resultOf(ctx, c.Accounts().use, func(ctx context.Context) (p caller.Principal, err error) {
		if name == "" || password == "" || !site.From(ctx).ApplicationPasswords {
			return p, rest.ErrPassword
		}
		return c.users.ByPassword(ctx, r, name, password)
	})
	return forHost(p), err
}

// LoginLimiter counts wrong passwords in the memory of a process. Its zero value is ready to use. It must not be
// copied.
type LoginLimiter struct {
	shared auth.CommonLimiter
}

// LoginCount is how often a key was counted, and when its window ends. The zero value is the count of a key that was
// not counted.
type LoginCount struct {
	N    int
	Ends time.Time
}

// LoginCounter counts keys for several processes, in a database or a cache that they share. Keys are hashes of user
// names and addresses, with 64 hexadecimal digits. The window of a key begins with its first Add; after the window the
// key is counted from 0 again. The methods are called concurrently by several goroutines and must be atomic: no Add may
// be lost.
type LoginCounter interface {
	// Counts returns the counts of keys, in the order of keys.
	Counts(ctx context.Context, keys []string) ([]LoginCount, error)
	// Add increments the count of each key and returns the new counts, in the order of keys.
	Add(ctx context.Context, keys []string, window time.Duration) ([]LoginCount, error)
	// Forget removes the counts of keys.
	Forget(ctx context.Context, keys []string) error
}

// loginCounter adapts a host's counter to package auth.
type loginCounter struct{ LoginCounter }

func (c loginCounter) Counts(ctx context.Context, keys []string) ([]auth.Count, error) {
	return authCounts(c.LoginCounter.Counts(ctx, keys))
}

func (c loginCounter) Add(ctx context.Context, keys []string, window time.Duration) ([]auth.Count, error) {
	return authCounts(c.LoginCounter.Add(ctx, keys, window))
}

func authCounts(counts []LoginCount, err error) ([]auth.Count, error) {
	all := make([]auth.Count, len(counts))
	for i, c := range counts {
		all[i] = auth.Count(c)
	}
	return all, err
}

// counter returns the counter for package auth, or nil if the host has none.
func (l Login) counter() auth.Counter {
	if l.Counter == nil {
		return nil
	}
	return loginCounter{l.Counter}
}

func (l Login) keys() *auth.Keys {
	k := auth.Keys(l.Keys)
	return &k
}
