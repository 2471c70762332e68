package content

import (
	"context"
	"errors"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
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

// ImageFiles stores the files of new images, which are uploaded or fetched by address. This happens before the
// transaction of a write begins; in the transaction Attachments makes posts of the files.
type ImageFiles struct {
	store   *store.Store
	uploads *media.Store // nil if none can be stored
	fetcher *media.Fetcher
	clock   Clock
}

// MayUpload reports whether a caller may store images.
func MayUpload(p caller.Principal) bool { return p.Can("upload_files") }

// MaxFile returns a function with the maximal size of the files that a caller may send, in bytes. It returns nil if there
// is no directory for uploads.
func MaxFile(s *Service) func(caller.Principal) int64 {
	if s.Uploads == nil {
		return nil
	}
	return func(p caller.Principal) int64 {
		if !MayUpload(p) {
			return 0
		}
		return s.Fetcher.Limit()
	}
}

// ErrUpload rejects a file of a caller who may not upload files.
var ErrUpload = apierror.New(apierror.Forbidden, "rest_forbidden", "fault_image_right")

// keepsFiles reports whether rows may refer to the files of a write that returned err.
func keepsFiles(err error) bool { return err == nil || errors.Is(err, store.ErrOutcomeUnknown) }

// prepareImage stores the file of an image.
func (f *ImageFiles) prepareImage(ctx context.Context, i *ImageField) (err error) {
	if i.File != nil {
		i.saved, err = f.saveFile(ctx, i.File)
	} else {
		err = f.fetchImage(ctx, i)
	}
	if refused, ok := errors.AsType[*media.Error](err); ok {
		return fault(FieldImage, refused.Fault(), refused.Values...)
	}
	return err
}

// saveFile stores an uploaded file under a safe name. Its type is determined by its content alone.
func (f *ImageFiles) saveFile(ctx context.Context, file *param.File) (*media.Saved, error) {
	switch {
	case !MayUpload(caller.From(ctx)):
		return nil, ErrUpload
	case f.uploads == nil:
		return nil, fault(FieldImage, "fault_file_store")
	}
	img, err := f.fetcher.Inspect(file.Data)
	if err != nil {
		return nil, err
	}
	return f.save(ctx, file.Name, img)
}

// save stores an image with the smaller sizes of the site.
func (f *ImageFiles) save(ctx context.Context, name string, img *media.Image) (*media.Saved, error) {
	options, err := f.store.Options.Values(ctx, media.SizeOptions)
	if err != nil {
		return nil, err
	}
	return f.uploads.Save(ctx, f.clock.now(ctx), name, img, media.SizesOf(options))
}

func (f *ImageFiles) fetchImage(ctx context.Context, i *ImageField) error {
	known, err := f.store.Posts.AttachmentOf(ctx, i.URL)
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
	case f.uploads == nil:
		return fault(FieldImage, "fault_image_store")
	}
	if many := fetchedOf(ctx); many != nil {
		i.saved, err = many.image(ctx, f, i.URL)
	} else {
		i.saved, err = f.FetchImage(ctx, i.URL)
	}
	return err
}

// FetchImage fetches an image and stores its file. It must not be called within a Write. If the image cannot be
// fetched, the error is a *media.Error.
func (f *ImageFiles) FetchImage(ctx context.Context, address string) (*media.Saved, error) {
	img, err := f.fetcher.Fetch(ctx, address)
	if err != nil {
		return nil, err
	}
	return f.save(ctx, img.Name, img)
}
