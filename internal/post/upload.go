package post

import (
	"context"
	"errors"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// ImageField is what a request gives as the image of a post: an uploaded
// image's id, an address, or nothing, which takes the image away.
type ImageField struct {
	ID    int64
	URL   string
	saved *media.Saved
}

// checkImage accepts the id of an uploaded image, or an http or https address.
// An empty text, false, 0 and null are no image.
func (e *Env) checkImage(ctx context.Context, v any) (any, error) {
	s, ok := param.Scalar(v)
	if b, isBool := v.(bool); isBool && b || !ok {
		return nil, param.Invalid("fault_image")
	}
	s = strings.TrimSpace(s)
	if s == "" || s == "0" {
		return &ImageField{}, nil
	}
	if n, numeric := param.Convert(param.Integer, s); numeric {
		id := n.(int64)
		found, err := e.Store.Content(ctx, store.Ask{IDs: []int64{id}})
		if err != nil {
			return nil, err
		}
		if p := found.Posts[id]; p == nil || p.Type != schema.TypeAttachment || !strings.HasPrefix(p.MimeType, "image/") {
			return nil, param.Invalid("fault_image")
		}
		return &ImageField{ID: id}, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, param.Invalid("fault_image")
	}
	return &ImageField{URL: s}, nil
}

// WriteWithImages is Write for requests whose fields may give images by their
// addresses. They are fetched before the write, whose transaction must not wait
// for other servers, and after the right to write was checked. Of a write that
// fails no file is left; of one whose outcome is unknown the files stay, since
// rows may name them.
func (e *Env) WriteWithImages(ctx context.Context, r *rest.Request, fields []*Fields, fn func(context.Context) (Answer, error)) (resp *rest.Response, err error) {
	undo, err := e.prepare(ctx, r, fields)
	if err != nil {
		return nil, err
	}
	keep := false
	defer func() { // also when something panics
		if !keep {
			undo()
		}
	}()
	resp, err = e.Write(ctx, r, fn)
	keep = err == nil || errors.Is(err, store.ErrOutcomeUnknown)
	return resp, err
}

// prepare fetches the images of fields. An address that is known already is
// not fetched again. undo removes the files.
func (e *Env) prepare(ctx context.Context, r *rest.Request, fields []*Fields) (undo func(), err error) {
	var saved []*media.Saved
	undo = func() {
		for _, s := range saved {
			if err := s.Remove(); err != nil {
				e.Logger.Warn("files of a failed write stay", "file", s.File, "error", err)
			}
		}
	}
	for _, f := range fields {
		if f == nil || f.Image == nil || f.Image.URL == "" {
			continue
		}
		if err := e.fetchImage(ctx, r, f.Image); err != nil {
			undo()
			return nil, err
		}
		if f.Image.saved != nil {
			saved = append(saved, f.Image.saved)
		}
	}
	return undo, nil
}

func (e *Env) fetchImage(ctx context.Context, r *rest.Request, i *ImageField) error {
	known, err := e.Store.AttachmentOf(ctx, i.URL)
	if err != nil {
		return err
	}
	switch {
	case known != 0:
		i.ID = known
		return nil
	case !r.Principal.Can("upload_files"):
		return fault("image", "fault_image_right")
	case e.Uploads == nil:
		return fault("image", "fault_image_store")
	}
	options, err := e.Store.Options(ctx, media.SizeOptions)
	if err != nil {
		return err
	}
	var refused *media.Error
	if i.saved, err = e.download(ctx, i.URL, media.SizesOf(options)); errors.As(err, &refused) {
		return fault("image", "fault_image_"+refused.Reason)
	}
	return err
}

func (e *Env) download(ctx context.Context, address string, sizes []media.Size) (*media.Saved, error) {
	img, err := e.Fetcher.Fetch(ctx, address)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return e.Uploads.Save(ctx, e.now(ctx), path.Base(u.Path), img, sizes)
}

// placeImage gives the post the image that was asked for; a fetched one becomes
// an attachment first.
func (e *Env) placeImage(ctx context.Context, r *rest.Request, d *Draft) error {
	i := d.image
	if i == nil {
		return nil
	}
	id := i.ID
	if i.saved != nil {
		var err error
		if id, err = e.insertAttachment(ctx, r, i.saved, i.URL); err != nil {
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

// insertAttachment adds the row of an uploaded file. Two fields of one request
// that name the same address share it.
func (e *Env) insertAttachment(ctx context.Context, r *rest.Request, s *media.Saved, original string) (int64, error) {
	now := e.now(ctx)
	title := strings.TrimSuffix(path.Base(s.File), path.Ext(s.File))
	slug, err := e.uniqueSlug(ctx, schema.TypeAttachment, wp.Slug(title), 0)
	if err != nil {
		return 0, err
	}
	p := &schema.Post{
		Author: r.Principal.UserID, Date: strtotime.Wall(now), DateGMT: strtotime.Wall(now.UTC()), Modified: strtotime.Wall(now), ModifiedGMT: strtotime.Wall(now.UTC()),
		Title: title, Name: slug, Status: schema.StatusInherit, Type: schema.TypeAttachment, MimeType: s.Mime,
		CommentStatus: "open", PingStatus: "closed", GUID: s.URL[:min(len(s.URL), maxGUID)],
	}
	if err := e.Store.InsertPost(ctx, p); err != nil {
		return 0, err
	}
	return p.ID, e.Store.ChangeMeta(ctx, store.MetaChange{Insert: []*schema.PostMeta{
		{PostID: p.ID, Key: schema.MetaAttachedFile, Value: s.File},
		{PostID: p.ID, Key: schema.MetaAttachmentMetadata, Value: s.Metadata()},
		{PostID: p.ID, Key: schema.MetaOriginalURL, Value: original},
	}})
}
