package demo

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/image/draw"
)

// UploadsPath is where a WordPress site serves its images, and where Images must be mounted.
const UploadsPath = "/wp-content/uploads/"

// imageDir is the directory of the images below the uploads, separate from the dated directories of real uploads.
const imageDir = "demo"

// size is one of the sizes of every image.
type size struct {
	Name          string // as in the stored metadata; "" is the image itself
	Width, Height int
}

// sizes lists the sizes that WordPress makes of an image of 1200 by 800 pixels; the thumbnail is cropped from the
// middle.
var sizes = []size{
	{"", 1200, 800}, {"medium", 300, 200}, {"large", 1024, 683}, {"thumbnail", 150, 150}, {"medium_large", 768, 512},
}

// file returns the name of the image in a size, below the uploads directory.
func (p picture) file(s size) string {
	if s.Name == "" {
		return path.Join(imageDir, p.Key+".jpg")
	}
	return path.Join(imageDir, p.Key+"-"+strconv.Itoa(s.Width)+"x"+strconv.Itoa(s.Height)+".jpg")
}

// errUnknownImage is returned for a name that no image has.
var errUnknownImage = errors.New("demo: no such image")

// gallery creates sizes of images when they are first requested and caches them; a file has some tens of kilobytes.
type gallery struct {
	made  sync.Map     // file name -> func() ([]byte, error)
	other http.Handler // for names that no image has
}

// Images serves the demo images under UploadsPath, in every size that the stored metadata names. Sizes are created on
// demand, so that nothing has to be unpacked. Requests for all other paths are passed to another handler, which may be
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
		http.Error(w, "the image could not be read", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	h.Set("ETag", validator(data))
	h.Set("Cache-Control", "public, max-age=86400")
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// validator returns the ETag of a file, which follows from its content.
func validator(data []byte) string {
	sum := sha256.Sum256(data)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

func (g *gallery) file(name string) ([]byte, error) {
	p, s, ok := lookup(name)
	if !ok {
		return nil, errUnknownImage
	}
	made, _ := g.made.LoadOrStore(name, sync.OnceValues(func() ([]byte, error) { return encode(p, s) }))
	return made.(func() ([]byte, error))()
}

// lookup returns the image and the size of a file name, by comparing it with all existing names.
func lookup(name string) (picture, size, bool) {
	for _, p := range calendar().Pictures {
		for _, s := range sizes {
			if p.file(s) == name {
				return p, s, true
			}
		}
	}
	return picture{}, size{}, false
}

// encode returns the file of an image in a size. It crops both sides evenly to the aspect ratio of the size.
func encode(p picture, s size) ([]byte, error) {
	data, err := files.ReadFile(path.Join("content", "pictures", p.Key+".jpg"))
	if err != nil || s.Name == "" {
		return data, err
	}
	whole, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("demo: %s: %w", p.Key, err)
	}
	part := whole.Bounds()
	if cut := part.Dx() - part.Dy()*s.Width/s.Height; cut > 1 {
		part.Min.X, part.Max.X = part.Min.X+cut/2, part.Max.X-cut/2
	}
	sized := image.NewRGBA(image.Rect(0, 0, s.Width, s.Height))
	draw.CatmullRom.Scale(sized, sized.Bounds(), whole, part, draw.Src, nil)
	var out bytes.Buffer
	err = jpeg.Encode(&out, sized, &jpeg.Options{Quality: 88})
	return out.Bytes(), err
}
