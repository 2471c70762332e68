package media

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// Dialer connects to allowed addresses only. The zero value allows public addresses.
type Dialer struct {
	// Timeout limits the attempts at all addresses of a host together. 0 means no limit.
	Timeout time.Duration

	// Allow reports whether connections to an address are allowed. nil allows public addresses only.
	Allow func(netip.Addr) bool

	// Ports are the allowed ports. nil allows all.
	Ports []uint16

	// Networks are allowed on any port, in addition to what Allow and Ports allow.
	Networks []netip.Prefix

	// Lookup resolves a host name. nil uses the system's resolver.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}

// maxAddresses is the greatest number of addresses of a host that are tried.
const maxAddresses = 8

// transport returns the HTTP transport for fetching one image. It connects to allowed addresses only, and ignores the
// proxy in the environment, since a proxy would resolve and connect to the host itself.
func (f *Fetcher) transport() *http.Transport {
	return &http.Transport{
		DialContext:            f.dialer().DialContext,
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

func (f *Fetcher) dialer() *Dialer {
	return &Dialer{Timeout: f.timeout(), Allow: f.Allow, Ports: f.AllowedPorts(), Networks: f.Networks, Lookup: f.resolver}
}

// DialContext connects to a host. It resolves the name once and dials the addresses that it checked, so that a DNS
// server cannot pass the check with one answer and redirect the connection with the next (DNS rebinding).
func (d *Dialer) DialContext(ctx context.Context, network, hostport string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, refuse(reasonURL)
	}
	addrs, err := d.addresses(ctx, host, uint16(number))
	if err != nil {
		return nil, err
	}
	// Divided, so that one address that drops packets leaves time for the others.
	one := net.Dialer{Timeout: d.Timeout / time.Duration(len(addrs)), ControlContext: d.control}
	for _, a := range addrs {
		var conn net.Conn
		if conn, err = one.DialContext(ctx, network, net.JoinHostPort(a.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// Addresses resolves a host and returns the addresses that are allowed on port 80, at least one. If none is allowed,
// the error is an *Error.
func (d *Dialer) Addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	return d.addresses(ctx, host, defaultPorts[0])
}

// addresses resolves a host and returns the addresses that are allowed on a port.
func (d *Dialer) addresses(ctx context.Context, host string, port uint16) ([]netip.Addr, error) {
	// Checked again, since an internationalized host name was converted to ASCII after the first check.
	addr, literal, err := literalAddress(host)
	if err != nil {
		return nil, err
	}
	found := []netip.Addr{addr}
	if !literal {
		if found, err = d.lookup(ctx, host); err != nil {
			return nil, err
		}
	}
	var allowed []netip.Addr
	var refused error = refuse(reasonAddress)
	for _, a := range found {
		if !literal {
			a = a.Unmap() // resolvers may return IPv4 addresses mapped to IPv6
		}
		if err := d.check(netip.AddrPortFrom(a, port)); err != nil {
			refused = err
		} else if len(allowed) < maxAddresses {
			allowed = append(allowed, a)
		}
	}
	if len(allowed) == 0 {
		return nil, refused
	}
	return allowed, nil
}

func (d *Dialer) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if d.Lookup != nil {
		return d.Lookup(ctx, host)
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// control checks the address of a socket right before it connects. It is a second barrier, independent of how the
// address was determined.
func (d *Dialer) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return refuse(reasonAddress)
	}
	return d.check(to)
}

// check returns an *Error if connections to an address are not allowed.
func (d *Dialer) check(to netip.AddrPort) error {
	allow := d.Allow
	if allow == nil {
		allow = Public
	}
	switch {
	case slices.ContainsFunc(d.Networks, func(n netip.Prefix) bool { return n.Contains(to.Addr()) }):
		return nil
	case !allow(to.Addr()):
		return refuseTo(reasonAddress, to)
	case d.Ports != nil && !slices.Contains(d.Ports, to.Port()):
		return refuseTo(reasonPort, to)
	}
	return nil
}
