package auth

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Network is what is known of the network between client and server. The zero value
// trusts no proxy. A peer without an IP address, as on a Unix socket, is never
// trusted: such a host sets Address and PlainHTTP.
type Network struct {
	// TrustedProxies are the addresses of proxies whose headers count for the
	// client's address and scheme.
	TrustedProxies []netip.Prefix
	// Address finds the client's address in another way; if it returns "" the usual
	// way is used.
	Address func(*http.Request) string
	// PlainHTTP accepts passwords over unencrypted connections.
	PlainHTTP bool
}

// Secure reports whether nobody could read a password of this request on its way: it
// came encrypted or from this machine, or the host allows plain HTTP.
//
// The headers of a trusted proxy count; if they name several schemes, all must be
// encrypted, so that a client that adds one can only harm itself. A program on this
// machine that forwards requests is a proxy, too: unless it is trusted, the way of
// the request is unknown.
func (n *Network) Secure(r *http.Request) bool {
	if n.PlainHTTP {
		return true
	}
	encrypted, said := n.encrypted(r)
	peer, known := peerOf(r)
	return encrypted || !said && known && peer.IsLoopback() && !forwards(r.Header)
}

// Encrypted reports whether a request came encrypted, by TLS or as a trusted proxy says.
func (n *Network) Encrypted(r *http.Request) bool {
	encrypted, _ := n.encrypted(r)
	return encrypted
}

// encrypted is Encrypted; said reports that a trusted proxy decides it.
func (n *Network) encrypted(r *http.Request) (encrypted, said bool) {
	if peer, known := peerOf(r); known && n.trusts(peer) {
		if schemes := forwardedSchemes(r.Header); len(schemes) > 0 {
			return !slices.ContainsFunc(schemes, func(s string) bool { return !strings.EqualFold(s, "https") }), true
		}
	}
	return r.TLS != nil, false
}

type clientKey struct{}

// WithClient returns a context for requests that this process runs for the client of another
// one, which came over the network.
func WithClient(ctx context.Context, r *http.Request) context.Context {
	return context.WithValue(ctx, clientKey{}, r)
}

// ForClient is WithClient, unless the context is for the client of another request already.
func ForClient(ctx context.Context, r *http.Request) context.Context {
	if of, ok := ctx.Value(clientKey{}).(*http.Request); ok && of != nil {
		return ctx
	}
	return WithClient(ctx, r)
}

// Client returns the address of the client, as a text for counting and logs: the
// nearest one that is no trusted proxy. Headers of others do not count. It is "" for a
// request that did not come over the network, unless WithClient says for whom it is run.
func (n *Network) Client(r *http.Request) string {
	if of, ok := r.Context().Value(clientKey{}).(*http.Request); ok && of != nil {
		r = of
	}
	if n.Address != nil {
		if address := n.Address(r); address != "" {
			return address
		}
	}
	peer, known := peerOf(r)
	if !known {
		return r.RemoteAddr
	}
	old, standard := listed(r.Header, "X-Forwarded-For"), forwardedElements(r.Header, "for")
	if len(old) == 0 || len(standard) == 0 {
		return n.walk(peer, append(old, standard...)).String()
	}
	// A proxy writes one of the two headers and may forward the other as the client wrote it. If
	// they differ it is unknown which is right.
	if a := n.walk(peer, old); a == n.walk(peer, standard) {
		return a.String()
	}
	return peer.String()
}

// walk returns the nearest untrusted address of the hops that proxies recorded, the
// nearest last.
func (n *Network) walk(peer netip.Addr, hops []string) netip.Addr {
	for _, hop := range slices.Backward(hops) {
		if !n.trusts(peer) {
			break
		}
		next, ok := parseHop(hop)
		if !ok {
			break
		}
		peer = next
	}
	return peer
}

func (n *Network) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(n.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// peerOf returns the address at the other end of the connection.
func peerOf(r *http.Request) (netip.Addr, bool) { return parseHop(r.RemoteAddr) }

// parseHop reads an address with or without a port.
func parseHop(s string) (netip.Addr, bool) {
	if s = strings.Trim(s, `"`); strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		s = s[1 : len(s)-1]
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		with, err := netip.ParseAddrPort(s)
		if err != nil {
			return a, false
		}
		a = with.Addr()
	}
	return a.Unmap().WithZone(""), true
}

// forwards reports whether headers show a proxy before this program.
func forwards(h http.Header) bool {
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip", "Forwarded", "Via"} {
		if len(h.Values(name)) > 0 {
			return true
		}
	}
	return false
}

// forwardedSchemes returns all schemes that proxies recorded.
func forwardedSchemes(h http.Header) []string {
	all := append(listed(h, "X-Forwarded-Proto"), forwardedElements(h, "proto")...)
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// listed returns the elements of a header with a list.
func listed(h http.Header, name string) (all []string) {
	for _, line := range h.Values(name) {
		for e := range strings.SplitSeq(line, ",") {
			all = append(all, strings.TrimSpace(e))
		}
	}
	return all
}

// forwardedElements returns one parameter of the Forwarded header (RFC 7239) for each
// hop, "" for a hop without it; nothing if no hop has it.
func forwardedElements(h http.Header, parameter string) (all []string) {
	said := false
	for _, hop := range listed(h, "Forwarded") {
		element := ""
		for pair := range strings.SplitSeq(hop, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			if strings.EqualFold(name, parameter) {
				element, said = strings.Trim(value, `"`), true
			}
		}
		all = append(all, element)
	}
	if !said {
		return nil
	}
	return all
}
