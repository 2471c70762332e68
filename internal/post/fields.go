package post

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// maxText is the size of the columns of titles and excerpts, in bytes.
const maxText = 65535

// Fields are the fields that all kinds of posts share, as a request gave them.
// nil is not given.
type Fields struct {
	name                              string // of the field that holds the title
	Author                            *int64
	Date, DateUTC                     *string
	dates                             []string // their names, in the order of the request
	Title, Description, Excerpt, Slug *string
	Status                            *string
	Image                             *ImageField
}

// WriteParams declares the fields that all kinds of posts share, by name. kind
// is the collection, for the descriptions; nullDefault names the fields whose
// default the index prints as null.
func (e *Env) WriteParams(kind, nameField string, nullDefault ...string) map[string]*param.Param {
	declare := func(name, typ string, check param.Check, more ...param.Option) *param.Param {
		options := []param.Option{param.Type(typ)}
		for _, n := range nullDefault {
			if n == name {
				options = append(options, param.Default(nil))
			}
		}
		options = append(options, param.Doc("param_"+kind+"_field_"+name), param.Checked(check))
		return param.New(name, append(options, more...)...)
	}
	return map[string]*param.Param{
		"author":      declare("author", param.Integer, e.checkAuthor),
		"date":        declare("date", param.String, e.checkMoment),
		"date_utc":    declare("date_utc", param.String, e.checkMoment),
		nameField:     declare(nameField, param.String, param.Filled),
		"description": declare("description", param.String, checkString),
		"slug":        declare("slug", param.String, param.Filled),
		"excerpt":     declare("excerpt", param.String, checkString),
		"status":      declare("status", param.String, checkStatus),
		"image":       declare("image", param.String, e.checkImage, param.AnyType(), param.Null()),
	}
}

// checkAuthor accepts the id of a user.
func (e *Env) checkAuthor(ctx context.Context, v any) (any, error) {
	s, ok := param.Scalar(v)
	if _, isBool := v.(bool); !ok || isBool {
		return nil, param.Invalid("fault_author")
	}
	if _, _, numeric := wp.Numeric(s); !numeric {
		return nil, param.Invalid("fault_author")
	}
	id := phpval.Int(s)
	if n, whole := param.Convert(param.Integer, v); whole {
		id = n.(int64)
	}
	exists, err := e.UserExists(ctx, id)
	if err != nil {
		return nil, err
	}
	if id <= 0 || !exists {
		return nil, param.Invalid("fault_author")
	}
	return id, nil
}

// checkMoment accepts what can be read as a date; that it is a text is left to
// the type.
func (e *Env) checkMoment(_ context.Context, v any) (any, error) {
	s, ok := param.Scalar(v)
	if _, isBool := v.(bool); !ok || isBool || !e.IsMoment(s) {
		return nil, param.Invalid("fault_date")
	}
	return s, nil
}

// IsMoment reports whether a text is a date: a number of seconds, or what a date
// text may be, except the beginning of 1970 in UTC.
func (e *Env) IsMoment(s string) bool {
	if _, _, numeric := wp.Numeric(s); numeric {
		_, whole := strtotime.Seconds(s)
		return whole
	}
	m, ok := strtotime.Parse(s, e.Now(), time.UTC)
	return ok && m.Time.Unix() != 0
}

// checkString accepts any text.
func checkString(_ context.Context, v any) (any, error) {
	s, ok := v.(string)
	if !ok {
		return nil, param.Invalid("fault_string")
	}
	return s, nil
}

func checkStatus(_ context.Context, v any) (any, error) {
	s, _ := v.(string)
	for _, known := range schema.RegisteredStatuses {
		if s == known {
			return s, nil
		}
	}
	return nil, param.Invalid("fault_status")
}

// ReadFields takes the shared fields from the values of a request.
func (e *Env) ReadFields(v *param.Values, nameField string) *Fields {
	text := func(name string) *string {
		if s, ok := v.Get(name).(string); ok && v.Given(name) {
			return &s
		}
		return nil
	}
	f := &Fields{
		name: nameField, Date: text("date"), DateUTC: text("date_utc"), Title: text(nameField), Description: text("description"),
		Excerpt: text("excerpt"), Slug: text("slug"), Status: text("status"), dates: v.InOrder("date", "date_utc"),
	}
	if id, ok := v.Get("author").(int64); ok && v.Given("author") {
		f.Author = &id
	}
	if v.Given("image") {
		f.Image, _ = v.Get("image").(*ImageField)
		if f.Image == nil {
			f.Image = &ImageField{}
		}
	}
	return f
}

