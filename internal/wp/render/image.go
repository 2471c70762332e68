package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Attachment contains the data of an attachment. If the post does not exist or is not an attachment, only ID is set.
type Attachment struct {
	ID   int64
	File string // meta key _wp_attached_file
	Mime string
	GUID string
	Meta phpval.Value // meta key _wp_attachment_metadata, unserialized
}

// Image returns the object that The Events Calendar's API returns for a featured image: a *phpval.Array with its
// members in order, or false if a.ID is 0. uploads is the URL of the uploads directory. The result shares parts with
// the metadata, which is not modified.
func Image(a Attachment, uploads string) phpval.Value {
	if a.ID == 0 {
		return false
	}
	meta, _ := a.Meta.(*phpval.Array)
	url := imageURL(a, meta, uploads)
	out := phpval.Members("url", false, "id", a.ID, "extension", extension(a.File))
	if url != "" {
		out.Set(phpval.StrKey("url"), url)
	}
	if !complete(meta) {
		return out
	}
	for k, v := range meta.All() {
		switch k.String() {
		case "image_meta", "file":
		case "sizes":
			out.Set(k, sizes(v, url))
		default:
			out.Set(k, v)
		}
	}
	full := &phpval.Array{}
	for k, v := range out.All() {
		if phpval.Truthy(v) {
			full.Set(k, v)
		}
	}
	return full
}

// complete reports whether metadata is that of a processed image.
func complete(meta *phpval.Array) bool {
	for _, name := range []string{"image_meta", "file", "sizes"} {
		if _, ok := meta.Get(name); !ok {
			return false
		}
	}
	return true
}

// imageURL returns the URL of an image in full size. For other files it is the URL of the generated preview, "" if
// there is none.
func imageURL(a Attachment, meta *phpval.Array, uploads string) string {
	url := attachedURL(a, uploads)
	if isImage(a) {
		return url
	}
	full := meta.ArrayAt("sizes").ArrayAt("full")
	if full.Len() == 0 || url == "" {
		return ""
	}
	return sibling(url, phpval.Text(full.At("file")))
}

// URL returns the URL of the attachment's file, whatever its type is, "" if none is stored. uploads is the URL of the
// uploads directory.
func (a Attachment) URL(uploads string) string { return attachedURL(a, uploads) }

// attachedURL returns the URL of a stored file. Old rows contain absolute paths in the file system.
func attachedURL(a Attachment, uploads string) string {
	const folder = "wp-content/uploads"
	if a.File == "" {
		return a.GUID
	}
	i := strings.LastIndexByte(a.File, '/')
	if _, below, ok := strings.Cut(a.File[:max(i, 0)], folder); ok {
		return strings.TrimRight(uploads+"/"+strings.TrimLeft(below, "/"), "/") + a.File[i:]
	}
	return uploads + "/" + a.File
}

func isImage(a Attachment) bool {
	if a.File == "" {
		return false
	}
	if a.Mime != "import" {
		return strings.HasPrefix(a.Mime, "image/")
	}
	switch strings.ToLower(extension(a.File)) {
	case "jpg", "jpeg", "jpe", "gif", "png", "webp", "avif", "heic":
		return true
	}
	return false
}

func extension(file string) string {
	name := file[strings.LastIndexByte(file, '/')+1:]
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[i+1:]
	}
	return ""
}

// sizes returns a copy of the list of sizes with URLs instead of file names.
func sizes(v phpval.Value, url string) phpval.Value {
	list, ok := v.(*phpval.Array)
	if !ok {
		return v
	}
	out := &phpval.Array{}
	for name, v := range list.All() {
		size, ok := v.(*phpval.Array)
		if !ok {
			out.Set(name, v)
			continue
		}
		c := &phpval.Array{}
		for k, v := range size.All() {
			if k.String() != "file" {
				c.Set(k, v)
			}
		}
		c.Set(phpval.StrKey("url"), sibling(url, phpval.Text(size.At("file"))))
		out.Set(name, c)
	}
	return out
}

// sibling returns the URL of another file in the directory of url, "" if url is "".
func sibling(url, file string) string {
	if url == "" {
		return ""
	}
	return url[:strings.LastIndexByte(url, '/')+1] + file
}
