package calendar

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
)

// SiteKeys are the secret keys and salts of a site, from its configuration
// file. With them a logged-in editor's browser uses the API by the site's own
// cookie, together with the nonce (X-WP-Nonce) that its admin pages carry.
type SiteKeys struct{ LoggedInKey, LoggedInSalt, NonceKey, NonceSalt string }

// Login says how the users of the site log in. With a host's own Authenticator
// only CredentialOrigins matters and, for the passwords of protected posts,
// TrustedProxies, ClientAddress, MaxPerAddress, MaxPerUser, Window, Limiter and Counter.
type Login struct {
	// Keys let editors in by the site's cookie. Default: no cookies.
	Keys SiteKeys

	// CredentialOrigins are the origins ("https://app.example.org") whose pages
	// may read answers with the browser's credentials. Other origins may read
	// what everybody may. Default none.
	CredentialOrigins []string

	// PlainHTTP takes passwords over unencrypted connections from anywhere.
	// Without it they are taken over TLS, from this very machine, and through a
	// trusted proxy that says that its client used HTTPS; else the answer is 401.
	PlainHTTP bool

	// TrustedProxies are the addresses of proxies whose word counts on the
	// client's address and scheme: X-Forwarded-For, X-Forwarded-Proto,
	// Forwarded. Default none.
	TrustedProxies []netip.Prefix

	// ClientAddress returns the address of a client, for counting wrong passwords
	// and for what is stored about the use of one. Default, and where it returns
	// "": the peer, or what a trusted proxy says.
	ClientAddress func(*http.Request) string

	// NoAuthorizePage keeps the index of Options.ServeRoot from naming the page of the
	// site's admin on which people give programs application passwords
	// (wp-admin/authorize-application.php), for sites that have no such admin.
	NoAuthorizePage bool

	// MaxPerUserAndAddress, MaxPerAddress and MaxPerUser are how many wrong passwords
	// are checked for a user name from an address, for an address and for a user name
	// within Window; beyond that the answer is 429 whatever the password. Wrong
	// passwords of protected posts are counted for an address, apart from the others;
	// those of Do without WithClient, where no address is known, for the post, up to
	// MaxPerUser.
	// Defaults 10, 50, 100 and 5 minutes.
	MaxPerUserAndAddress, MaxPerAddress, MaxPerUser int
	Window                                          time.Duration

	// Limiter counts wrong passwords for several calendars of one site in this process, such as
	// one for each of its names: given the same one, the limits hold for all of them together.
	// They must have the same limits. Default: each calendar counts alone, with its replicas.
	Limiter *LoginLimiter

	// Counter counts wrong passwords for all processes that serve the site. Each
	// process refuses first by its own count, without asking it; so a limit holds in
	// each process even where the Counter fails, which is logged. It is asked once for
	// every other login, and for a wrong password twice. Default: each process counts
	// alone.
	Counter LoginCounter

	// RefuseAfter is how long after its request a wrong password, or one of an
	// unknown user, is answered: the time says nothing about what was compared.
	// Right passwords are not slowed. It should be more than comparing with the
	// slowest stored hash takes. Default 2 s; None answers at once.
	RefuseAfter time.Duration
}

// CheckPassword returns the user of the site that a name, or an e-mail address, and an application password are of, for a host with a form
// to log in. r is the request of that form: it says whether the connection is encrypted, without which no password is taken (see
// Login.PlainHTTP), and for which address wrong passwords count, by the same limits as those of the API. What the API would refuse is an
// *Error: 401, or 429 with RetryAfter, in the language of ctx. A wrong password takes Login.RefuseAfter.
func (c *Calendar) CheckPassword(ctx context.Context, r *http.Request, name, password string) (found Principal, err error) {
	err = c.Accounts().use(ctx, func(ctx context.Context) error {
		if name == "" || password == "" || !site.From(ctx).ApplicationPasswords {
			return rest.ErrPassword
		}
		p, err := c.users.ByPassword(ctx, r, name, password)
		found = forHost(p)
		return err
	})
	if err != nil {
		return Principal{}, err
	}
	return found, nil
}

// LoginLimiter counts wrong passwords in the memory of a process. Its zero value is ready; it must
// not be copied.
type LoginLimiter struct {
	mu      sync.Mutex
	limits  auth.Limits
	limiter *auth.Limiter // nil before its first calendar
}

// of returns the limiter for a calendar with limits.
func (l *LoginLimiter) of(limits auth.Limits) (*auth.Limiter, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.limiter == nil:
		l.limits, l.limiter = limits, auth.NewLimiter(limits)
	case !l.limits.Same(limits):
		return nil, errors.New("options: Login.Limiter is that of a calendar with other limits")
	}
	return l.limiter, nil
}

// LoginCount is how often a key was counted, and when its window ends. The zero value
// is a key that is not counted.
type LoginCount struct {
	N    int
	Ends time.Time
}

// LoginCounter counts keys for several processes, in a database or a cache that they
// share. Keys are hashes of user names and addresses, 64 hexadecimal digits. A key is
// counted from its first Add until the window of that Add has passed; then it begins
// anew. Its methods are called at the same time by several goroutines and must be
// atomic: no count of an Add is lost.
type LoginCounter interface {
	// Counts returns the counts of keys, in their order.
	Counts(ctx context.Context, keys []string) ([]LoginCount, error)
	// Add counts each key once more and returns the new counts, in the order of keys.
	Add(ctx context.Context, keys []string, window time.Duration) ([]LoginCount, error)
	// Forget removes the counts of keys.
	Forget(ctx context.Context, keys []string) error
}

// loginCounter makes a host's counter that of package auth.
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

// counter returns the Counter for package auth, nil for none.
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
