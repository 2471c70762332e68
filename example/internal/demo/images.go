package demo

import (
	"bytes"
	"errors"
	"fmt"
	"image/jpeg"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// UploadsPath is where a site of this kind keeps its pictures, and where Images expects to be mounted.
const UploadsPath = "/wp-content/uploads/"

// imageDir lies below the uploads directory, apart from the dated directories that real uploads get.
const imageDir = "demo"

// Size is one of the forms in which every picture exists.
type Size struct {
	Name          string // as in the stored metadata; "" is the picture itself
	Width, Height int
}

// sizes are those that the reference makes of a picture of 1200 by 800; the thumbnail is cut from the middle.
var sizes = []Size{
	{"", 1200, 800}, {"medium", 300, 200}, {"large", 1024, 683}, {"thumbnail", 150, 150}, {"medium_large", 768, 512},
}

// picture is an image of the demo site: its key is the base of its file name.
type picture struct {
	key, title string
	paint      painting
}

// file is the name of the picture in one size, below the uploads directory.
func (p picture) file(s Size) string {
	if s.Name == "" {
		return path.Join(imageDir, p.key+".jpg")
	}
	return path.Join(imageDir, p.key+"-"+strconv.Itoa(s.Width)+"x"+strconv.Itoa(s.Height)+".jpg")
}

// errUnknownImage is the answer to a path that no picture has.
var errUnknownImage = errors.New("demo: no such image")

// gallery draws pictures when they are first asked for and keeps them: a file is some tens of kilobytes.
type gallery struct {
	drawn sync.Map     // file name -> func() ([]byte, error)
	other http.Handler // for names that no picture has
}

// Images answers the addresses of the demo pictures under UploadsPath, in every size that the stored metadata names. The files are
// drawn on demand, so nothing has to be unpacked beside the program. All other addresses are left to another handler, which may be
// http.NotFoundHandler().
func Images(other http.Handler) http.Handler { return &gallery{other: other} }

// ServeHTTP answers GET and HEAD.
func (g *gallery) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	data, err := g.file(strings.TrimPrefix(r.URL.Path, UploadsPath))
	switch {
	case errors.Is(err, errUnknownImage):
		g.other.ServeHTTP(w, r)
		return
	case err != nil:
		http.Error(w, "the picture could not be drawn", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("Cache-Control", "public, max-age=86400")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Method == http.MethodGet {
		_, _ = w.Write(data) // a reader that went away is not our concern
	}
}

func (g *gallery) file(name string) ([]byte, error) {
	p, s, ok := lookup(name)
	if !ok {
		return nil, errUnknownImage
	}
	draw, _ := g.drawn.LoadOrStore(name, sync.OnceValues(func() ([]byte, error) { return encode(p, s) }))
	return draw.(func() ([]byte, error))()
}

// lookup compares with the names that exist instead of taking the asked name apart.
func lookup(name string) (picture, Size, bool) {
	for _, p := range pictures {
		for _, s := range sizes {
			if p.file(s) == name {
				return p, s, true
			}
		}
	}
	return picture{}, Size{}, false
}

func encode(p picture, s Size) ([]byte, error) {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, render(p.paint, s.Width, s.Height), &jpeg.Options{Quality: 88}); err != nil {
		return nil, fmt.Errorf("demo: encoding %s: %w", p.file(s), err)
	}
	return out.Bytes(), nil
}
