package pages

import (
	_ "embed"
	"net/http"
	"slices"
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

// filePaths are the paths of all files, except the parts of a sitemap.
var filePaths = []string{stylePath, iconPath, scriptPath, buttonsPath, robotsPath, sitemapPath}

// serveFile answers requests for files, and reports whether it did.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request) bool {
	path, ok := strings.CutPrefix(r.URL.Path, s.at.assets)
	if r.URL.Path == robotsPath {
		path, ok = robotsPath, true
	}
	if !ok || !strings.HasPrefix(path, partPrefix) && !slices.Contains(filePaths, path) {
		return false
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		rejectMethod(w, false)
		return true
	}
	switch path {
	case stylePath:
		s.serveAsset(w, r, "text/css; charset=utf-8", s.theme.sheet)
	case iconPath:
		s.serveAsset(w, r, "image/svg+xml", s.theme.icon)
	case scriptPath:
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin") // cross-origin isolated pages may load it too
		s.serveAsset(w, r, "text/javascript; charset=utf-8", embedScript)
	case buttonsPath:
		s.serveAsset(w, r, "text/javascript; charset=utf-8", pagesScript)
	case robotsPath:
		serveRobots(w, r, s.at)
	default:
		s.serveSitemap(w, r, path)
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
