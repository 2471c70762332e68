package media

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// Defaults of Fetcher.
const (
	defaultMaxBytes     = 10 << 20
	defaultTimeout      = 15 * time.Second
	defaultMaxRedirects = 3
	defaultMaxPixels    = 40_000_000
	defaultMaxDecoded   = 64 << 20
)

// Fetcher fetches images from the internet. The zero Fetcher has the defaults; it may
// be used by several goroutines and must not be changed then.
type Fetcher struct {
	MaxBytes   int64         // of the file; 0: DefaultMaxBytes
	Timeout    time.Duration // of the whole fetch with its redirects; 0: DefaultTimeout
	redirects  int           // at most; 0: defaultMaxRedirects; below 0: none
	MaxPixels  int64         // width × height; 0: DefaultMaxPixels
	MaxDecoded int64         // bytes of all decoded frames; 0: DefaultMaxDecoded

	// Ports that URLs may name or imply; nil: 80 and 443.
	Ports []uint16

	// Networks are connected to besides what Allow and Ports allow, on any port.
	Networks []netip.Prefix

	// Allow reports whether an address may be connected to. nil allows public addresses only. It is
	// for intranets and for tests of the host; one that always returns true allows callers to reach
	// the server's own network.
	Allow func(netip.Addr) bool

	// resolver returns the addresses of a name; nil: the system's resolver.
	resolver func(ctx context.Context, host string) ([]netip.Addr, error)
}

// Fetch fetches the image at a URL. The error is an *Error if the image or its
// address is to blame, and the context's own if the caller gave up. The declared
// media type does not count; the content is checked, but not yet decoded: Store.Save
// finds damage further in.
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
	img.Source, img.Name = rawURL, lastSegment(u)
	return img, nil
}

// Inspect holds the file of an image that was not fetched to the same bounds and checks. The
// error is an *Error.
func (f *Fetcher) Inspect(data []byte) (*Image, error) {
	if int64(len(data)) > f.Limit() {
		return nil, refuse(reasonSize)
	}
	return inspect(data, orDefault(f.MaxPixels, defaultMaxPixels), orDefault(f.MaxDecoded, defaultMaxDecoded))
}

// Limit returns the size of the largest file.
func (f *Fetcher) Limit() int64 { return orDefault(f.MaxBytes, defaultMaxBytes) }

// download follows redirects itself, so that only what is set here is sent: no
// cookie, no referrer, no credentials.
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

// step makes one request: it returns the target of a redirect, or the body.
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
		data, err := f.read(resp)
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

func (f *Fetcher) read(resp *http.Response) ([]byte, error) {
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

func (f *Fetcher) timeout() time.Duration { return orDefault(f.Timeout, defaultTimeout) }

func (f *Fetcher) maxRedirects() int { return max(orDefault(f.redirects, defaultMaxRedirects), 0) }

func orDefault[T int | int64 | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}
