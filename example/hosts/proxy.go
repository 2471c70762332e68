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

// Proxy lets in whom a reverse proxy before the host names in a header, such as an oauth2-proxy or an SSO gateway. The proxy has to remove
// the header from what it forwards, and nobody else may reach the host. The header counts of the proxy's own address alone, and with its
// secret where there is one. What else has it is refused with 401, and not taken for anonymous: somebody tries to be another.
type Proxy struct {
	// Header has the name of the caller: "X-Remote-User".
	Header string

	// From are the addresses of the proxy, as they reach the host. None: any, with the Secret.
	From []netip.Prefix

	// SecretHeader has the Secret that only the proxy knows. "": there is none, and From says whom to believe.
	SecretHeader, Secret string

	// Find returns the id of the user of the site, 0 for nobody.
	Find func(ctx context.Context, name string) (int64, error)
}

// Authenticate finds the caller of a request.
func (p *Proxy) Authenticate(r *http.Request) (calendar.Principal, error) {
	names := r.Header.Values(p.Header)
	if len(names) == 0 {
		return calendar.Principal{}, nil // anonymous
	}
	refuse := func(reason string) (calendar.Principal, error) {
		return calendar.Principal{}, &calendar.AuthError{Err: errors.New(reason)}
	}
	// The proxy knows browsers by a cookie, which they send with what pages of other origins make them send too.
	if err := new(http.CrossOriginProtection).Check(r); err != nil {
		return refuse(err.Error())
	}
	if !p.trusts(r) || len(names) != 1 || names[0] == "" {
		return refuse("the header does not come from the proxy")
	}
	id, err := p.Find(r.Context(), names[0])
	if err != nil {
		return calendar.Principal{}, err // 503: nobody knows who it is
	}
	if id == 0 {
		return refuse("the name is no user of the site")
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
