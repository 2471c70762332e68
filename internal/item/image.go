package item

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rendercache"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// Images contains the images of a response's posts.
type Images struct {
	texts   *rendercache.Cache
	uploads string
	posts   map[int64]*store.Post
	meta    map[int64]store.Meta
}

var fileKeys = []string{schema.MetaAttachedFile, schema.MetaAttachmentMetadata, schema.MetaAttachmentAlt, schema.MetaThumbnailID,
	schema.MetaOriginalURL}

// StoredImages declares how the images that items show are stored.
func StoredImages() followstore.Stored {
	return followstore.Stored{Kind: "images", Type: schema.TypeAttachment, Keys: fileKeys, Shown: true}
}

// file returns the columns of a file and its serialized metadata. If the file does not exist, only the id is set.
func (im *Images) file(id int64) (a render.Attachment, metadata string) {
	a.ID = id
	if p := im.posts[id]; p != nil && p.Type == schema.TypeAttachment {
		a.Mime, a.GUID = p.MimeType, p.GUID
		a.File = im.meta[id].Text(schema.MetaAttachedFile)
		metadata = im.meta[id].Text(schema.MetaAttachmentMetadata)
	}
	return a, metadata
}

// attachment returns everything that is stored about a file.
func (im *Images) attachment(id int64) render.Attachment {
	a, metadata := im.file(id)
	a.Meta, _ = phpval.Unserialize(metadata)
	return a
}

// Image is the featured image of a post.
type Image struct {
	of *Images
	id int64
}

// Featured returns the featured image that a post's meta rows name, and reports whether they name one.
func (im *Images) Featured(m store.Meta) (Image, bool) {
	id := phpval.Int(m.Text(schema.MetaThumbnailID))
	return Image{im, id}, id > 0
}

// Write writes the image object. It is rendered once and cached by what is stored.
func (i Image) Write(w *phpjson.Writer) {
	a, metadata := i.of.file(i.id)
	settings := strings.Join([]string{i.of.uploads, strconv.FormatInt(a.ID, 10), a.File, a.Mime, a.GUID}, "\x00")
	w.RawString(i.of.texts.Render(imageJSON, settings, metadata, func(metadata string) string {
		a.Meta, _ = phpval.Unserialize(metadata)
		made := &phpjson.Writer{}
		WriteValue(made, render.Image(a, i.of.uploads))
		return string(made.Bytes())
	}))
}

// File returns the URL of the file, which need not be an image, and its media type. Both are "" if the file does not
// exist.
func (i Image) File() (url, media string) {
	a, _ := i.of.file(i.id)
	return a.URL(i.of.uploads), a.Mime
}

// Alt returns the alternative text of the image, or "".
func (i Image) Alt() string {
	if p := i.of.posts[i.id]; p == nil || p.Type != schema.TypeAttachment {
		return ""
	}
	return i.of.meta[i.id].Text(schema.MetaAttachmentAlt)
}

// Source returns the URL that the file was downloaded from, or else the URL of the file on this site.
func (i Image) Source() string {
	if original := i.of.meta[i.id].Text(schema.MetaOriginalURL); original != "" {
		return original
	}
	url, _ := i.File()
	return url
}

// writeURL writes the URL of the file, or false if it does not exist.
func (i Image) writeURL(w *phpjson.Writer) {
	if url, _ := i.File(); url != "" {
		w.String(url)
	} else {
		w.Bool(false)
	}
}

// WriteValue writes a value of stored PHP data: lists as arrays, maps as objects.
func WriteValue(w *phpjson.Writer, v phpval.Value) {
	switch x := v.(type) {
	case bool:
		w.Bool(x)
	case int64:
		w.Int(x)
	case float64:
		w.Float(x)
	case string:
		w.String(x)
	case *phpval.Array:
		if phpval.IsList(x) {
			w.Array()
			for _, e := range x.All() {
				WriteValue(w, e)
			}
			w.End()
			return
		}
		writeMembers(w, x)
	case *phpval.Object:
		if x.Len() == 0 {
			w.RawString("{}")
			return
		}
		writeMembers(w, x.Array)
	default:
		w.Null()
	}
}

func writeMembers(w *phpjson.Writer, list *phpval.Array) {
	w.Object()
	for k, e := range list.All() {
		w.Key(k.String())
		WriteValue(w, e)
	}
	w.End()
}
