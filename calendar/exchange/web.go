package exchange

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/media"
)

// These limit what is fetched.
const (
	maxFetched   = 256 << 20 // bytes of a file
	maxAnswer    = 32 << 20  // bytes of an answer of an API
	maxAnswers   = 2 << 30   // bytes of all answers
	maxRedirects = 5
	maxRetries   = 5
	longestPause = 5 * time.Minute // the longest Retry-After that is respected
	longestDial  = 10 * time.Second
	longestFile  = 10 * time.Minute // for a file
	longestPage  = time.Minute      // for an answer of an API, from the request to its last byte
)

// ErrUnencrypted is the error of an address, or a redirect, that OpenOptions.PlainHTTP would allow.
var ErrUnencrypted = errors.New("the connection would not be encrypted")

// ErrNotEncrypted is the error of an https address whose server speaks http.
var ErrNotEncrypted = errors.New("the server speaks http there and not https")

// ErrPrivateSource is the error of a host name that resolves to addresses which only OpenOptions.PrivateSources would
// allow.
var ErrPrivateSource = errors.New("its name leads to an address that is not public")

var (
	errPrivate = errors.New("it leads to an address that is not public")
	errSlow    = fmt.Errorf("the response takes longer than %d seconds", int(longestPage.Seconds()))
)

// web fetches everything that belongs to one source. The source's host may have any address if it is written as an IP
// address, or if private sources are allowed; a host name may resolve to another address at any time. Redirects may
// only lead to public addresses. A login is sent to the source's host only. Each host name is resolved once.
type web struct {
	client   *http.Client
	source   *url.URL      // as it is fetched, without its login
	login    *url.Userinfo // nil if there is none
	plain    bool          // http is allowed
	anywhere bool          // the source's host may have addresses that are not public
	left     int64         // bytes that may still be read
	proxy    func(*http.Request) (*url.URL, error)

	mu      sync.Mutex
	found   map[string][]netip.Addr // by host name
	proxies map[string]bool         // "host:port" of proxies that requests use
}

// newWeb returns a web for an address.
func newWeb(u *url.URL, o OpenOptions) (*web, error) {
	w := &web{
		source: fetchedFrom(u), login: u.User, left: maxAnswers, proxy: http.ProxyFromEnvironment,
		found: map[string][]netip.Addr{}, proxies: map[string]bool{},
	}
	w.source.User = nil
	w.anywhere = o.PrivateSources || writtenAddress(u.Hostname())
	w.plain = u.Scheme == "http" || u.Scheme != "webcals" && o.PlainHTTP
	if u.Scheme == "http" && u.User != nil && !o.PlainHTTP && !thisMachine(u.Hostname()) {
		return nil, fmt.Errorf("%w: %w: a login is sent over https", ErrSource, ErrUnencrypted)
	}
	client := http.Client{Timeout: longestFile, Transport: &http.Transport{
		Proxy: w.proxied, DialContext: w.dial, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: time.Minute,
		MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: 1, ForceAttemptHTTP2: true,
	}}
	if o.Client != nil {
		client = *o.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	w.client = &client
	return w, nil
}

// thisMachine reports whether a host is the machine of the program.
func thisMachine(host string) bool {
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.IsLoopback()
}

// writtenAddress reports whether a host is an IP address or localhost, rather than a name that its owner may point
// elsewhere.
func writtenAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || strings.EqualFold(host, "localhost")
}

// hostport returns the "host:port" of an address.
func hostport(u *url.URL) string {
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// homes returns the "host:port" of the source, and of the same host over https.
func (w *web) homes() []string {
	homes := []string{hostport(w.source)}
	if w.source.Scheme == "http" {
		homes = append(homes, net.JoinHostPort(strings.ToLower(w.source.Hostname()), "443"))
	}
	return homes
}

// atHome reports whether an address is on the source's host.
func (w *web) atHome(u *url.URL) bool { return slices.Contains(w.homes(), hostport(u)) }

// proxied returns the proxy that the environment sets for a request, and remembers that it may be dialled.
func (w *web) proxied(r *http.Request) (*url.URL, error) {
	proxy, err := w.proxy(r)
	if proxy != nil && err == nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		port := cmp.Or(proxy.Port(), map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[proxy.Scheme])
		w.proxies[net.JoinHostPort(strings.ToLower(proxy.Hostname()), port)] = true
	}
	return proxy, err
}

