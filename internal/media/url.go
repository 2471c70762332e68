package media

import (
	"cmp"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
)

// maxURL is the greatest length of a URL in bytes. It is generous, since signed URLs are long.
const maxURL = 4096

var defaultPorts = []uint16{80, 443}

// parse parses and checks the URL of an image.
func (f *Fetcher) parse(raw string) (*url.URL, error) {
	if len(raw) > maxURL {
		return nil, refuse(reasonURL)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, refuseFor(reasonURL, err)
	}
	return u, f.check(u)
}

// check returns an *Error if a URL, given by a client or by a redirect, must not be requested. The addresses of a host
// name are checked later, when it is dialled.
func (f *Fetcher) check(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Hostname() == "" {
		return refuse(reasonURL)
	}
	port, err := portOf(u)
	if err != nil {
		return err
	}
	d := f.dialer()
	addr, literal, err := literalAddress(u.Hostname())
	switch {
	case err != nil:
		return err
	case literal:
		return d.check(netip.AddrPortFrom(addr, port))
	case len(d.Networks) == 0 && !slices.Contains(d.Ports, port): // the port is not allowed, whatever the addresses are
		return refuseTo(reasonPort, netip.AddrPortFrom(netip.Addr{}, port))
	}
	return nil
}

// portOf returns the port of a URL, explicit or by its scheme.
func portOf(u *url.URL) (uint16, error) {
	text := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0, refuse(reasonURL)
	}
	return uint16(port), nil
}

// AllowedPorts returns the ports that URLs may use outside Networks.
func (f *Fetcher) AllowedPorts() []uint16 {
	if f.Ports != nil {
		return f.Ports
	}
	return defaultPorts
}
