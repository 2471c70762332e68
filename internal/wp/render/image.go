package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Attachment is what is stored about an uploaded file. A post that does not
// exist or is no attachment has only its ID.
type Attachment struct {
	ID   int64
	File string // _wp_attached_file
	Mime string
	GUID string
	Meta phpval.Value // _wp_attachment_metadata
}

// Image makes the image object of a featured image from the attachment that
// _thumbnail_id names, with its members in the order of output: *phpval.Array,
// or false if no id is given. uploads is the address of the uploads. Metadata
// is not changed, but its parts are shared with the result.
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

// imageURL returns the address of the image in full size, "" if the file is
// none and has no rendered preview.
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

// URL returns the address of the file below that of the uploads, whatever kind
// of file it is; "" if nothing is stored of one.
func (a Attachment) URL(uploads string) string { return attachedURL(a, uploads) }

// attachedURL returns the address of a stored file. Old rows hold absolute
// paths of the server's file system.
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

// sizes copies the list of sizes with an address in place of each file name.
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

// sibling returns the address of another file in the folder of url, "" without
// one.
func sibling(url, file string) string {
	if url == "" {
		return ""
	}
	return url[:strings.LastIndexByte(url, '/')+1] + file
}
