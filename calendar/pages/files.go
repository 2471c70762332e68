package pages

import (
	_ "embed"
	"net/http"
	"strings"
)

//go:embed static/agenda.css
var styleSheet []byte

//go:embed static/embed.js
var embedScript []byte

//go:embed static/pages.js
var pagesScript []byte

// Paths of files, below the prefix of the first language. Only robots.txt is at the root of the host, where search
// engines expect it.
const (
	stylePath   = "/assets/agenda.css"
	iconPath    = "/assets/icon.svg"
	scriptPath  = "/assets/embed-1.js" // the number changes when the script requires changes in the pages that include it
	buttonsPath = "/assets/pages.js"
	robotsPath  = "/robots.txt"
	sitemapPath = "/sitemap.xml"
)

// serveFile answers requests for files, and reports whether it did.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path == robotsPath {
		serveRobots(w, r, s.at)
		return true
	}
	path, ok := strings.CutPrefix(r.URL.Path, s.at.assets)
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	switch {
	case path == stylePath:
		s.serveAsset(w, r, "text/css; charset=utf-8", s.theme.sheet)
	case path == iconPath:
		s.serveAsset(w, r, "image/svg+xml", s.theme.icon)
	case path == scriptPath:
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin") // cross-origin isolated pages may load it too
		s.serveAsset(w, r, "text/javascript; charset=utf-8", embedScript)
	case path == buttonsPath:
		s.serveAsset(w, r, "text/javascript; charset=utf-8", pagesScript)
	case path == robotsPath:
		serveRobots(w, r, s.at)
	case path == sitemapPath || strings.HasPrefix(path, partPrefix):
		s.serveSitemap(w, r, path)
	default:
		return false
	}
	return true
}

// serveAsset answers with a file. Links contain the file's version; then browsers may cache it indefinitely.
func (s *Site) serveAsset(w http.ResponseWriter, r *http.Request, kind string, data []byte) {
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=3600")
	if r.URL.Query().Get("v") == s.theme.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	h.Set("X-Content-Type-Options", "nosniff")
	reply(w, r, kind, data)
}
