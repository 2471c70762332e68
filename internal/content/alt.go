package content

import (
	"context"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// maxAlt is the maximum length of an image's alternative text in bytes, the same as for other short texts.
const maxAlt = 4 << 10

// familyFiles is the name of uploaded files in capabilities: WordPress uses the capabilities of posts for them.
const familyFiles = "posts"

// errAlt rejects the alternative text of an image that the caller may not edit. The text belongs to the image, so it
// changes wherever else the image is shown.
var errAlt = apierror.New(apierror.Forbidden, "rest_forbidden", "fault_image_alt_right")

// describeImage stores the alternative text of the image that the post has now. The text that is stored already is not
// a change, so any caller may send it.
func (a *Attachments) describeImage(ctx context.Context, d *Edit) error {
	if d.imageAlt == nil {
		return nil
	}
	id, text := phpval.Int(d.Text(schema.MetaThumbnailID)), *d.imageAlt
	rows, is, err := altRows(ctx, a.store, id, text)
	if err != nil || is {
		return err
	}
	if len(text) > maxAlt {
		return fault(FieldAlt, "fault_too_long_bytes", "Max", maxAlt)
	}
	picture, err := a.store.Posts.Lock(ctx, id)
	switch {
	case err != nil:
		return err
	case picture == nil || picture.Type != schema.TypeAttachment:
		return fault(FieldAlt, "fault_image_alt_none")
	case !mayEditFile(ctx, picture):
		return errAlt
	}
	d.described = true
	row := &schema.PostMeta{PostID: id, Key: schema.MetaAttachmentAlt, Value: phpval.StoredText(text)}
	if len(rows) == 0 {
		return a.store.Posts.ChangeMeta(ctx, store.MetaChange{Insert: []*schema.PostMeta{row}})
	}
	row.ID = rows[0].ID
	return a.store.Posts.ChangeMeta(ctx, store.MetaChange{Update: []*schema.PostMeta{row}})
}

// altRows returns the meta rows with the alternative text of an image. same reports whether that text is equal to text.
func altRows(ctx context.Context, st *store.Store, id int64, text string) (rows []*schema.PostMeta, same bool, err error) {
	rows, err = st.Posts.MetaRows(ctx, []int64{id}, schema.MetaAttachmentAlt)
	return rows, len(rows) == 0 && text == "" || len(rows) > 0 && phpval.TextOf(rows[0].Value) == text, err
}

func mayEditFile(ctx context.Context, file *schema.Post) bool {
	return site.CanEdit(caller.From(ctx), site.Object{Author: file.Author, Status: file.Status, Family: familyFiles})
}

// MayDescribe reports whether the caller may give an image an alternative text. It must be called within a transaction.
// Any caller may repeat the text that is stored.
func MayDescribe(ctx context.Context, st *store.Store, id int64, text string) (bool, error) {
	if _, is, err := altRows(ctx, st, id, wp.TextField(text)); is || err != nil {
		return is, err
	}
	picture, err := st.Posts.Lock(ctx, id)
	return picture != nil && mayEditFile(ctx, picture), err
}
