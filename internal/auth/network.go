package auth

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Network says what is known of the way that requests come. The zero value
// trusts no proxy. A peer without an IP address, as on a Unix socket, is never
// trusted: such a host names Address and PlainHTTP itself.
type Network struct {
	// TrustedProxies are the addresses of proxies whose word counts: on the
	// client's address and on the scheme that the client used.
	TrustedProxies []netip.Prefix
	// Address finds the client's address in another way; where it returns ""
	// the usual way is taken.
	Address func(*http.Request) string
	// PlainHTTP lets passwords come unencrypted.
	PlainHTTP bool
}

// Secure reports whether a password of this request was not to be read on its way:
// it came encrypted, from this very machine, or the host does not mind.
//
// A trusted proxy is believed; where several are named, every leg must have been
// encrypted, so that a client that adds a word of its own can only harm itself.
// A neighbor on this machine that passes on what others sent is a proxy, too: as
// long as it is not trusted, nothing is known about the way to it.
func (n *Network) Secure(r *http.Request) bool {
	if n.PlainHTTP {
		return true
	}
	peer, known := peerOf(r)
	if known && n.trusts(peer) {
		if schemes := forwardedSchemes(r.Header); len(schemes) > 0 {
			return !slices.ContainsFunc(schemes, func(s string) bool { return !strings.EqualFold(s, "https") })
		}
	}
	return r.TLS != nil || known && peer.IsLoopback() && !forwards(r.Header)
}

// Client returns the address of the client, as a text for counting and logs: the
// nearest one that is no trusted proxy. What a stranger says about where its
// request came from is not heard.
func (n *Network) Client(r *http.Request) string {
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
	// A proxy writes one of the two headers and may pass on the other, which
	// the client wrote then. Where they differ nobody knows which is which.
	if a := n.walk(peer, old); a == n.walk(peer, standard) {
		return a.String()
	}
	return peer.String()
}

// walk follows the hops that the proxies noted, the nearest last, as long as
// trusted ones note them.
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

// forwards reports whether a proxy stands between the client and this program.
func forwards(h http.Header) bool {
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip", "Forwarded", "Via"} {
		if len(h.Values(name)) > 0 {
			return true
		}
	}
	return false
}

// forwardedSchemes returns every scheme that proxies named.
func forwardedSchemes(h http.Header) []string {
	all := append(listed(h, "X-Forwarded-Proto"), forwardedElements(h, "proto")...)
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// listed returns the elements of a header that is a list.
func listed(h http.Header, name string) (all []string) {
	for _, line := range h.Values(name) {
		for e := range strings.SplitSeq(line, ",") {
			all = append(all, strings.TrimSpace(e))
		}
	}
	return all
}

// forwardedElements returns what the Forwarded header (RFC 7239) says of one
// parameter, one text for each hop, "" where a hop does not say it; nothing if
// none does.
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
