package resource

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/content"
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
func (s *Service) WriteParams(kind, nameField string, nullDefault ...string) map[string]*param.Param {
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
		"author":      declare("author", param.Integer, s.checkAuthor),
		"date":        declare("date", param.String, s.checkMoment),
		"date_utc":    declare("date_utc", param.String, s.checkMoment),
		nameField:     declare(nameField, param.String, param.Filled),
		"description": declare("description", param.String, checkString),
		"slug":        declare("slug", param.String, param.Filled),
		"excerpt":     declare("excerpt", param.String, checkString),
		"status":      declare("status", param.String, checkStatus),
		"image":       declare("image", param.String, s.checkImage, param.AnyType(), param.Null()),
	}
}

// checkAuthor accepts the id of a user.
func (s *Service) checkAuthor(ctx context.Context, v any) (any, error) {
	text, ok := param.Scalar(v)
	if _, isBool := v.(bool); !ok || isBool {
		return nil, param.Invalid("fault_author")
	}
	if _, _, numeric := wp.Numeric(text); !numeric {
		return nil, param.Invalid("fault_author")
	}
	id := phpval.Int(text)
	if n, whole := param.Convert(param.Integer, v); whole {
		id = n.(int64)
	}
	exists, err := s.UserExists(ctx, id)
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
func (s *Service) checkMoment(_ context.Context, v any) (any, error) {
	text, ok := param.Scalar(v)
	if _, isBool := v.(bool); !ok || isBool || !s.IsMoment(text) {
		return nil, param.Invalid("fault_date")
	}
	return text, nil
}

// IsMoment reports whether a text is a date: a number of seconds, or what a date
// text may be, except the beginning of 1970 in UTC.
func (s *Service) IsMoment(text string) bool {
	if _, _, numeric := wp.Numeric(text); numeric {
		_, whole := strtotime.Seconds(text)
		return whole
	}
	m, ok := strtotime.Parse(text, s.Now(), time.UTC)
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
func (s *Service) checkImage(ctx context.Context, v any) (any, error) {
	text, ok := param.Scalar(v)
	if b, isBool := v.(bool); isBool && b || !ok {
		return nil, param.Invalid("fault_image")
	}
	text = strings.TrimSpace(text)
	if text == "" || text == "0" {
		return &content.ImageField{}, nil
	}
	if n, numeric := param.Convert(param.Integer, text); numeric {
		id := n.(int64)
		found, err := s.Store.Content(ctx, store.ContentQuery{IDs: []int64{id}})
		if err != nil {
			return nil, err
		}
		if p := found.Posts[id]; p == nil || p.Type != schema.TypeAttachment || !strings.HasPrefix(p.MimeType, "image/") {
			return nil, param.Invalid("fault_image")
		}
		return &content.ImageField{ID: id}, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, param.Invalid("fault_image")
	}
	return &content.ImageField{URL: text}, nil
}

// ReadFields takes the shared fields from the values of a request.
func (s *Service) ReadFields(v *param.Values, nameField string) *content.Fields {
	text := func(name string) *string {
		if value, ok := v.Get(name).(string); ok && v.Given(name) {
			return &value
		}
		return nil
	}
	f := &content.Fields{
		TitleField: nameField, Date: text("date"), DateUTC: text("date_utc"), Title: text(nameField), Description: text("description"),
		Excerpt: text("excerpt"), Slug: text("slug"), Status: text("status"), DateNames: v.InOrder("date", "date_utc"),
	}
	if id, ok := v.Get("author").(int64); ok && v.Given("author") {
		f.Author = &id
	}
	if v.Given("image") {
		f.Image, _ = v.Get("image").(*content.ImageField)
		if f.Image == nil {
			f.Image = &content.ImageField{}
		}
	}
	return f
}
