package media

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// maxAddresses limits how many addresses of one name are tried.
const maxAddresses = 8

// transport makes connections for one image: to allowed addresses only, and without
// the proxy of the environment, which would connect itself.
func (f *Fetcher) transport() *http.Transport {
	return &http.Transport{
		DialContext:            f.dial,
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// dial connects to a host. Its name is looked up once and the result is dialled, so a
// name server that answers differently the next time gains nothing.
func (f *Fetcher) dial(ctx context.Context, network, hostport string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	addrs, err := f.addresses(ctx, host)
	if err != nil {
		return nil, err
	}
	// One address that drops packets must not use up the time of the others.
	d := net.Dialer{Timeout: f.timeout() / time.Duration(len(addrs)), ControlContext: f.control}
	for _, a := range addrs {
		var conn net.Conn
		if conn, err = d.DialContext(ctx, network, net.JoinHostPort(a.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// addresses returns the allowed addresses of a host, at least one.
func (f *Fetcher) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	// Checked again: names in other scripts have become ASCII since.
	addr, literal, err := literalAddress(host)
	if err != nil {
		return nil, err
	}
	found := []netip.Addr{addr}
	if !literal {
		if found, err = f.lookup(ctx, host); err != nil {
			return nil, err
		}
	}
	var allowed []netip.Addr
	for _, a := range found {
		if !literal {
			a = a.Unmap() // resolvers may return mapped IPv4 addresses
		}
		if f.allowed(a) && len(allowed) < maxAddresses {
			allowed = append(allowed, a)
		}
	}
	if len(allowed) == 0 {
		return nil, refuse(reasonAddress)
	}
	return allowed, nil
}

func (f *Fetcher) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if f.resolver != nil {
		return f.resolver(ctx, host)
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// control checks the address of a socket that is about to connect, however it was
// found.
func (f *Fetcher) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !f.allowed(to.Addr()) {
		return refuse(reasonAddress)
	}
	return nil
}

func (f *Fetcher) allowed(a netip.Addr) bool {
	if f.Allow != nil {
		return f.Allow(a)
	}
	return public(a)
}
