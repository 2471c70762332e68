package uploads

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// tree creates a directory of uploads with a secret next to it.
func tree(t *testing.T) string {
	t.Helper()
	base := t.TempDir()
	dir := filepath.Join(base, "uploads")
	for name, content := range map[string]string{
		"2026/11/Fair.JPG": "a picture", "2026/11/fair.png": "png", "2026/11/fair.jpeg": "jpeg", "2026/11/fair.gif": "gif",
		"2026/11/fair.webp": "webp",
		"2026/11/page.html": "<script>", "2026/11/picture.svg": "<svg>", "2026/11/none": "x", "2026/11/page.jpg.html": "x",
		"2026/11/.hidden.jpg": "x",
		".trash/fair.jpg":     "x", "top.jpg": "top", "dir.jpg/index.html": "x", "2026/11/a b&ü.jpg": "odd",
		"../secret.jpg": "secret", "../demo-passwords": "secret", "../uploads-2/secret.jpg": "secret",
	} {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o600))
	}
	for link, to := range map[string]string{
		"out.jpg": "../secret.jpg", "far.jpg": filepath.Join(base, "secret.jpg"), "away": "..", "in.jpg": "2026/11/Fair.JPG",
		"loop.jpg": "loop.jpg",
	} {
		must.Succeed(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	return dir
}

func fetch(dir, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path = path // as received, not cleaned
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	http.StripPrefix("/up/", Handler(dir)).ServeHTTP(w, r)
	return w
}

func TestImagesAreServed(t *testing.T) {
	dir := tree(t)
	for name, want := range map[string][2]string{
		"2026/11/Fair.JPG": {"image/jpeg", "a picture"}, "2026/11/fair.png": {"image/png", "png"},
		"2026/11/fair.jpeg": {"image/jpeg", "jpeg"},
		"2026/11/fair.gif":  {"image/gif", "gif"}, "2026/11/fair.webp": {"image/webp", "webp"}, "top.jpg": {"image/jpeg", "top"},
		"2026/11/a b&ü.jpg": {"image/jpeg", "odd"}, "in.jpg": {"image/jpeg", "a picture"},
	} {
		w := fetch(dir, http.MethodGet, "/up/"+name)
		h := w.Header()
		if w.Code != http.StatusOK || h.Get("Content-Type") != want[0] || w.Body.String() != want[1] {
			t.Errorf("%s: %d %s %s", name, w.Code, h.Get("Content-Type"), w.Body)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") ||
			h.Get("Last-Modified") == "" {
			t.Errorf("%s: %v", name, h)
		}
	}
	if w := fetch(dir, http.MethodHead, "/up/top.jpg"); w.Code != http.StatusOK || w.Body.Len() != 0 ||
		w.Header().Get("Content-Length") != "3" {
		t.Errorf("HEAD: %d %v", w.Code, w.Header())
	}
	if w := fetch(dir, http.MethodGet, "/up/top.jpg", "Range", "bytes=1-"); w.Code != http.StatusPartialContent || w.Body.String() != "op" {
		t.Errorf("range: %d %s", w.Code, w.Body)
	}
	when := fetch(dir, http.MethodGet, "/up/top.jpg").Header().Get("Last-Modified")
	if w := fetch(dir, http.MethodGet, "/up/top.jpg", "If-Modified-Since", when); w.Code != http.StatusNotModified {
		t.Errorf("unchanged: %d", w.Code)
	}
}

func TestNothingElseIsServed(t *testing.T) {
	dir := tree(t)
	values := strings.NewReplacer("{dir}", dir, "{long}", strings.Repeat("a", 5000))
	golden.Each(t, "hidden.txt", func(name string) {
		name = values.Replace(name)
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := fetch(dir, method, "/up/"+name)
			if w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), "fair") {
				t.Errorf("%s %q: %d %.100s", method, name, w.Code, w.Body)
			}
		}
	})
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
		if w := fetch(dir, method, "/up/top.jpg"); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
	if w := fetch(filepath.Join(dir, "gone"), http.MethodGet, "/up/top.jpg"); w.Code != http.StatusNotFound {
		t.Errorf("without a directory: %d", w.Code)
	}
}
