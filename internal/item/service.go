// Package item holds what all kinds declare with and share: tables of fields,
// parameters, views of stored posts, language versions, and the use cases of
// posts. Package content writes to the database, and each kind has a package
// for its own rules.
package item

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rendercache"
	"github.com/agendahq/agenda/internal/wp/render"
)

// Service is shared by the use cases of all kinds.
type Service struct {
	Config
	rights []string // on which it depends what answers show
}

// Config is what a Service works with.
type Config struct {
	Content     *content.Service
	PageSize    int64   // items per page, 0 for the site's own setting
	MaxPageSize int64   // items per page at most
	GeoRadius   float64 // of geo searches, in km
	Language    *param.Param
	Items       *param.Param       // the language of items, nil where Language says it or items have none
	Texts       *rendercache.Cache // rendered texts
	// Say returns the text of a message id in a language, by its tag.
	Say   func(tag, id string, data map[string]any) string
	Marks *render.Marks // typographic marks, nil for the English ones
	// UserExists reports whether a user has an id.
	UserExists func(ctx context.Context, id int64) (bool, error)
	// BeforeWrite is asked within the transaction of each write of a post, before anything is stored; nil asks nobody.
	BeforeWrite func(context.Context, *Draft) error
}

// LanguageParams returns the parameters that choose the language of texts and that of items.
func (s *Service) LanguageParams() []*param.Param {
	if s.Items == nil {
		return []*param.Param{s.Language}
	}
	return []*param.Param{s.Language, s.Items}
}

// New returns a Service.
func New(c Config) *Service { return &Service{Config: c} }
