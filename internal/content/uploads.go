package content

import (
	"context"
	"errors"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// ImageField is the image of a post in a request: the id of an uploaded image, an address, a file, or nothing, which
// removes the image.
type ImageField struct {
	ID    int64
	URL   string
	File  *param.File
	saved *media.Saved
}

// isOf reports whether the image is the stored one of a post. It also reports true for an image that could turn out to
// be.
func (i *ImageField) isOf(e *Edit) bool {
	switch {
	case i == nil || *i == ImageField{}:
		return true
	case i.ID == 0:
		return i.saved == nil
	}
	return i.ID == phpval.Int(e.StoredMeta().Text(schema.MetaThumbnailID))
}

// MayUpload reports whether a caller may store images.
func MayUpload(p caller.Principal) bool { return p.Can("upload_files") }

// ErrUpload rejects a file of a caller who may not upload files.
var ErrUpload = apierror.New(apierror.Forbidden, "rest_forbidden", "fault_image_right")

// keepsFiles reports whether rows may refer to the files of a write that returned err.
func keepsFiles(err error) bool { return err == nil || errors.Is(err, store.ErrOutcomeUnknown) }

// prepareImage stores the file of an image.
func (s *Service) prepareImage(ctx context.Context, i *ImageField) (err error) {
	if i.File != nil {
		i.saved, err = s.saveFile(ctx, i.File)
	} else {
		err = s.fetchImage(ctx, i)
	}
	if refused, ok := errors.AsType[*media.Error](err); ok {
		return fault(FieldImage, refused.Fault(), refused.Values...)
	}
	return err
}

// saveFile stores an uploaded file under a safe name. Its type is determined by its content alone.
func (s *Service) saveFile(ctx context.Context, file *param.File) (*media.Saved, error) {
	switch {
	case !MayUpload(caller.From(ctx)):
		return nil, ErrUpload
	case s.Uploads == nil:
		return nil, fault(FieldImage, "fault_file_store")
	}
	img, err := s.Fetcher.Inspect(file.Data)
	if err != nil {
		return nil, err
	}
	sizes, err := s.sizes(ctx)
	if err != nil {
		return nil, err
	}
	return s.Uploads.Save(ctx, s.now(ctx), file.Name, img, sizes)
}

func (s *Service) sizes(ctx context.Context) ([]media.Size, error) {
	options, err := s.Store.Options.Values(ctx, media.SizeOptions)
	if err != nil {
		return nil, err
	}
	return media.SizesOf(options), nil
}

func (s *Service) fetchImage(ctx context.Context, i *ImageField) error {
	known, err := s.Store.Posts.AttachmentOf(ctx, i.URL)
	if err != nil {
		return err
	}
	if known != 0 {
		i.ID = known
		return nil
	}
	switch {
	case !MayUpload(caller.From(ctx)):
		return fault(FieldImage, "fault_image_right")
	case s.Uploads == nil:
		return fault(FieldImage, "fault_image_store")
	}
	if f := fetchedOf(ctx); f != nil {
		i.saved, err = f.image(ctx, s, i.URL)
	} else {
		i.saved, err = s.FetchImage(ctx, i.URL)
	}
	return err
}

// FetchImage fetches an image and stores its file. It must not be called within a Write. If the image cannot be
// fetched, the error is a *media.Error.
func (s *Service) FetchImage(ctx context.Context, address string) (*media.Saved, error) {
	sizes, err := s.sizes(ctx)
	if err != nil {
		return nil, err
	}
	return s.download(ctx, address, sizes)
}

func (s *Service) download(ctx context.Context, address string, sizes []media.Size) (*media.Saved, error) {
	img, err := s.Fetcher.Fetch(ctx, address)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return s.Uploads.Save(ctx, s.now(ctx), path.Base(u.Path), img, sizes)
}

// placeImage sets the image of the post; a new image becomes an attachment first.
func (s *Service) placeImage(ctx context.Context, d *Edit) error {
	i := d.image
	if i == nil {
		return nil
	}
	id := i.ID
	if i.saved != nil {
		var err error
		if id, err = s.InsertImage(ctx, i.saved, i.URL); err != nil {
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
func (s *Service) InsertImage(ctx context.Context, file *media.Saved, original string) (int64, error) {
	if file == nil {
		file = &media.Saved{File: path.Base(original), URL: original, Mime: mediaOf(original)}
		if u, err := url.Parse(original); err == nil {
			file.File = path.Base(u.Path)
		}
		return s.insertAttachment(ctx, file, original)
	}
	return s.insertAttachment(ctx, file, original,
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

func (s *Service) insertAttachment(ctx context.Context, file *media.Saved, original string, rows ...*schema.PostMeta) (int64, error) {
	now := s.now(ctx)
	title := strings.TrimSuffix(path.Base(file.File), path.Ext(file.File))
	slug, err := s.uniqueSlug(ctx, schema.TypeAttachment, site.From(ctx).Slug(title), 0)
	if err != nil {
		return 0, err
	}
	p := &schema.Post{
		Author: caller.From(ctx).UserID, Date: strtotime.Wall(now), DateGMT: strtotime.Wall(now.UTC()), Modified: strtotime.Wall(now),
		ModifiedGMT: strtotime.Wall(now.UTC()),
		Title:       title, Name: slug, Status: schema.StatusInherit, Type: schema.TypeAttachment, MimeType: file.Mime,
		CommentStatus: "open", PingStatus: "closed", GUID: file.URL[:min(len(file.URL), maxGUID)],
	}
	if err := s.insertPost(ctx, p); err != nil {
		return 0, err
	}
	if original != "" {
		rows = append(rows, &schema.PostMeta{Key: schema.MetaOriginalURL, Value: original})
	}
	for _, row := range rows {
		row.PostID = p.ID
	}
	return p.ID, s.Store.Posts.ChangeMeta(ctx, store.MetaChange{Insert: rows})
}
