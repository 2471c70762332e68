package post

import (
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wire"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Images are the pictures of an answer's posts.
type Images struct {
	uploads string
	posts   map[int64]*store.Post
	meta    map[int64]store.Meta
}

var fileKeys = []string{schema.MetaAttachedFile, schema.MetaAttachmentMetadata, schema.MetaAttachmentAlt}

// attachment is what is stored about a file, only its id if there is none.
func (im *Images) attachment(id int64) wp.Attachment {
	a := wp.Attachment{ID: id}
	if p := im.posts[id]; p != nil && p.Type == schema.TypeAttachment {
		a.Mime, a.GUID = p.MimeType, p.GUID
		a.File = im.meta[id].Text(schema.MetaAttachedFile)
		a.Meta, _ = phpval.Unserialize(im.meta[id].Text(schema.MetaAttachmentMetadata))
	}
	return a
}

// Of returns the image that a post's meta rows name, and whether they name one.
func (im *Images) Of(m store.Meta) (phpval.Value, bool) {
	id := wp.LeadingInt(m.Text(schema.MetaThumbnailID))
	if id <= 0 {
		return nil, false
	}
	return wp.Image(im.attachment(id), im.uploads), true
}

// WriteValue writes a stored value: lists as lists, maps as objects.
func WriteValue(w *wire.Writer, v phpval.Value) {
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
		list := phpval.IsList(x)
		if list {
			w.Array()
		} else {
			w.Object()
		}
		for k, e := range x.All() {
			if !list {
				w.Key(k.String())
			}
			WriteValue(w, e)
		}
		w.End()
	default:
		w.Null()
	}
}
