package hosts

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/netip"
	"slices"

	"github.com/agendahq/agenda/calendar"
)

// Proxy authenticates the callers whom a reverse proxy in front of the host, such as oauth2-proxy or an SSO gateway,
// names in a header. The proxy must remove that header from the requests that it forwards, and only the proxy may be
// able to reach the host. The header is trusted only from the proxy's address and, if there is one, with its secret.
// Any other request that has the header is answered with 401 rather than treated as anonymous, because its sender
// pretends to be somebody.
type Proxy struct {
	// Header contains the name of the caller, such as "X-Remote-User".
	Header string

	// From lists the addresses from which the proxy reaches the host. If it is empty, any address is accepted with the
	// Secret.
	From []netip.Prefix

	// SecretHeader contains the Secret, which only the proxy knows. If it is "", there is no secret, and From decides.
	SecretHeader, Secret string

	// Find returns the id of the site's user, or 0 if there is none.
	Find func(ctx context.Context, name string) (int64, error)
}

// Authenticate identifies the caller of a request.
func (p *Proxy) Authenticate(r *http.Request) (calendar.Principal, error) {
	names := r.Header.Values(p.Header)
	if len(names) == 0 {
		return calendar.Principal{}, nil // anonymous
	}
	refuse := func(reason string) (calendar.Principal, error) {
		return calendar.Principal{}, &calendar.AuthError{Err: errors.New(reason)}
	}
	// The proxy recognizes browsers by a cookie, which they also send with requests that pages of other origins cause.
	if err := new(http.CrossOriginProtection).Check(r); err != nil {
		return refuse(err.Error())
	}
	if !p.trusts(r) || len(names) != 1 || names[0] == "" {
		return refuse("the header does not come from the proxy")
	}
	id, err := p.Find(r.Context(), names[0])
	if err != nil {
		return calendar.Principal{}, err // 503, because the caller is unknown
	}
	if id == 0 {
		return refuse("the name is not a user of the site")
	}
	return calendar.Principal{UserID: id, Login: names[0]}, nil
}

// trusts reports whether a request comes from the proxy.
func (p *Proxy) trusts(r *http.Request) bool {
	if p.Secret == "" && len(p.From) == 0 {
		return false
	}
	if p.Secret != "" && subtle.ConstantTimeCompare([]byte(r.Header.Get(p.SecretHeader)), []byte(p.Secret)) != 1 {
		return false
	}
	if len(p.From) == 0 {
		return true
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && slices.ContainsFunc(p.From, func(of netip.Prefix) bool { return of.Contains(peer.Addr().Unmap()) })
}
