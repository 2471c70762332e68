package media

import (
	"errors"
	"io/fs"
	"os"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Saved is an image that was stored, with what its rows in wp_posts and wp_postmeta contain.
type Saved struct {
	File          string // relative to the uploads directory: "2026/11/name.jpg"
	URL           string
	Mime          string
	Width, Height int
	Size          int64 // in bytes
	Sizes         []SavedSize

	store       *Store
	files, dirs []string
}

// SavedSize is a smaller size of a stored image.
type SavedSize struct {
	Name          string
	File          string // in the directory of the image: "name-300x200.jpg"
	Width, Height int
	Mime          string
	Size          int64 // in bytes
}

// Metadata returns the value of the meta key _wp_attachment_metadata.
func (s *Saved) Metadata() string {
	sizes := &phpval.Array{}
	for _, v := range s.Sizes {
		sizes.Set(phpval.StrKey(v.Name), phpval.Members(
			"file", v.File, "width", int64(v.Width), "height", int64(v.Height), "mime-type", v.Mime, "filesize", v.Size))
	}
	return phpval.Serialize(phpval.Members(
		"width", int64(s.Width), "height", int64(s.Height), "file", s.File, "filesize", s.Size,
		"sizes", sizes, "image_meta", imageMeta()))
}

// imageMeta returns the "image_meta" of a photo without camera data.
func imageMeta() *phpval.Array {
	return phpval.Members(
		"aperture", "0", "credit", "", "camera", "", "caption", "", "created_timestamp", "0", "copyright", "",
		"focal_length", "0", "iso", "0", "shutter_speed", "0", "title", "", "orientation", "0", "keywords", phpval.List())
}

// Remove undoes Save: it removes the files, and the directories that Save created unless they contain other files. It
// may be called again, also after an error, but not concurrently.
func (s *Saved) Remove() error {
	root, err := os.OpenRoot(s.store.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return failed("uploads", err)
	}
	defer root.Close()
	b := &batch{root: root, files: s.files, dirs: s.dirs}
	err = b.remove()
	s.files = b.files
	if err != nil {
		return failed("removing an image", err)
	}
	return nil
}
