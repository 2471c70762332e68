package compress

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

var long = strings.Repeat(`{"title":"Jazz"},`, 500)

// list is an answer of 64 kB. Its compressed form is longer than the buffer up to which net/http determines the
// Content-Length itself.
var list = func() string {
	var b strings.Builder
	for i := 0; b.Len() < 64<<10; i++ {
		id, title := strconv.Itoa(i*7919%99991), "Jazz "+strconv.Itoa(i*31%977)
		b.WriteString(`{"id":` + id + `,"title":"` + title + `","url":"https://example.org/"},`)
	}
	return b.String()
}()

// site answers according to the path.
func site() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"f"`)
		http.ServeContent(w, r, "file.json", time.Time{}, strings.NewReader(long))
	})
	mux.HandleFunc("/whole", func(w http.ResponseWriter, r *http.Request) { // the way in which the calendar sends its answers
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("ETag", `"w`+strconv.Itoa(len(r.URL.RawQuery))+`"`)
		if r.URL.RawQuery == "private" {
			h.Set("Cache-Control", "no-cache, no-store")
		}
		body := r.URL.RawQuery + list
		h.Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(http.StatusOK)
		if r.Method != http.MethodHead {
			io.WriteString(w, body)
		}
	})
	add := func(path, contentType, body string, also ...string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Content-Type", contentType)
			h.Set("Vary", "Origin")
			for i := 0; i < len(also); i += 2 {
				h.Set(also[i], also[i+1])
			}
			if tag := h.Get("ETag"); tag != "" && strings.Contains(r.Header.Get("If-None-Match"), tag) {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			if path != "/unknown-length" {
				h.Set("Content-Length", strconv.Itoa(len(body)))
			}
			io.WriteString(w, body[:len(body)/2])
			io.WriteString(w, body[len(body)/2:])
		})
	}
	add("/list", "application/json; charset=UTF-8", long, "ETag", `"abc.def"`)
	add("/weak", "application/json", long, "ETag", `W/"abc"`)
	add("/unknown-length", "text/html", long)
	add("/short", "application/json", `{"a":1}`, "ETag", `"s"`)
	add("/picture", "image/jpeg", long, "ETag", `"p"`)
	add("/zipped", "application/json", long, "Content-Encoding", "br")
	add("/as-it-is", "text/plain", long, "Cache-Control", "no-transform")
	mux.HandleFunc("/match", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Header.Get("If-Match")) })
	mux.HandleFunc("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/deadline", func(w http.ResponseWriter, _ *http.Request) {
		if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	return mux
}

// sendRequest sends a request from a client that does not decompress by itself.
func sendRequest(t *testing.T, method, address string, header ...string) (*http.Response, string) {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), method, address, nil))(t)
	r.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	must.Succeed(t, err)
	defer resp.Body.Close()
	body := io.Reader(resp.Body)
	switch coded := resp.Header.Get("Content-Encoding"); {
	case method == http.MethodHead:
	case coded == "gzip":
		body, err = gzip.NewReader(resp.Body)
	case coded == "zstd":
		body, err = zstd.NewReader(resp.Body)
	}
	must.Succeed(t, err)
	text := must.Get(io.ReadAll(body))(t)
	return resp, string(text)
}

func TestAnswers(t *testing.T) {
	server := httptest.NewServer(Handler(site(), 1<<20))
	defer server.Close()
	golden.Each(t, "answers.txt", func(path, accept, encoding, tag, vary, whole string) {
		whole = strings.ReplaceAll(whole, "{long}", long)
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			resp, body := sendRequest(t, method, server.URL+path, "Accept-Encoding", accept)
			h := resp.Header
			want := whole
			if method == http.MethodHead {
				if want = ""; path == "/unknown-length" {
					continue // net/http knows neither its length nor its body
				}
			}
			length := h.Get("Content-Length") == strconv.Itoa(len(long))
			if h.Get("Content-Encoding") != encoding || h.Get("ETag") != tag || strings.Join(h.Values("Vary"), ", ") != vary ||
				body != want || resp.StatusCode >= 300 || length && (encoding == "gzip" || encoding == "zstd") {
				t.Errorf("%s %s, %q: %d %v, %d bytes", method, path, accept, resp.StatusCode, h, len(body))
			}
		}
	})
}

func TestValidatorsOfCompressedAnswers(t *testing.T) {
	server := httptest.NewServer(Handler(site(), 1<<20))
	defer server.Close()
	for given, want := range map[string]string{
		`"abc.def-gzip"`: `304 "abc.def-gzip"`, `"abc.def"`: `304 "abc.def"`, `"x", "abc.def-gzip"`: `304 "abc.def-gzip"`,
		`"abc.def-zstd"`: `304 "abc.def-zstd"`, `W/"abc.def-gzip"`: `304 "abc.def-gzip"`, `"abc"`: `200 "abc.def-gzip"`,
	} {
		resp, body := sendRequest(t, http.MethodGet, server.URL+"/list", "Accept-Encoding", "gzip", "If-None-Match", given)
		got := strconv.Itoa(resp.StatusCode) + " " + resp.Header.Get("ETag")
		if got != want || resp.StatusCode == 304 && (body != "" || resp.Header.Get("Content-Encoding") != "") ||
			!strings.Contains(strings.Join(resp.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s: %s %v, want %s", given, got, resp.Header, want)
		}
	}
	if _, body := sendRequest(t, http.MethodGet, server.URL+"/match", "If-Match", `"a-gzip", "b", "c-zstd"`); body != `"a", "b", "c"` {
		t.Errorf("If-Match came as %s", body)
	}
}

// TestNoForm checks that a client that accepts none of the available codings gets an error before the handler is
// called.
func TestNoForm(t *testing.T) {
	carried := false
	server := httptest.NewServer(Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { carried = true }), 0))
	defer server.Close()
	for _, accept := range []string{"identity;q=0", "*;q=0", "br, identity;q=0", "gzip;q=0, identity;q=0.0", "gzip;q=-1, *;q=0"} {
		resp, body := sendRequest(t, http.MethodPost, server.URL, "Accept-Encoding", accept)
		if resp.StatusCode != http.StatusNotAcceptable || body != "" || resp.Header.Get("Vary") != "Accept-Encoding" || carried {
			t.Errorf("%s: %d %v %q, carried out %v", accept, resp.StatusCode, resp.Header, body, carried)
		}
	}
}

// TestKept checks that answers whose compressed form is cached equal those that are compressed for each request, for
// every coding, however often and in whatever order they are requested, and that answers that no cache may store are
// not cached.
func TestKept(t *testing.T) {
	kept := httptest.NewServer(Handler(site(), 1<<20))
	defer kept.Close()
	little := httptest.NewServer(Handler(site(), 1)) // too small for any answer
	defer little.Close()
	anew := httptest.NewServer(Handler(site(), 0))
	defer anew.Close()
	for range 3 {
		for _, query := range []string{"", "?a", "?bb", "?private"} {
			for _, accept := range []string{"gzip", "zstd", "identity"} {
				want := strings.TrimPrefix(query, "?") + list
				for name, address := range map[string]string{"kept": kept.URL, "little": little.URL, "anew": anew.URL} {
					resp, body := sendRequest(t, http.MethodGet, address+"/whole"+query, "Accept-Encoding", accept)
					coded := accept == "identity" || resp.Header.Get("Content-Encoding") == accept
					if body != want || !coded {
						t.Errorf("%s %q as %s: %v, %d bytes", name, query, accept, resp.Header, len(body))
					}
					if whole := resp.ContentLength >= 0; whole != (accept == "identity" || name != "anew" && query != "?private") {
						t.Errorf("%s %q as %s has the length %d", name, query, accept, resp.ContentLength)
					}
					head, _ := sendRequest(t, http.MethodHead, address+"/whole"+query, "Accept-Encoding", accept)
					for _, h := range []string{"Content-Encoding", "ETag", "Vary", "Content-Type"} {
						if got := head.Header.Values(h); strings.Join(got, ",") != strings.Join(resp.Header.Values(h), ",") {
							t.Errorf("%s %q as %s: HEAD has %s %q", name, query, accept, h, got)
						}
					}
				}
			}
		}
	}
}

// TestRange checks that ranges are of the uncompressed answer, and that a client that refuses that gets the whole
// answer compressed.
func TestRange(t *testing.T) {
	server := httptest.NewServer(Handler(site(), 1<<20))
	defer server.Close()
	resp, body := sendRequest(t, http.MethodGet, server.URL+"/file", "Accept-Encoding", "gzip", "Range", "bytes=5-9")
	if resp.StatusCode != http.StatusPartialContent || body != long[5:10] || resp.Header.Get("Content-Encoding") != "" ||
		resp.Header.Get("ETag") != `"f"` {
		t.Errorf("a part: %d %v %q", resp.StatusCode, resp.Header, body)
	}
	resp, body = sendRequest(t, http.MethodGet, server.URL+"/file", "Accept-Encoding", "gzip, identity;q=0", "Range", "bytes=5-9")
	if resp.StatusCode != http.StatusOK || body != long || resp.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("as a part that cannot be: %d %v, %d bytes", resp.StatusCode, resp.Header, len(body))
	}
}

// TestStreamsAreBounded checks that the number of answers that are compressed while they are sent is limited: further ones
// are sent uncompressed, or wait if the client refuses that.
func TestStreamsAreBounded(t *testing.T) {
	begun, end := make(chan struct{}, maxStreams+3), make(chan struct{})
	h := Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, long)
		begun <- struct{}{}
		<-end
	}), 0)
	var all sync.WaitGroup
	send := func(accepts string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", accepts)
		all.Go(func() { h.ServeHTTP(w, r) })
		return w
	}
	for range maxStreams {
		send("gzip")
		<-begun
	}
	beyond := send("gzip")
	<-begun
	refusing := send("gzip, identity;q=0")
	close(end)
	all.Wait()
	after := send("gzip")
	all.Wait()
	if beyond.Header().Get("Content-Encoding") != "" || beyond.Body.String() != long {
		t.Errorf("beyond the limit: %v", beyond.Header())
	}
	for _, w := range []*httptest.ResponseRecorder{refusing, after} {
		if w.Header().Get("Content-Encoding") != "gzip" {
			t.Errorf("after the others: %v", w.Header())
		}
	}
}

// BenchmarkKept sends a list of 64 kB repeatedly, compressed for each request and from the cache. The figure
// "anew/kept" is the ratio of the processor times.
func BenchmarkKept(b *testing.B) {
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(list)))
		io.WriteString(w, list)
	})
	for _, accept := range []string{"gzip", "zstd"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", accept)
		b.Run(accept, func(b *testing.B) {
			var took [2]time.Duration
			handlers := [2]http.Handler{Handler(next, 0), Handler(next, 1<<20)}
			for b.Loop() { // alternately, so that both run under the same load of the machine
				for i, h := range handlers {
					began := time.Now()
					h.ServeHTTP(discard{http.Header{}}, r)
					took[i] += time.Since(began)
				}
			}
			b.ReportMetric(float64(took[0].Nanoseconds())/float64(b.N), "anew-ns")
			b.ReportMetric(float64(took[1].Nanoseconds())/float64(b.N), "kept-ns")
			b.ReportMetric(float64(took[0])/float64(took[1]), "anew/kept")
		})
	}
}

// discard is an http.ResponseWriter that discards the answer.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}