// dial connects to the proxy whatever its address, to the source's host if that is allowed, and otherwise to public
// addresses only.
func (w *web) dial(ctx context.Context, network, to string) (net.Conn, error) {
	d := &media.Dialer{Timeout: longestDial, Lookup: w.lookup}
	w.mu.Lock()
	given := w.proxies[strings.ToLower(to)] || w.anywhere && slices.Contains(w.homes(), strings.ToLower(to))
	w.mu.Unlock()
	if given {
		d.Allow = func(netip.Addr) bool { return true }
	}
	return d.DialContext(ctx, network, to)
}

func (w *web) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if found, known := w.found[host]; known {
		return found, nil
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err == nil {
		w.found[host] = found
	}
	return found, err
}

// mayFetch checks an address before anything is sent to it.
func (w *web) mayFetch(ctx context.Context, r *http.Request) error {
	switch {
	case r.URL.Scheme != "http" && r.URL.Scheme != "https" || r.URL.Hostname() == "":
		return errors.New("it redirects to something that is not a web address")
	case r.URL.Scheme == "http" && !w.plain:
		return fmt.Errorf("%w: it redirects to http", ErrUnencrypted)
	case w.anywhere && w.atHome(r.URL):
		return nil
	}
	if proxy, err := w.proxy(r); err != nil || proxy == nil {
		return err // dial checks it
	}
	var refused *media.Error
	if _, err := (&media.Dialer{Lookup: w.lookup}).Addresses(ctx, r.URL.Hostname()); errors.As(err, &refused) {
		return w.private(r.URL)
	}
	return nil // the proxy resolves names that are unknown here
}

// private returns the error of an address that is not public.
func (w *web) private(u *url.URL) error {
	if w.atHome(u) {
		return ErrPrivateSource
	}
	return errPrivate
}

// get requests an address and follows redirects.
func (w *web) get(ctx context.Context, u *url.URL, accept string) (*http.Response, error) {
	for hops := 0; ; hops++ {
		at := *u
		at.User = nil
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
		if err != nil {
			return nil, errors.New("it is not a web address")
		}
		if err := w.mayFetch(ctx, r); err != nil {
			return nil, err
		}
		r.Header.Set("User-Agent", "agenda-import")
		r.Header.Set("Accept", accept)
		if password, _ := w.login.Password(); w.login != nil && w.atHome(r.URL) {
			r.SetBasicAuth(w.login.Username(), password)
		}
		resp, err := w.client.Do(r)
		if err = withoutAddress(err); errors.Is(err, errPrivate) {
			err = w.private(r.URL)
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains([]int{301, 302, 303, 307, 308}, resp.StatusCode) {
			return resp, nil
		}
		_ = resp.Body.Close()
		if u, err = resp.Location(); err != nil {
			return nil, statusError{resp.StatusCode}
		}
		if hops == maxRedirects {
			return nil, errors.New("it redirects too often")
		}
	}
}

// withoutAddress returns the error of a request without its address, which may contain secrets.
func withoutAddress(err error) error {
	if err == nil {
		return nil
	}
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	var refused *media.Error
	switch {
	case errors.As(err, &refused):
		return errPrivate
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, new(tls.RecordHeaderError)):
		return ErrNotEncrypted
	}
	return err
}

// statusError is an answer that is not a success.
type statusError struct{ status int }

func (e statusError) Error() string {
	return fmt.Sprintf("the server responds with %d %s", e.status, http.StatusText(e.status))
}

// within is get with a time limit for the whole answer, including its body.
func (w *web) within(ctx context.Context, longest time.Duration, u *url.URL, accept string) (*http.Response, error) {
	limited, cancel := context.WithTimeoutCause(ctx, longest, errSlow)
	resp, err := w.get(limited, u, accept)
	if err != nil {
		defer cancel()
		return nil, slowError(limited, err)
	}
	resp.Body = &timedBody{resp.Body, limited, cancel}
	return resp, nil
}

// timedBody is the body of an answer with a time limit.
type timedBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelFunc
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	return n, slowError(b.ctx, err)
}

