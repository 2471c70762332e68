package auth

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Network describes the network between client and server. The zero value trusts no proxy. A peer without an IP
// address, as on a Unix socket, is never trusted; a host that serves such a socket sets Address and PlainHTTP.
type Network struct {
	// TrustedProxies contains the addresses of proxies whose headers are believed for the address of the client and the
	// scheme.
	TrustedProxies []netip.Prefix
	// Address determines the client's address in another way. If it returns "", the usual way is used.
	Address func(*http.Request) string
	// PlainHTTP accepts passwords over unencrypted connections.
	PlainHTTP bool
}

// Secure reports whether nobody could read a password of this request on its way: the connection was encrypted or
// local, or the host allows plain HTTP.
//
// Headers of a trusted proxy are believed. If they name several schemes, all of them must be https, so that a client
// that adds one can only harm itself. A program on this machine that forwards requests is a proxy as well: unless it is
// trusted, it is unknown how the request reached it.
func (n *Network) Secure(r *http.Request) bool {
	if n.PlainHTTP {
		return true
	}
	encrypted, said := n.encrypted(r)
	peer, known := peerOf(r)
	return encrypted || !said && known && peer.IsLoopback() && !forwards(r.Header)
}

// Encrypted reports whether a request was encrypted, by TLS or according to a trusted proxy.
func (n *Network) Encrypted(r *http.Request) bool {
	encrypted, _ := n.encrypted(r)
	return encrypted
}

// encrypted is like Encrypted. said reports that a trusted proxy stated the scheme.
func (n *Network) encrypted(r *http.Request) (encrypted, said bool) {
	if peer, known := peerOf(r); known && n.trusts(peer) {
		if schemes := forwardedSchemes(r.Header); len(schemes) > 0 {
			return !slices.ContainsFunc(schemes, func(s string) bool { return !strings.EqualFold(s, "https") }), true
		}
	}
	return r.TLS != nil, false
}

type clientKey struct{}

// WithClient returns a context for requests that this process makes on behalf of the client of another request, r,
// which came over the network.
func WithClient(ctx context.Context, r *http.Request) context.Context {
	return context.WithValue(ctx, clientKey{}, r)
}

// ForClient is like WithClient, unless the context names a request already.
func ForClient(ctx context.Context, r *http.Request) context.Context {
	if HasClient(ctx) {
		return ctx
	}
	return WithClient(ctx, r)
}

// HasClient reports whether ctx is one of WithClient.
func HasClient(ctx context.Context) bool {
	of, _ := ctx.Value(clientKey{}).(*http.Request)
	return of != nil
}

// Client returns the address of the client, for counting and logs: the nearest address that is not a trusted proxy.
// Headers of other peers are ignored. The address is "" for a request that did not come over the network, unless
// WithClient names the request on whose behalf it is made.
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
	// A proxy writes one of the two headers and may forward the other one as the client sent it. If they differ, it is
	// unknown which one is right, so neither is believed.
	if a := n.walk(peer, old); a == n.walk(peer, standard) {
		return a.String()
	}
	return peer.String()
}

// walk returns the nearest untrusted address of the hops that proxies recorded. The nearest hop is the last.
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

// peerOf returns the address of the other end of the connection.
func peerOf(r *http.Request) (netip.Addr, bool) { return parseHop(r.RemoteAddr) }

// parseHop parses an address with or without a port.
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

// forwards reports whether headers show that a proxy forwarded the request.
func forwards(h http.Header) bool {
	names := []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip", "Forwarded", "Via"}
	return slices.ContainsFunc(names, func(name string) bool { return len(h.Values(name)) > 0 })
}

// forwardedSchemes returns all schemes that proxies recorded.
func forwardedSchemes(h http.Header) []string {
	all := append(listed(h, "X-Forwarded-Proto"), forwardedElements(h, "proto")...)
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// listed returns the elements of a header that contains a list.
func listed(h http.Header, name string) (all []string) {
	for _, line := range h.Values(name) {
		for e := range strings.SplitSeq(line, ",") {
			all = append(all, strings.TrimSpace(e))
		}
	}
	return all
}

// forwardedElements returns one parameter of the Forwarded header (RFC 7239) for each hop, and "" for a hop without it.
// The result is nil if no hop has it.
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
