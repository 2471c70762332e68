// Package uploads serves the images in a directory, and nothing else.
package uploads

import (
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
)

// types maps the extensions of images that browsers display and that contain no scripts to their types. The type
// follows from the name only, and a header forbids browsers to guess another one.
var types = map[string]string{
	".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif",
}

// Handler answers GET and HEAD with the image that the path names, relative to the directory. It must be wrapped in
// http.StripPrefix. Anything that is not an image, is hidden, is a directory or is outside of the directory, also
// through links, is answered with 404.
func Handler(dir string) http.Handler { return directory(dir) }

type directory string

// ServeHTTP opens the directory for each request, so that it may be replaced while the program runs.
func (d directory) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name := r.URL.Path
	kind, known := types[strings.ToLower(path.Ext(name))]
	if !known || !visible(name) {
		http.NotFound(w, r)
		return
	}
	file, info, err := d.open(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "public, max-age=86400")
	http.ServeContent(w, r, "", info.ModTime(), file)
}

// visible reports whether a name is below its directory and no part of it is hidden.
func visible(name string) bool {
	return fs.ValidPath(name) && !strings.HasPrefix(name, ".") && !strings.Contains(name, "/.") && !strings.ContainsAny(name, "\\\x00")
}

// open opens a regular file through os.Root, so that no link leads outside. Anything else is not opened at all: opening
// a pipe would block until its other end is opened.
func (d directory) open(name string) (*os.File, fs.FileInfo, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil, fs.ErrNotExist
	}
	file, err := root.Open(name)
	return file, info, err
}
