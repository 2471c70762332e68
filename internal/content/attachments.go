package content

import (
	"context"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// Attachments writes what a post stores about its image: the post of a new image, which WordPress calls an attachment,
// the reference to it, and its alternative text. A file has been stored before, by ImageFiles.
type Attachments struct {
	store *store.Store
	slugs *Slugs // attachments have slugs too
	clock Clock
}

// placeImage sets the image of the post; a new image becomes an attachment first.
func (a *Attachments) placeImage(ctx context.Context, d *Edit) error {
	i := d.image
	if i == nil {
		return nil
	}
	id := i.ID
	if i.saved != nil {
		var err error
		if id, err = a.InsertImage(ctx, i.saved, i.URL); err != nil {
			return err
		}
	}
	if id == 0 {
		d.Set(schema.MetaThumbnailID)
		return nil
	}
	d.Set(schema.MetaThumbnailID, strconv.FormatInt(id, 10))
	return nil
}

// InsertImage adds the attachment of a stored file. original is the address that it was fetched from, "" for an
// uploaded file. Without a file it adds that of an image that stays at its address.
func (a *Attachments) InsertImage(ctx context.Context, file *media.Saved, original string) (int64, error) {
	if file == nil {
		file = &media.Saved{File: path.Base(original), URL: original, Mime: mediaOf(original)}
		if u, err := url.Parse(original); err == nil {
			file.File = path.Base(u.Path)
		}
		return a.insertAttachment(ctx, file, original)
	}
	return a.insertAttachment(ctx, file, original,
		&schema.PostMeta{Key: schema.MetaAttachedFile, Value: file.File},
		&schema.PostMeta{Key: schema.MetaAttachmentMetadata, Value: file.Metadata()})
}

// mediaOf returns the media type of an image, given its address, by the file extension.
func mediaOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		switch end := strings.ToLower(path.Ext(u.Path)); end {
		case ".png", ".gif", ".webp", ".avif":
			return "image/" + end[1:]
		}
	}
	return "image/jpeg"
}

func (a *Attachments) insertAttachment(ctx context.Context, file *media.Saved, original string, rows ...*schema.PostMeta) (int64, error) {
	now := a.clock.now(ctx)
	title := strings.TrimSuffix(path.Base(file.File), path.Ext(file.File))
	slug, err := a.slugs.uniqueSlug(ctx, schema.TypeAttachment, site.From(ctx).Slug(title), 0)
	if err != nil {
		return 0, err
	}
	p := &schema.Post{
		Author: caller.From(ctx).UserID, Date: strtotime.Wall(now), DateGMT: strtotime.Wall(now.UTC()), Modified: strtotime.Wall(now),
		ModifiedGMT: strtotime.Wall(now.UTC()),
		Title:       title, Name: slug, Status: schema.StatusInherit, Type: schema.TypeAttachment, MimeType: file.Mime,
		CommentStatus: "open", PingStatus: "closed", GUID: file.URL[:min(len(file.URL), maxGUID)],
	}
	if err := insertPost(ctx, a.store, p); err != nil {
		return 0, err
	}
	if original != "" {
		rows = append(rows, &schema.PostMeta{Key: schema.MetaOriginalURL, Value: original})
	}
	for _, row := range rows {
		row.PostID = p.ID
	}
	return p.ID, a.store.Posts.ChangeMeta(ctx, store.MetaChange{Insert: rows})
}
