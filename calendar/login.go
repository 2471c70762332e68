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

// Login says how the users of the site log in. With a host's own Authenticator
// only CredentialOrigins matters and, for the passwords of protected posts,
// TrustedProxies, ClientAddress, MaxPerAddress and Window.
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
	// passwords of protected posts are counted for an address, apart from the others.
	// Defaults 10, 50, 100 and 5 minutes.
	MaxPerUserAndAddress, MaxPerAddress, MaxPerUser int
	Window                                          time.Duration

	// RefuseAfter is how long after its request a wrong password, or one of an
	// unknown user, is answered: the time says nothing about what was compared.
	// Right passwords are not slowed. It should be more than comparing with the
	// slowest stored hash takes. Default 2 s; None answers at once.
	RefuseAfter time.Duration
}

func (l Login) keys() *auth.Keys {
	k := auth.Keys(l.Keys)
	return &k
}
