package content

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Names of fields in errors.
const (
	FieldDate    = "date"
	FieldDateUTC = "date_utc"
	FieldExcerpt = "excerpt"
	FieldStatus  = "status"
	FieldImage   = "image"
	FieldAlt     = "image_alt"

	FieldTranslationOf = "translation_of"
)

// maxText is the size of the columns of titles and excerpts, in bytes.
const maxText = 65535

// Fields are the fields that all types of posts share, as a request contains them. nil means not given.
type Fields struct {
	TitleField                        string // name of the field that contains the title
	Author                            *int64
	Date, DateUTC                     *string
	DateNames                         []string // the names of the two, in the order of the request
	Title, Description, Excerpt, Slug *string
	Status                            *string
	Image                             *ImageField
}

// fault returns the validation error of a field.
func fault(name, message string, data ...any) error {
	return param.Refuse(name, param.Invalid(message, data...))
}

// Apply sets the shared fields in an edit: texts as the caller may store them, and author, status and date as far as
// the caller may set them.
func (s *Service) Apply(ctx context.Context, d *Edit, f *Fields) error {
	if err := s.applyTexts(ctx, d, f); err != nil {
		return err
	}
	if err := s.applyAuthor(ctx, d, f); err != nil {
		return err
	}
	if f.Image != nil {
		d.image = f.Image
	}
	if err := s.applyStatus(ctx, d, f); err != nil {
		return err
	}
	return s.applyDates(ctx, d, f)
}

// sanitize returns a text as the caller may store it: filtered, unless the caller may store any HTML. Malformed HTML is
// repaired in both cases.
func sanitize(ctx context.Context, text string, allowed *kses.Allowed, filter func(string, *kses.Allowed) string) string {
	if caller.From(ctx).Can("unfiltered_html") {
		return kses.Unfiltered(text, allowed)
	}
	return filter(text, allowed)
}

// postList returns the elements and attributes that are allowed in descriptions and excerpts.
func postList(ctx context.Context) *kses.Allowed {
	s := site.From(ctx)
	return kses.Post(s.WordPress).WithUploads(s.Links.Uploads())
}

// Title returns a title as the caller may store it.
func (s *Service) Title(ctx context.Context, text string) string {
	title := phpval.Trim(sanitize(ctx, text, kses.Title(site.From(ctx).WordPress), kses.Filter))
	return s.Store.Posts.Encodable("post_title", title)
}

func (s *Service) applyTexts(ctx context.Context, d *Edit, f *Fields) error {
	if f.Title != nil {
		title := s.Title(ctx, *f.Title)
		switch {
		case title == "":
			return fault(f.TitleField, "fault_blank")
		case len(title) > maxText:
			return fault(f.TitleField, "fault_too_large", "Max", maxText)
		}
		d.Row.Title = title
	}
	if f.Description != nil {
		d.Row.Content = s.Store.Posts.Encodable("post_content", sanitize(ctx, *f.Description, postList(ctx), kses.FilterContent))
	}
	if f.Excerpt != nil {
		d.Row.Excerpt = s.Store.Posts.Encodable("post_excerpt", sanitize(ctx, *f.Excerpt, postList(ctx), kses.Filter))
		if len(d.Row.Excerpt) > maxText {
			return fault(FieldExcerpt, "fault_too_large", "Max", maxText)
		}
	}
	if f.Slug != nil {
		d.Row.Name, d.slugSet = site.From(ctx).Slug(*f.Slug), true
	}
	return nil
}

// applyAuthor sets the author of the post. Setting another user requires the right to edit others' posts.
func (s *Service) applyAuthor(ctx context.Context, d *Edit, f *Fields) error {
	if f.Author == nil || *f.Author == d.Row.Author {
		return nil
	}
	if *f.Author != caller.From(ctx).UserID && !EditsAll(ctx, d.Row.Type) {
		return caller.ErrForbidden
	}
	d.Row.Author = *f.Author
	return nil
}

// applyStatus sets the status. A post of a caller who may not publish becomes pending. The status that the post already
// has is not a change.
func (s *Service) applyStatus(ctx context.Context, d *Edit, f *Fields) error {
	switch {
	case f.Status == nil && d.New() && s.Types.CanPublish(ctx):
		d.Row.Status = schema.StatusPublish
	case f.Status == nil && d.New():
		d.Row.Status = schema.StatusDraft
	case f.Status == nil || *f.Status == d.Row.Status:
	case *f.Status == schema.StatusTrash:
		if d.New() {
			return fault(FieldStatus, "fault_status_trash")
		}
		if !site.CanDelete(caller.From(ctx), d.Object()) {
			return caller.ErrForbidden
		}
		d.toTrash = true
	default:
		d.Row.Status, d.statusSet = *f.Status, true
		if (*f.Status == schema.StatusPublish || *f.Status == schema.StatusFuture) && !s.Types.CanPublish(ctx) {
			d.Row.Status = schema.StatusPending
		}
	}
	return nil
}