// Close also releases the timer.
func (b *timedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// slowError returns errSlow if an error is due to the time limit.
func slowError(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errSlow) {
		return errSlow
	}
	return err
}

// fetch requests an address, and repeats that after a pause if the server asks for one. longest limits the time of each
// answer, without the pauses.
func (w *web) fetch(ctx context.Context, longest time.Duration, u *url.URL, accept string) (*http.Response, error) {
	for try := 1; ; try++ {
		resp, err := w.within(ctx, longest, u, accept)
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

// retryAfter parses the header Retry-After, which contains seconds or a date.
func retryAfter(text string, now time.Time) (time.Duration, bool) {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && n >= 0 {
		return time.Duration(n) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

// limited is a reader that fails once a limit is exceeded.
type limited struct {
	io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errors.New("it is larger than a source may be")
	}
	return n, err
}

// json reads an answer of an API.
func (w *web) json(ctx context.Context, u *url.URL, into any) error {
	resp, err := w.fetch(ctx, longestPage, u, "application/json")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	most := min(maxAnswer, w.left)
	body := &limited{resp.Body, most}
	d := json.NewDecoder(body)
	d.UseNumber()
	err = d.Decode(into)
	w.left -= most - max(0, body.left)
	return err
}

// address opens an address.
func (s *Opened) address(ctx context.Context, u *url.URL, o OpenOptions) error {
	w, err := newWeb(u, o)
	if err != nil {
		return err
	}
	s.Name = w.source.String()
	if err := s.fetched(ctx, w, u, o); err != nil {
		return err
	}
	s.Source = &bounded{Source: s.Source, most: o.maxItems()}
	return nil
}

// fetched opens an address, with a web that is ready to fetch it.
func (s *Opened) fetched(ctx context.Context, w *web, u *url.URL, o OpenOptions) error {
	api := strings.Contains(addressOfRoute(u).route, "/events/v1")
	if o.Format == FormatREST || o.Format == "" && api && !strings.HasSuffix(u.Path, ".ics") && u.Query().Get("_format") == "" {
		return s.rest(ctx, w, o)
	}
	resp, err := w.fetch(ctx, longestFile, w.source, "text/calendar, text/csv, application/json;q=0.9, */*;q=0.5")
	if err != nil && u.Scheme == "webcal" && ctx.Err() == nil {
		switch {
		case u.User != nil:
			return fmt.Errorf("over https: %w", err)
		case !o.PlainHTTP:
			return fmt.Errorf("over https: %w; else %w", err, ErrUnencrypted)
		}
		w.source.Scheme = "http"
		resp, err = w.fetch(ctx, longestFile, w.source, "text/calendar")
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	f, err := s.spool(&limited{resp.Body, maxFetched})
	if err != nil {
		return withoutAddress(err)
	}
	begin, err := beginOf(f)
	if err != nil {
		return err
	}
	if o.Format == "" {
		switch media, guessed := resp.Header.Get("Content-Type"), guessFormat(u.Path, begin); {
		case strings.Contains(media, "html") && guessed == "":
			return s.rest(ctx, w, o)
		case strings.Contains(media, "text/csv"):
			o.Format = FormatCSV
		case strings.Contains(media, "text/calendar"):
			o.Format = FormatICalendar
		case bytes.Contains(begin, []byte(`"namespace`)):
			return s.rest(ctx, w, o)
		case guessed == FormatJSON:
			return ErrJSONLines
		}
	}
	return s.file(f, shownAddress(w.source), o)
}

// ErrTooMany is the error of an address that has more items than OpenOptions.MaxItems.
var ErrTooMany = errors.New("it has more items than are read from an address")

// bounded is a source that fails after a maximum number of items.
type bounded struct {
	Source
	read, most int64
}

// Next returns the next record.
func (b *bounded) Next(ctx context.Context) (*Record, error) {
	rec, err := b.Source.Next(ctx)
	var problem *Problem
	if err == nil || errors.As(err, &problem) {
		if b.read++; b.read > b.most {
			return nil, tooMany(b.most)
		}
	}
	return rec, err
}

func tooMany(most int64) error { return fmt.Errorf("%w: %d", ErrTooMany, most) }
