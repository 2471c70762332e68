package media

import (
	"net/netip"
	"slices"
	"strings"
)

// special4 contains the IPv4 blocks that are not part of the public internet.
var special4 = prefixes(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // carrier-grade NAT
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // Azure's platform service, reachable from its virtual machines only
	"169.254.0.0/16",   // link-local, used by clouds for instance metadata
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // protocol assignments
	"192.0.2.0/24",     // documentation
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved, broadcast
)

// global6 is the only IPv6 block that is assigned to the public internet. Outside it are the loopback address,
// addresses that embed IPv4 addresses (mapped, compatible, NAT64), unique-local, link-local, site-local and multicast
// addresses.
var global6 = netip.MustParsePrefix("2000::/3")

var special6 = prefixes(
	"2001::/23",     // protocol assignments: Teredo, benchmarks, ORCHID
	"2001:db8::/32", // documentation
	"2002::/16",     // 6to4, which embeds IPv4 addresses
	"3fff::/20",     // documentation
)

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		out[i] = netip.MustParsePrefix(t)
	}
	return out
}

// Public reports whether an address is on the public internet. An IPv6 address that embeds an IPv4 address is not,
// whatever that address is.
func Public(addr netip.Addr) bool {
	if !addr.IsValid() {
		return false
	}
	special := special4
	if !addr.Is4() {
		if !global6.Contains(addr) { // false for addresses with a zone, too: no prefix contains them
			return false
		}
		special = special6
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// literalAddress parses a host that is an IP address rather than a name. It rejects notations that only some resolvers
// understand (a single number, octal, hexadecimal, fewer parts, a dot at the end), because other programs read them as
// different addresses.
func literalAddress(host string) (addr netip.Addr, literal bool, err error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr, true, nil
	}
	if strings.ContainsAny(host, ":%") || endsInNumber(host) {
		return netip.Addr{}, false, refuse(reasonAddress)
	}
	return netip.Addr{}, false, nil
}

// endsInNumber reports whether the last label of a host is a number. No top-level domain is one, so such a host is an
// IP address in some notation.
func endsInNumber(host string) bool {
	host = strings.TrimRight(host, ".")
	label := host[strings.LastIndexByte(host, '.')+1:]
	if label == "" {
		return false
	}
	if strings.Trim(label, "0123456789") == "" {
		return true
	}
	rest, hex := strings.CutPrefix(strings.ToLower(label), "0x")
	return hex && strings.Trim(rest, "0123456789abcdef") == ""
}
