package media

import (
	"net/netip"
	"strings"
)

// special4 are the IPv4 blocks that are not public.
var special4 = prefixes(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // carrier-grade NAT
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // a cloud's own service, reachable from its machines only
	"169.254.0.0/16",   // link-local, where clouds keep their metadata
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

// global6 is the only IPv6 block in use for the public internet. Outside it are the
// loopback, addresses that map IPv4 ones (mapped, compatible, NAT64), unique-local,
// link-local, site-local and multicast addresses.
var global6 = netip.MustParsePrefix("2000::/3")

var special6 = prefixes(
	"2001::/23",     // protocol assignments: Teredo, benchmarks, ORCHID
	"2001:db8::/32", // documentation
	"2002::/16",     // 6to4, which maps an IPv4 address
	"3fff::/20",     // documentation
)

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		out[i] = netip.MustParsePrefix(t)
	}
	return out
}

// public reports whether an address is on the public internet. An IPv6 address that
// maps an IPv4 one is not, whichever it maps.
func public(addr netip.Addr) bool {
	if !addr.IsValid() {
		return false
	}
	special := special4
	if !addr.Is4() {
		if !global6.Contains(addr) { // nor one with a zone, which no prefix contains
			return false
		}
		special = special6
	}
	for _, p := range special {
		if p.Contains(addr) {
			return false
		}
	}
	return true
}

// literalAddress reads a host that is an address and not a name. Forms that only some
// resolvers understand (one number, octal, hexadecimal, fewer parts, a dot at the
// end) are refused: their meaning depends on the reader.
func literalAddress(host string) (addr netip.Addr, literal bool, err error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr, true, nil
	}
	if strings.ContainsAny(host, ":%") || endsInNumber(host) {
		return netip.Addr{}, false, refuse(reasonAddress)
	}
	return netip.Addr{}, false, nil
}

// endsInNumber reports whether a host ends in a number, which no top-level domain is,
// so that it means an address.
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
