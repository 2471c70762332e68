package post

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

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
