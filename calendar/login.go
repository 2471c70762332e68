package calendar

import (
	"net/http"
	"net/netip"
	"time"

	"github.com/agendahq/agenda/internal/auth"
)

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
