package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// origin is a server on the loopback address, and a Fetcher that may connect to it.
type origin struct {
	*httptest.Server
	*Fetcher
	hits atomic.Int32
	port string
}

func newOrigin(t testing.TB, handler http.HandlerFunc) *origin {
	t.Helper()
	o := &origin{}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.hits.Add(1)
		handler(w, r)
	}))
	t.Cleanup(o.Close)
	at := netip.MustParseAddrPort(strings.TrimPrefix(o.URL, "http://"))
	o.port = strconv.Itoa(int(at.Port()))
	o.Fetcher = &Fetcher{Ports: []uint16{at.Port()}, Allow: func(a netip.Addr) bool { return a == at.Addr() }}
	return o
}

func serving(body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(body) }
}

// resolving resolves all names to some addresses.
func resolving(addresses string) func(context.Context, string) ([]netip.Addr, error) {
	return func(context.Context, string) (addrs []netip.Addr, err error) {
		for _, a := range strings.Fields(addresses) {
			addrs = append(addrs, netip.MustParseAddr(a))
		}
		return addrs, nil
	}
}

func TestFetch(t *testing.T) {
	for mime, file := range map[string][]byte{
		"image/jpeg": jpegFile(t, quarters(30, 20)),
		"image/png":  pngFile(t, quarters(30, 20)),
		"image/gif":  gifFile(t, 30, 20, image.Rect(0, 0, 5, 5)),
		"image/webp": webpFile(30, 20, color.NRGBA{1, 2, 3, 255}),
	} {
		o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html") // is ignored
			_, _ = w.Write(file)
		})
		raw := o.URL + "/dir/My%20Photo.JPG?size=1#top"
		img, err := o.Fetch(t.Context(), raw)
		if err != nil {
			t.Errorf("%s: %v", mime, err)
			continue
		}
		if img.Mime != mime || img.Width != 30 || img.Height != 20 || img.Name != "My Photo.JPG" || !bytes.Equal(img.data, file) {
			t.Errorf("%s: %s %d×%d %q", mime, img.Mime, img.Width, img.Height, img.Name)
		}
	}
}

func TestNamesOfFetched(t *testing.T) {
	o := newOrigin(t, serving(pngFile(t, quarters(30, 20))))
	for raw, want := range map[string]string{
		"": "image", "/": "image", "/a/": "a", "/a.jpg": "a", "/a/b%20c.jpg?x=/y.png#/z": "b-c", "/a%2Fb.jpg": "b", "/..": "image",
	} {
		img := must.Get(o.Fetch(t.Context(), o.URL+raw))(t)
		golden.Equal(t, raw, stemOf(img.Name), want)
	}
}

