package item

import (
	"context"
	"net/url"
	"slices"
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

// userID accepts the id of a user.
func userID(_ context.Context, v any) (int64, error) {
	text, ok := param.Scalar(v)
	_, isBool := v.(bool)
	_, _, numeric := wp.Numeric(text)
	id := phpval.Int(text)
	if n, whole := param.Integer(v); whole {
		id = n
	}
	if !ok || isBool || !numeric || id <= 0 {
		return 0, param.Invalid("fault_author")
	}
	return id, nil
}

func (s *Service) knownUser(ctx context.Context, id int64) (int64, error) {
	exists, err := s.UserExists(ctx, id)
	if err == nil && !exists {
		err = param.Invalid("fault_author")
	}
	return id, err
}

// MomentRule accepts a string that can be parsed as a date. That it is a string is checked by its type.
func (s *Service) MomentRule() param.Rule[string] {
	return param.Checked(func(_ context.Context, v any) (string, error) {
		text, ok := param.Scalar(v)
		if _, isBool := v.(bool); !ok || isBool || !s.isMoment(text) {
			return "", param.Invalid("fault_date")
		}
		return text, nil
	})
}

// isMoment reports whether a string is a date: a number of seconds, or a text that PHP's strtotime can parse to a time
// other than the Unix epoch.
func (s *Service) isMoment(text string) bool {
	if _, _, numeric := wp.Numeric(text); numeric {
		_, whole := strtotime.Seconds(text)
		return whole
	}
	m, ok := strtotime.ParseFunc(text, s.Content.Now, time.UTC)
	return ok && m.Time.Unix() != 0
}

func checkStatus(_ context.Context, v any) (string, error) {
	s, _ := v.(string)
	if !slices.Contains(schema.RegisteredStatuses, s) {
		return "", param.Invalid("fault_status")
	}
	return s, nil
}

// checkImage accepts the id of an uploaded image, an http or https URL, or a file. An empty string, false, 0 and null
// mean no image.
func checkImage(_ context.Context, v any) (*content.ImageField, error) {
	if file, ok := v.(*param.File); ok {
		return &content.ImageField{File: file}, nil
	}
	s, ok := param.Scalar(v)
	if b, isBool := v.(bool); isBool && b || !ok {
		return nil, param.Invalid("fault_image")
	}
	s = strings.TrimSpace(s)
	if s == "" || s == "0" {
		return &content.ImageField{}, nil
	}
	id, numeric := param.Integer(s)
	if numeric && id > 0 {
		return &content.ImageField{ID: id}, nil
	}
	u, err := url.Parse(s)
	if numeric || err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, param.Invalid("fault_image")
	}
	return &content.ImageField{URL: s}, nil
}

// storedImage looks up an image that is given by its id.
func (s *Service) storedImage(ctx context.Context, i *content.ImageField) (*content.ImageField, error) {
	if i.ID == 0 {
		return i, nil
	}
	found, err := s.Content.Store.Posts.Content(ctx, store.ContentQuery{IDs: []int64{i.ID}})
	if err != nil {
		return nil, err
	}
	if p := found.Posts[i.ID]; p == nil || p.Type != schema.TypeAttachment || !strings.HasPrefix(p.MimeType, "image/") {
		return nil, param.Invalid("fault_image")
	}
	return i, nil
}
