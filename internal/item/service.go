// Package item contains what resources declare and share: tables of fields, parameters, views of stored posts,
// translations, and the use cases of posts. Package content writes to the database, and each resource has a package for
// its own rules.
package item

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rendercache"
	"github.com/agendahq/agenda/internal/wp/render"
)

// Service is shared by the use cases of all resources.
type Service struct {
	Config
	rights []string // the capabilities that decide what responses show
}

// Config configures a Service.
type Config struct {
	Content     *content.Service
	PageSize    int64   // default number of items per page, 0 for the setting of the site
	MaxPageSize int64   // maximum number of items per page
	GeoRadius   float64 // radius of geo searches, in km
	Language    *param.Param
	Items       *param.Param       // the language of items; nil if Language sets it too, or items have no language
	Texts       *rendercache.Cache // cache of rendered texts
	// Say returns the message with an id, in the language with a tag.
	Say   func(tag, id string, data map[string]any) string
	Marks *render.Marks // typographic marks, nil for English ones
	// UserExists reports whether a user with the id exists.
	UserExists func(ctx context.Context, id int64) (bool, error)
	// BeforeWrite is called within the transaction of each write, before anything is stored. It may be nil.
	BeforeWrite func(context.Context, *Draft) error
}

// LanguageParams returns the parameters that choose the language of messages and of items.
func (s *Service) LanguageParams() []*param.Param {
	if s.Items == nil {
		return []*param.Param{s.Language}
	}
	return []*param.Param{s.Language, s.Items}
}

// New returns a Service.
func New(c Config) *Service { return &Service{Config: c} }
