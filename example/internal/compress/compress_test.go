package compress

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

var long = strings.Repeat(`{"title":"Jazz"},`, 500)

// site answers as the path says.
func site() http.Handler {
	mux := http.NewServeMux()
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

// asked sends a request as a client that does not decompress by itself.
func asked(t *testing.T, method, address string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body := io.Reader(resp.Body)
	if resp.Header.Get("Content-Encoding") == "gzip" && method != http.MethodHead {
		if body, err = gzip.NewReader(resp.Body); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

func TestAnswers(t *testing.T) {
	server := httptest.NewServer(Handler(site()))
	defer server.Close()
	for _, c := range []struct {
		path, accept, encoding, tag, vary, body string
	}{
		{"/list", "gzip", "gzip", `"abc.def-gzip"`, "Origin, Accept-Encoding", long},
		{"/list", "br, gzip;q=0.5", "gzip", `"abc.def-gzip"`, "Origin, Accept-Encoding", long},
		{"/list", "*", "gzip", `"abc.def-gzip"`, "Origin, Accept-Encoding", long},
		{"/list", "gzip; q=0, *", "", `"abc.def"`, "Origin, Accept-Encoding", long},
		{"/list", "identity", "", `"abc.def"`, "Origin, Accept-Encoding", long},
		{"/weak", "gzip", "gzip", `W/"abc-gzip"`, "Origin, Accept-Encoding", long},
		{"/unknown-length", "gzip", "gzip", "", "Origin, Accept-Encoding", long},
		{"/short", "gzip", "", `"s"`, "Origin, Accept-Encoding", `{"a":1}`},
		{"/picture", "gzip", "", `"p"`, "Origin", long},
		{"/zipped", "gzip", "br", "", "Origin, Accept-Encoding", long},
		{"/as-it-is", "gzip", "", "", "Origin, Accept-Encoding", long},
		{"/none", "gzip", "", "", "", ""},
		{"/deadline", "gzip", "", "", "", ""},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			resp, body := asked(t, method, server.URL+c.path, "Accept-Encoding", c.accept)
			h := resp.Header
			if method == http.MethodHead && c.path != "/unknown-length" {
				c.body = ""
			}
			if c.path == "/unknown-length" && method == http.MethodHead {
				continue // net/http knows no length and no body of it
			}
			length := h.Get("Content-Length") == strconv.Itoa(len(long))
			if h.Get("Content-Encoding") != c.encoding || h.Get("ETag") != c.tag || strings.Join(h.Values("Vary"), ", ") != c.vary ||
				body != c.body || resp.StatusCode >= 300 || length && c.encoding == "gzip" {
				t.Errorf("%s %s, %q: %d %v, %d bytes", method, c.path, c.accept, resp.StatusCode, h, len(body))
			}
		}
	}
}

func TestValidatorsOfCompressedAnswers(t *testing.T) {
	server := httptest.NewServer(Handler(site()))
	defer server.Close()
	for given, want := range map[string]string{
		`"abc.def-gzip"`: `304 "abc.def-gzip"`, `"abc.def"`: `304 "abc.def"`, `"x", "abc.def-gzip"`: `304 "abc.def-gzip"`,
		`W/"abc.def-gzip"`: `304 "abc.def-gzip"`, `"abc"`: `200 "abc.def-gzip"`,
	} {
		resp, body := asked(t, http.MethodGet, server.URL+"/list", "Accept-Encoding", "gzip", "If-None-Match", given)
		got := strconv.Itoa(resp.StatusCode) + " " + resp.Header.Get("ETag")
		if got != want || resp.StatusCode == 304 && (body != "" || resp.Header.Get("Content-Encoding") != "") ||
			!strings.Contains(strings.Join(resp.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s: %s %v, want %s", given, got, resp.Header, want)
		}
	}
	if _, body := asked(t, http.MethodGet, server.URL+"/match", "If-Match", `"a-gzip", "b"`); body != `"a", "b"` {
		t.Errorf("If-Match came as %s", body)
	}
}
