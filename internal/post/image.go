package post

import (
	"context"
	"strconv"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wire"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Images are the featured images of an answer's posts.
type Images struct {
	uploads string
	posts   map[int64]*store.Post
	meta    map[int64]store.Meta
}

// LoadImages reads the attachments that the meta rows of posts name.
func (v *View) LoadImages(ctx context.Context, metas ...map[int64]store.Meta) error {
	im := &Images{uploads: v.Uploads()}
	var ids []int64
	for _, metaOf := range metas {
		for _, m := range metaOf {
			if id := wp.LeadingInt(m.Text(schema.MetaThumbnailID)); id > 0 {
				ids = append(ids, id)
			}
		}
	}
	var err error
	if im.posts, err = v.env.Store.Posts(ctx, ids); err != nil {
		return err
	}
	im.meta, err = v.env.Store.Meta(ctx, ids, []string{schema.MetaAttachedFile, schema.MetaAttachmentMetadata})
	v.Images = im
	return err
}

// Of returns the image that a post's meta rows name, and whether they name one.
func (im *Images) Of(m store.Meta) (phpval.Value, bool) {
	id := wp.LeadingInt(m.Text(schema.MetaThumbnailID))
	if id <= 0 {
		return nil, false
	}
	a := wp.Attachment{ID: id}
	if p := im.posts[id]; p != nil && p.Type == "attachment" {
		a.Mime, a.GUID = p.MimeType, p.GUID
		a.File = im.meta[id].Text(schema.MetaAttachedFile)
		a.Meta, _ = phpval.Unserialize(im.meta[id].Text(schema.MetaAttachmentMetadata))
	}
	return wp.Image(a, im.uploads), true
}

// WriteValue writes a stored value: lists as lists, maps as objects.
func WriteValue(w *wire.Writer, v phpval.Value) {
	switch x := v.(type) {
	case nil:
		w.Null()
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
		w.String(strconv.Quote(phpval.Text(v)))
	}
}
