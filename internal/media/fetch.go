package media

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"time"
)

// Defaults of Fetcher's fields.
const (
	defaultMaxBytes     = 10 << 20
	defaultTimeout      = 15 * time.Second
	defaultMaxRedirects = 3
	defaultMaxPixels    = 40_000_000
	defaultMaxDecoded   = 64 << 20
)

// Fetcher fetches images over HTTP. The zero value uses the defaults. A Fetcher is safe for concurrent use, if its
// fields are not changed meanwhile.
type Fetcher struct {
	MaxBytes   int64         // greatest size of a file; 0 means defaultMaxBytes
	Timeout    time.Duration // of a whole fetch including redirects; 0 means defaultTimeout
	redirects  int           // greatest number; 0 means defaultMaxRedirects, a negative number none
	MaxPixels  int64         // greatest width × height; 0 means defaultMaxPixels
	MaxDecoded int64         // greatest size of all decoded frames, in bytes; 0 means defaultMaxDecoded

	// Ports are the ports that URLs may use. nil means 80 and 443.
	Ports []uint16

	// Networks are allowed on any port, in addition to what Allow and Ports allow.
	Networks []netip.Prefix

	// Allow reports whether connections to an address are allowed. nil allows public addresses only. It is meant for
	// intranets and for tests of a host. A function that always returns true gives clients access to the server's own
	// network.
	Allow func(netip.Addr) bool

	// resolver resolves a host name. nil means the system's resolver.
	resolver func(ctx context.Context, host string) ([]netip.Addr, error)
}

// Fetch downloads the image at a URL. The error is an *Error if the image or its URL is invalid, and ctx.Err() if ctx
// ended. The Content-Type of the response is ignored; the type is detected from the content. The image is not decoded
// yet, so Store.Save may still find that it is damaged.
func (f *Fetcher) Fetch(ctx context.Context, rawURL string) (*Image, error) {
	limited, cancel := context.WithTimeout(ctx, f.timeout())
	defer cancel()
	img, err := f.fetch(limited, rawURL)
	if err == nil {
		return img, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if refused, ok := errors.AsType[*Error](err); ok {
		return nil, refused
	}
	if netErr, ok := errors.AsType[net.Error](err); limited.Err() != nil || ok && netErr.Timeout() {
		return nil, refuseFor(reasonTimeout, err)
	}
	return nil, refuseFor(reasonUnreachable, err)
}

func (f *Fetcher) fetch(ctx context.Context, rawURL string) (*Image, error) {
	u, err := f.parse(rawURL)
	if err != nil {
		return nil, err
	}
	data, err := f.download(ctx, u)
	if err != nil {
		return nil, err
	}
	img, err := f.Inspect(data)
	if err != nil {
		return nil, err
	}
	img.Name = path.Base(u.Path)
	return img, nil
}

// Inspect applies the limits and checks of Fetch to the content of a file, such as an upload. The error is an *Error.
func (f *Fetcher) Inspect(data []byte) (*Image, error) {
	if int64(len(data)) > f.Limit() {
		return nil, refuse(reasonSize)
	}
	return inspect(data, cmp.Or(f.MaxPixels, defaultMaxPixels), cmp.Or(f.MaxDecoded, defaultMaxDecoded))
}

// Limit returns the greatest size of a file, in bytes.
func (f *Fetcher) Limit() int64 { return cmp.Or(f.MaxBytes, defaultMaxBytes) }

// download follows redirects itself, so that no cookie, referrer or credentials are sent.
func (f *Fetcher) download(ctx context.Context, u *url.URL) ([]byte, error) {
	transport := f.transport()
	defer transport.CloseIdleConnections()
	for hops := 0; ; hops++ {
		next, data, err := f.step(ctx, transport, u)
		if next == nil || err != nil {
			return data, err
		}
		if hops >= f.maxRedirects() {
			return nil, refuse(reasonRedirects)
		}
		if err := f.check(next); err != nil {
			return nil, err
		}
		u = next
	}
}

// step makes one request. It returns the target of a redirect, or the body.
func (f *Fetcher) step(ctx context.Context, t *http.Transport, u *url.URL) (*url.URL, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, nil, refuseFor(reasonURL, err)
	}
	req.Header.Set("User-Agent", "Agenda")
	req.Header.Set("Accept", "image/jpeg, image/png, image/gif, image/webp")
	resp, err := t.RoundTrip(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		data, err := f.readBody(resp)
		return nil, data, err
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		next, err := resp.Location()
		if err != nil {
			return nil, nil, refuseFor(reasonStatus, err)
		}
		return next, nil, nil
	}
	return nil, nil, refuse(reasonStatus)
}

func (f *Fetcher) readBody(resp *http.Response) ([]byte, error) {
	limit := f.Limit()
	if resp.ContentLength > limit {
		return nil, refuse(reasonSize)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if int64(len(data)) > limit {
		return nil, refuse(reasonSize)
	}
	return data, err
}

func (f *Fetcher) timeout() time.Duration { return cmp.Or(f.Timeout, defaultTimeout) }

func (f *Fetcher) maxRedirects() int { return max(cmp.Or(f.redirects, defaultMaxRedirects), 0) }
