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

// maxAlt is how long the alternative text of a picture is at most, in bytes, as short texts are.
const maxAlt = 4 << 10

// familyFiles is what uploaded files are called in capabilities: WordPress has the rights on posts for them.
const familyFiles = "posts"

// errAlt refuses the alternative text of a picture that the caller may not edit. The text belongs to the picture: whatever else shows it
// shows the text too.
var errAlt = apierror.New(apierror.Forbidden, "rest_forbidden", "fault_image_alt_right")

// describeImage stores the alternative text of the picture that the post has now. The text that is stored is no change, which anybody may
// send back.
func (s *Service) describeImage(ctx context.Context, d *Edit) error {
	if d.imageAlt == nil {
		return nil
	}
	id, text := phpval.Int(d.Text(schema.MetaThumbnailID)), *d.imageAlt
	rows, is, err := altRows(ctx, s.Store, id, text)
	if err != nil || is {
		return err
	}
	if len(text) > maxAlt {
		return fault(FieldAlt, "fault_too_long_bytes", "Max", maxAlt)
	}
	picture, err := s.Store.Posts.Lock(ctx, id)
	switch {
	case err != nil:
		return err
	case picture == nil || picture.Type != schema.TypeAttachment:
		return fault(FieldAlt, "fault_image_alt_none")
	case !mayEditFile(ctx, picture):
		return errAlt
	}
	d.described = true
	return s.Store.Posts.ChangeMeta(ctx, altChange(id, text, rows))
}

// altRows returns the rows that describe a picture, and whether they say a text.
func altRows(ctx context.Context, st *store.Store, id int64, text string) (rows []*schema.PostMeta, is bool, err error) {
	rows, err = st.Posts.MetaRowsOf(ctx, []int64{id}, schema.MetaAttachmentAlt)
	return rows, len(rows) == 0 && text == "" || len(rows) > 0 && phpval.TextOf(rows[0].Value) == text, err
}

func mayEditFile(ctx context.Context, file *schema.Post) bool {
	return site.CanEdit(caller.From(ctx), site.Object{Author: file.Author, Status: file.Status, Family: familyFiles})
}

// MayDescribe reports whether the caller may give a picture an alternative text, within a transaction: the one that it has, anybody.
func MayDescribe(ctx context.Context, st *store.Store, id int64, text string) (bool, error) {
	if _, is, err := altRows(ctx, st, id, wp.TextField(text)); is || err != nil {
		return is, err
	}
	picture, err := st.Posts.Lock(ctx, id)
	return picture != nil && mayEditFile(ctx, picture), err
}

// altChange makes a text the only row that describes a picture, none if it is empty.
func altChange(id int64, text string, stored []*schema.PostMeta) (c store.MetaChange) {
	row := &schema.PostMeta{PostID: id, Key: schema.MetaAttachmentAlt, Value: phpval.StoredText(text)}
	if len(stored) == 0 {
		c.Insert = append(c.Insert, row)
		return c
	}
	row.ID = stored[0].ID
	c.Update = append(c.Update, row)
	return c
}
