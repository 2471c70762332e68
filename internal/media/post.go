package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
)

// maxTaken is how many bytes of a response to Post are read.
const maxTaken = 64 << 10

// CheckAddress returns an *Error if a URL must not be fetched from or posted to, either because of its form or because
// its host resolves to addresses that are not allowed.
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

// Post sends a body to a URL under the same restrictions as Fetch. Addresses are checked again when they are dialled.
// Redirects are not followed but returned. It returns the status and the header of the response.
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
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxTaken)) // read only to finish the response properly
	return answer.StatusCode, answer.Header, nil
}
