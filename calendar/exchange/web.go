package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Limits of what is fetched.
const (
	maxFetched   = 256 << 20 // bytes of a file
	maxAnswer    = 32 << 20  // bytes of an answer of an API
	maxRedirects = 5
	maxRetries   = 5
	longestPause = 5 * time.Minute // that a server may ask for
)

// client returns the client for addresses.
func (o OpenOptions) client() *http.Client {
	if o.Client != nil {
		return o.Client
	}
	return &http.Client{
		Timeout: 10 * time.Minute,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: time.Minute, MaxIdleConnsPerHost: 1, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return errors.New("it redirects too often")
			}
			return nil
		},
	}
}

// statusError is an answer other than a success.
type statusError struct{ status int }

func (e statusError) Error() string {
	return fmt.Sprintf("the server answers %d %s", e.status, http.StatusText(e.status))
}

// fetch asks for an address, and once more where the server asks for a pause.
func fetch(ctx context.Context, client *http.Client, address, accept string) (*http.Response, error) {
	for try := 1; ; try++ {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, err
		}
		r.Header.Set("User-Agent", "agenda-import")
		r.Header.Set("Accept", accept)
		resp, err := client.Do(r)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode == http.StatusOK {
			return resp, nil
		}
		_, _ = io.CopyN(io.Discard, resp.Body, 1<<16)
		_ = resp.Body.Close()
		busy := resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable
		pause, asked := retryAfter(resp.Header.Get("Retry-After"), time.Now())
		if !asked && resp.StatusCode >= http.StatusInternalServerError {
			pause, busy = time.Duration(try)*2*time.Second, true
		}
		if !busy || try > maxRetries || pause > longestPause {
			return nil, statusError{resp.StatusCode}
		}
		select {
		case <-time.After(max(pause, time.Second)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// retryAfter reads the header Retry-After: seconds or a date.
func retryAfter(text string, now time.Time) (time.Duration, bool) {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && n >= 0 {
		return time.Duration(n) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

// limited is a reader that fails past a limit.
type limited struct {
	io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errors.New("the file is too large")
	}
	return n, err
}

// address opens what is at an address.
func (s *Opened) address(ctx context.Context, u *url.URL, o OpenOptions) error {
	subscribed := strings.HasPrefix(u.Scheme, "webcal")
	if subscribed {
		u.Scheme = "https"
	}
	s.Name = u.Redacted()
	client := o.client()
	if o.Format == FormatREST || o.Format == "" && strings.Contains(u.Path, "/events/v1") && !strings.HasSuffix(u.Path, ".ics") &&
		u.Query().Get("_format") == "" {
		return s.rest(ctx, client, u)
	}
	resp, err := fetch(ctx, client, u.String(), "text/calendar, text/csv, application/json;q=0.9, */*;q=0.5")
	if err != nil && subscribed && ctx.Err() == nil {
		u.Scheme = "http"
		resp, err = fetch(ctx, client, u.String(), "text/calendar")
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	f, err := s.spool(&limited{resp.Body, maxFetched})
	if err != nil {
		return err
	}
	begin := make([]byte, 512)
	n, _ := io.ReadFull(f, begin)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if o.Format == "" && guess(u.Path, begin[:n]) == "" && strings.Contains(resp.Header.Get("Content-Type"), "html") {
		return s.rest(ctx, client, u)
	}
	if o.Format == "" {
		switch media := resp.Header.Get("Content-Type"); {
		case strings.Contains(media, "text/csv"):
			o.Format = FormatCSV
		case strings.Contains(media, "text/calendar"):
			o.Format = FormatICalendar
		}
	}
	if o.Format == "" && bytes.Contains(begin[:n], []byte(`"namespace`)) {
		return s.rest(ctx, client, u)
	}
	return s.file(f, u.Redacted(), o)
}

// getJSON reads an answer of an API.
func getJSON(ctx context.Context, client *http.Client, address string, into any) error {
	resp, err := fetch(ctx, client, address, "application/json")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	d := json.NewDecoder(&limited{resp.Body, maxAnswer})
	d.UseNumber()
	return d.Decode(into)
}
