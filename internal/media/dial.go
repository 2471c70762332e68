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

// Dialer connects to allowed addresses only. The zero Dialer allows public ones.
type Dialer struct {
	// Timeout is for all addresses of a name together. 0 is none.
	Timeout time.Duration

	// Allow reports whether an address may be connected to. nil allows public addresses only.
	Allow func(netip.Addr) bool

	// Ports are those that may be connected to. nil allows all.
	Ports []uint16

	// Networks are connected to besides what Allow and Ports allow, on any port.
	Networks []netip.Prefix

	// Lookup returns the addresses of a name. nil asks the system's resolver.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}

// maxAddresses limits how many addresses of one name are tried.
const maxAddresses = 8

// transport makes connections for one image: to allowed addresses only, and without
// the proxy of the environment, which would connect itself.
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

// DialContext connects to a host. Its name is looked up once and the result is dialled, so
// a name server that answers differently the next time gains nothing.
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
	// One address that drops packets must not use up the time of the others.
	one := net.Dialer{Timeout: d.Timeout / time.Duration(len(addrs)), ControlContext: d.control}
	for _, a := range addrs {
		var conn net.Conn
		if conn, err = one.DialContext(ctx, network, net.JoinHostPort(a.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// Addresses returns the addresses of a host that are allowed on the usual ports, at least one. Where there is none the error
// is an *Error.
func (d *Dialer) Addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	return d.addresses(ctx, host, defaultPorts[0])
}

// addresses returns the addresses of a host that are allowed on a port.
func (d *Dialer) addresses(ctx context.Context, host string, port uint16) ([]netip.Addr, error) {
	// Checked again: names in other scripts have become ASCII since.
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
	refused := refuse(reasonAddress)
	for _, a := range found {
		if !literal {
			a = a.Unmap() // resolvers may return mapped IPv4 addresses
		}
		if err := d.refusal(netip.AddrPortFrom(a, port)); err != nil {
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

// control checks the address of a socket that is about to connect, however it was
// found.
func (d *Dialer) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return refuse(reasonAddress)
	}
	return d.check(to)
}

// check returns an *Error if an address may not be connected to.
func (d *Dialer) check(to netip.AddrPort) error {
	if refused := d.refusal(to); refused != nil {
		return refused
	}
	return nil
}

// refusal returns why an address may not be connected to, nil if it may.
func (d *Dialer) refusal(to netip.AddrPort) *Error {
	allow := d.Allow
	if allow == nil {
		allow = public
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
