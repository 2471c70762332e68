package editing

import (
	"bytes"
	_ "embed"
	"net/http"
	"time"
)

//go:embed static/editing.css
var styleSheet []byte

//go:embed static/editing.js
var script []byte

// Paths of files, below Root of the first language.
const (
	stylePath  = "/assets/editing.css"
	scriptPath = "/assets/editing.js"
)

// asset returns the address of a file, which includes its version.
func (s *Site) asset(path string) string { return s.languages[0].link(path) + "?v=" + s.version }

// serveFile answers requests for files, and reports whether it did. Everybody may read them, and browsers may cache
// them until the address changes.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request, below string) bool {
	kind, data := "", []byte(nil)
	switch below {
	case stylePath:
		kind, data = "text/css; charset=utf-8", styleSheet
	case scriptPath:
		kind, data = "text/javascript; charset=utf-8", script
	}
	if kind == "" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "public, max-age=3600")
	if r.URL.Query().Get("v") == s.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	return true
}
