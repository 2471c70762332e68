package media

import (
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxURL is generous: signed addresses are long.
const maxURL = 4096

var defaultPorts = []uint16{80, 443}

// parse reads a caller's URL of an image.
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

// check returns an error if a URL, given or redirected to, must not be followed. Its
// addresses are checked when it is dialled.
func (f *Fetcher) check(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Hostname() == "" {
		return refuse(reasonURL)
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || !slices.Contains(f.ports(), uint16(n)) {
		return refuse(reasonURL)
	}
	addr, literal, err := literalAddress(u.Hostname())
	if err != nil {
		return err
	}
	if literal && !f.dialer().allowed(addr) {
		return refuse(reasonAddress)
	}
	return nil
}

func (f *Fetcher) ports() []uint16 {
	if f.Ports != nil {
		return f.Ports
	}
	return defaultPorts
}

// lastSegment returns the file name in the path of a URL, "" without one.
func lastSegment(u *url.URL) string {
	if u.Path == "" || strings.HasSuffix(u.Path, "/") {
		return ""
	}
	return path.Base(u.Path)
}
