package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
)

// Public reports whether an address is on the public internet.
func Public(a netip.Addr) bool { return public(a) }

// maxTaken is how much of an answer to Post is read.
const maxTaken = 64 << 10

// CheckAddress returns an *Error if a URL may not be fetched from, or posted to: because of its form, or because its name
// leads to addresses that are not allowed.
func (f *Fetcher) CheckAddress(ctx context.Context, rawURL string) error {
	u, err := f.parse(rawURL)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, f.timeout())
	defer cancel()
	port, err := portOf(u)
	if err != nil {
		return err
	}
	if _, err = f.dialer().addresses(limited, u.Hostname(), port); err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused
	}
	return refuseFor(reasonUnreachable, err)
}

// Post posts a body, by the rules of fetched images: what CheckAddress refuses is refused again when it is dialled, and
// redirects are answers like others. It returns status and header of the answer.
func (f *Fetcher) Post(ctx context.Context, rawURL string, header http.Header, body []byte) (int, http.Header, error) {
	u, err := f.parse(rawURL)
	if err != nil {
		return 0, nil, err
	}
	limited, cancel := context.WithTimeout(ctx, f.timeout())
	defer cancel()
	r, err := http.NewRequestWithContext(limited, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return 0, nil, refuseFor(reasonURL, err)
	}
	r.Header = header
	r.Header.Set("User-Agent", "Agenda")
	transport := f.transport()
	defer transport.CloseIdleConnections()
	answer, err := transport.RoundTrip(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxTaken)) // what it says does not count
	return answer.StatusCode, answer.Header, nil
}