func TestFetchContent(t *testing.T) {
	photo := jpegFile(t, quarters(30, 20))
	for name, c := range map[string]struct {
		body []byte
		want string
	}{
		"page":            {[]byte("<!DOCTYPE html><html></html>"), reasonType},
		"drawing":         {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`), reasonType},
		"nothing":         {nil, reasonType},
		"bitmap":          {append([]byte("BM"), make([]byte, 60)...), reasonType},
		"icon":            {append([]byte("\x00\x00\x01\x00"), make([]byte, 60)...), reasonType},
		"document":        {[]byte("%PDF-1.7\n"), reasonType},
		"compressed":      {append([]byte("\x1f\x8b\x08"), make([]byte, 60)...), reasonType},
		"space before":    {append([]byte(" "), photo...), reasonType},
		"only a start":    {photo[:20], reasonBroken},
		"bomb":            {declaredPNG(100_000, 100_000), reasonPixels},
		"many pixels":     {declaredPNG(40_000, 1_001), reasonPixels},
		"B7 many bytes":   {declaredPNG(16_384, 1_025), reasonPixels},
		"wide":            {declaredPNG(65_536, 1), reasonPixels},
		"tall":            {declaredPNG(1, 65_536), reasonPixels},
		"just in":         {declaredPNG(16_384, 1_024), ""}, // 64 MiB, the limit of B7
		"no pixels":       {declaredPNG(0, 10), reasonBroken},
		"large animation": {animatedWebPFile(16_000, 16_000), reasonPixels},
	} {
		o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "image/jpeg")
			_, _ = w.Write(c.body)
		})
		if _, err := o.Fetch(t.Context(), o.URL); reason(err) != c.want {
			t.Errorf("%s: %q, want %q", name, reason(err), c.want)
		}
	}
}

func TestMaxPixels(t *testing.T) {
	for limit, want := range map[int64]string{99: reasonPixels, 100: ""} {
		if _, err := inspect(declaredPNG(20, 5), limit, defaultMaxDecoded); reason(err) != want {
			t.Errorf("%d: %v", limit, err)
		}
	}
}

func TestFetchStatus(t *testing.T) {
	photo := jpegFile(t, quarters(30, 20))
	for _, status := range []int{201, 204, 206, 300, 304, 305, 400, 403, 404, 500, 503} {
		o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "/")
			w.WriteHeader(status)
			_, _ = w.Write(photo)
		})
		if _, err := o.Fetch(t.Context(), o.URL); reason(err) != reasonStatus {
			t.Errorf("%d: %v", status, err)
		}
	}
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusFound) })
	if _, err := o.Fetch(t.Context(), o.URL); reason(err) != reasonStatus {
		t.Errorf("a redirect to nowhere: %v", err)
	}
}

// TestInspectSize checks that uploads have the same limit as downloads.
func TestInspectSize(t *testing.T) {
	photo := jpegFile(t, quarters(30, 20))
	f := &Fetcher{MaxBytes: int64(len(photo))}
	must.Get(f.Inspect(photo))(t)
	f.MaxBytes--
	if _, err := f.Inspect(photo); reason(err) != reasonSize {
		t.Errorf("a larger file: %v", err)
	}
}

func TestFetchSize(t *testing.T) {
	photo := jpegFile(t, quarters(30, 20))
	o := newOrigin(t, serving(photo))
	o.MaxBytes = int64(len(photo))
	must.Get(o.Fetch(t.Context(), o.URL))(t)
	o.MaxBytes--
	if _, err := o.Fetch(t.Context(), o.URL); reason(err) != reasonSize {
		t.Error(err)
	}
	// A declared length is sufficient.
	declared := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(defaultMaxBytes+1))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	if _, err := declared.Fetch(t.Context(), declared.URL); reason(err) != reasonSize {
		t.Error(err)
	}
	// No declared length, and no end.
	ended := make(chan struct{})
	endless := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		for {
			if _, err := w.Write(photo); err != nil {
				return
			}
		}
	})
	if _, err := endless.Fetch(t.Context(), endless.URL); reason(err) != reasonSize {
		t.Error(err)
	}
	<-ended // reading has stopped
}

func TestFetchRedirects(t *testing.T) {
	photo := jpegFile(t, quarters(30, 20))
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Referer", "Cookie", "Authorization", "Accept-Encoding"} {
			golden.Equal(t, name, r.Header.Get(name), "")
		}
		if r.UserAgent() != "Agenda" || !r.Close {
			t.Errorf("user agent %q, close %v", r.UserAgent(), r.Close)
		}
		w.Header().Set("Set-Cookie", "a=b")
		n, _ := strconv.Atoi(strings.Trim(r.URL.Path, "/"))
		if n == 0 {
			_, _ = w.Write(photo)
			return
		}
		w.Header().Set("Location", strconv.Itoa(n-1))
		w.WriteHeader([]int{301, 302, 303, 307, 308}[n%5])
	})
	img, err := o.Fetch(t.Context(), o.URL+"/3")
	if err != nil || img.Name != "3" {
		t.Errorf("three redirects: %+v %v", img, err)
	}
	if _, err := o.Fetch(t.Context(), o.URL+"/4"); reason(err) != reasonRedirects {
		t.Errorf("four redirects: %v", err)
	}
	o.redirects = 1
	if _, err := o.Fetch(t.Context(), o.URL+"/2"); reason(err) != reasonRedirects {
		t.Errorf("two redirects, one allowed: %v", err)
	}
	o.redirects = -1
	if _, err := o.Fetch(t.Context(), o.URL+"/1"); reason(err) != reasonRedirects {
		t.Errorf("one redirect, none allowed: %v", err)
	}
}

// TestFetchRedirectAway checks that every redirect is checked, also after valid ones.
func TestFetchRedirectAway(t *testing.T) {
	var to string
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/first" {
			http.Redirect(w, r, "/second", http.StatusFound)
			return
		}
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	})
	o.resolver = func(ctx context.Context, host string) ([]netip.Addr, error) {
		if host == "inside.example" {
			return resolving("10.0.0.7")(ctx, host)
		}
		return resolving("127.0.0.1")(ctx, host)
	}
	golden.Each(t, "redirects.txt", func(target, want string) {
		to = strings.ReplaceAll(target, "PORT", o.port)
		if _, err := o.Fetch(t.Context(), "http://outside.example:"+o.port+"/first"); reason(err) != want {
			t.Errorf("to %s: %q, want %q", to, reason(err), want)
		}
	})
}

// TestFetchRebinding checks that the address that was checked is dialled, and that each redirect is checked again.
func TestFetchRebinding(t *testing.T) {
	photo := jpegFile(t, quarters(30, 20))
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/again" {
			http.Redirect(w, r, "/photo", http.StatusFound)
			return
		}
		_, _ = w.Write(photo)
	})
	inside := insideServer(t, o.port)
	lookups := 0
	o.resolver = func(ctx context.Context, host string) ([]netip.Addr, error) {
		lookups++
		return resolving(fmt.Sprint("127.0.0.", lookups))(ctx, host)
	}
	address := "http://changing.example:" + o.port
	if _, err := o.Fetch(t.Context(), address+"/photo"); err != nil || lookups != 1 {
		t.Errorf("%v after %d lookups", err, lookups)
	}
	if _, err := o.Fetch(t.Context(), address+"/photo"); reason(err) != reasonAddress {
		t.Errorf("the second answer: %v", err)
	}
	lookups = 0
	if _, err := o.Fetch(t.Context(), address+"/again"); reason(err) != reasonAddress || lookups != 2 {
		t.Errorf("the answer after a redirect: %v after %d lookups", err, lookups)
	}
	if n := inside.Load(); n != 0 {
		t.Errorf("%d connections to the inside", n)
	}
}

// insideServer counts the connections to another loopback address.
func insideServer(t *testing.T, port string) *atomic.Int32 {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.2:"+port))(t)
	var n atomic.Int32
	s := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { n.Add(1) })}
	s.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			n.Add(1)
		}
	}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return &n
}

func TestFetchLookup(t *testing.T) {
	o := newOrigin(t, serving(jpegFile(t, quarters(30, 20))))
	address := "http://some.example:" + o.port + "/"
	for answer, want := range map[string]string{
		"10.0.0.1":                      reasonAddress,
		"10.0.0.1 ::1 127.0.0.2":        reasonAddress,
		"":                              reasonAddress,
		"::ffff:127.0.0.1":              "", // IPv4 as some resolvers return it
		"10.0.0.1 127.0.0.1":            "",
		"::ffff:10.0.0.1":               reasonAddress,
		strings.Repeat("10.0.0.1 ", 20): reasonAddress,
		strings.Repeat("10.0.0.1 ", 20) + "127.0.0.1": "",
	} {
		o.resolver = resolving(answer)
		if _, err := o.Fetch(t.Context(), address); reason(err) != want {
			t.Errorf("%q: %q, want %q", answer, reason(err), want)
		}
	}
	o.resolver = func(context.Context, string) ([]netip.Addr, error) {
		return nil, &net.DNSError{Err: "no such host", Name: "some.example", Server: "10.9.8.7:53", IsNotFound: true}
	}
	_, err := o.Fetch(t.Context(), address)
	if reason(err) != reasonUnreachable || strings.Contains(err.Error(), "10.9.8.7") {
		t.Error(err)
	}
	if dns, ok := errors.AsType[*net.DNSError](err); !ok || dns.Server == "" {
		t.Error("logs do not see the cause")
	}
}

// TestFetchPublicOnly checks that without Allow nothing on this machine can be reached, whatever it is called.
func TestFetchPublicOnly(t *testing.T) {
	o := newOrigin(t, serving(nil))
	o.Allow = nil
	o.resolver = resolving("127.0.0.1")
	for _, host := range []string{"127.0.0.1", "localhost", "some.example", "１２７.0.0.1", "127。0。0。1", "②①③⓪⑦⓪⑥④③③"} {
		if _, err := o.Fetch(t.Context(), "http://"+host+":"+o.port+"/"); reason(err) != reasonAddress {
			t.Errorf("%s: %v", host, err)
		}
	}
	// A number in other digits is still not a name.
	o.Allow = func(netip.Addr) bool { return true }
	if _, err := o.Fetch(t.Context(), "http://②①③⓪⑦⓪⑥④③③:"+o.port+"/"); reason(err) != reasonAddress {
		t.Error(err)
	}
	if n := o.hits.Load(); n != 0 {
		t.Errorf("%d requests came through", n)
	}
}

// TestControl checks that a socket is not connected to a forbidden address, even if all earlier checks fail.
func TestControl(t *testing.T) {
	f := &Fetcher{}
	for _, address := range []string{"127.0.0.1:80", "10.0.0.1:443", "[::1]:80", "[fe80::1%lo]:80", "[::ffff:8.8.8.8]:80", "nonsense"} {
		if err := f.dialer().control(t.Context(), "tcp", address, nil); reason(err) != reasonAddress {
			t.Errorf("%s: %v", address, err)
		}
	}
	must.Succeed(t, f.dialer().control(t.Context(), "tcp", "8.8.8.8:443", nil))
	d := net.Dialer{ControlContext: f.dialer().control}
	o := newOrigin(t, serving(nil))
	if _, err := d.DialContext(t.Context(), "tcp", "127.0.0.1:"+o.port); reason(err) != reasonAddress {
		t.Errorf("dialled: %v", err)
	}
}

func TestNoProxy(t *testing.T) {
	if (&Fetcher{}).transport().Proxy != nil {
		t.Error("a proxy would dial what it likes")
	}
}

func TestFetchTimeout(t *testing.T) {
	over := make(chan struct{})
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			_, _ = w.Write([]byte("\xFF\xD8\xFF"))
			w.(http.Flusher).Flush()
		}
		<-over
	})
	t.Cleanup(func() { close(over) }) // before the server waits for its handlers
	o.Timeout = 50 * time.Millisecond
	for _, path := range []string{"/headers", "/body"} {
		if _, err := o.Fetch(t.Context(), o.URL+path); reason(err) != reasonTimeout {
			t.Errorf("%s: %v", path, err)
		}
	}
	o.resolver = func(ctx context.Context, _ string) ([]netip.Addr, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if _, err := o.Fetch(t.Context(), "http://slow.example:"+o.port); reason(err) != reasonTimeout {
		t.Errorf("lookup: %v", err)
	}
	o.resolver = func(context.Context, string) ([]netip.Addr, error) { return nil, os.ErrDeadlineExceeded }
	if _, err := o.Fetch(t.Context(), "http://slow.example:"+o.port); reason(err) != reasonTimeout {
		t.Errorf("a resolver's own timeout: %v", err)
	}
}

// TestFetchGivenUp checks that the error is not an *Error if the caller has cancelled the context.
func TestFetchGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	_, err := o.Fetch(ctx, o.URL)
	if _, refused := errors.AsType[*Error](err); refused || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFetchUnreachable(t *testing.T) {
	o := newOrigin(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte("\xFF\xD8\xFF"))
	})
	if _, err := o.Fetch(t.Context(), o.URL); reason(err) != reasonUnreachable {
		t.Errorf("cut off: %v", err)
	}
	if _, err := o.Fetch(t.Context(), strings.Replace(o.URL, "http:", "https:", 1)); reason(err) != reasonUnreachable {
		t.Errorf("no TLS there: %v", err)
	}
	o.Close()
	_, err := o.Fetch(t.Context(), "http://127.0.0.1:"+o.port)
	if reason(err) != reasonUnreachable {
		t.Errorf("nobody there: %v", err)
	}
	if strings.Contains(err.Error(), "127.0.0.1") || strings.Contains(err.Error(), "refused") {
		t.Errorf("the message contains too much: %v", err)
	}
}