// fault refuses a field.
func fault(name, message string, data ...any) error {
	return param.Refuse(name, param.Invalid(message, data...))
}

// Apply puts the shared fields into a draft: texts as the caller may store
// them, author, status and date as far as the caller may set them.
func (e *Env) Apply(ctx context.Context, r *rest.Request, d *Draft, f *Fields) error {
	if err := e.applyTexts(r, d, f); err != nil {
		return err
	}
	if err := e.applyAuthor(r, d, f); err != nil {
		return err
	}
	if f.Image != nil {
		d.image = f.Image
	}
	if err := e.applyStatus(r, d, f); err != nil {
		return err
	}
	return e.applyDates(ctx, d, f)
}

// Sanitize returns a text as the caller may store it: who may not store any
// HTML has what the list does not allow taken out. What the list repairs is
// repaired for everybody.
func Sanitize(r *rest.Request, text string, allowed *kses.Allowed) string {
	if r.Principal.Can("unfiltered_html") {
		return kses.Unfiltered(text, allowed)
	}
	return kses.Filter(text, allowed)
}

func (e *Env) applyTexts(r *rest.Request, d *Draft, f *Fields) error {
	if f.Title != nil {
		title := phpval.Trim(Sanitize(r, *f.Title, kses.Title()))
		switch {
		case title == "":
			return fault(f.name, "fault_blank")
		case len(title) > maxText:
			return fault(f.name, "fault_too_large", "Max", maxText)
		}
		d.Row.Title = title
	}
	if f.Description != nil {
		d.Row.Content = Sanitize(r, *f.Description, kses.Post())
	}
	if f.Excerpt != nil {
		d.Row.Excerpt = Sanitize(r, *f.Excerpt, kses.Post())
		if len(d.Row.Excerpt) > maxText {
			return fault("excerpt", "fault_too_large", "Max", maxText)
		}
	}
	if f.Slug != nil {
		d.Row.Name, d.slugSet = wp.Slug(*f.Slug), true
	}
	return nil
}

// applyAuthor gives the post to a user; to someone else only with the right to
// edit others' posts.
func (e *Env) applyAuthor(r *rest.Request, d *Draft, f *Fields) error {
	if f.Author == nil || *f.Author == d.Row.Author {
		return nil
	}
	if *f.Author != r.Principal.UserID && !e.EditsAll(r, d.Row.Type) {
		return r.Forbidden()
	}
	d.Row.Author = *f.Author
	return nil
}

// CanPublish tells whether the caller may publish posts of any kind: the right
// to publish events is what counts.
func (e *Env) CanPublish(p site.Principal) bool {
	return p.Can("publish_" + e.Family(e.Names.Event))
}

// applyStatus settles the status. Who may not publish submits for review
// instead; a status that the post has already is no change.
func (e *Env) applyStatus(r *rest.Request, d *Draft, f *Fields) error {
	switch {
	case f.Status == nil && d.New() && e.CanPublish(r.Principal):
		d.Row.Status = schema.StatusPublish
	case f.Status == nil && d.New():
		d.Row.Status = schema.StatusDraft
	case f.Status == nil || *f.Status == d.Row.Status:
	case *f.Status == schema.StatusTrash:
		if d.New() {
			return fault("status", "fault_status_trash")
		}
		if !site.CanDelete(r.Principal, e.Object(d)) {
			return r.Forbidden()
		}
		d.toTrash = true
	default:
		d.Row.Status, d.statusSet = *f.Status, true
		if (*f.Status == schema.StatusPublish || *f.Status == schema.StatusFuture) && !e.CanPublish(r.Principal) {
			d.Row.Status = schema.StatusPending
		}
	}
	return nil
}

// now is this moment in the site's zone, in whole seconds.
func (e *Env) now(ctx context.Context) time.Time {
	return e.Now().In(site.From(ctx).Location).Truncate(time.Second)
}
