// Package content writes posts, which are events and the items that they link: edits, slugs, statuses, the trash, links
// and bookkeeping. It decides who may read and write them. It knows neither HTTP, which is left to package api, nor the
// resources' own fields, only their Type.
package content

import (
	"context"
	"log/slog"
	"time"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
)

// Service writes posts and decides who may read and write them.
type Service struct {
	Config
	ahead ahead
}

// Config contains the dependencies and settings of a Service.
type Config struct {
	Store      *store.Store
	Types      Types
	Taxonomies []string         // of events
	Now        func() time.Time // the current time
	Logger     *slog.Logger
	Languages  *Languages     // in which the site stores its items, nil for none
	Uploads    *media.Store   // for images; nil if none can be stored
	Fetcher    *media.Fetcher // of images by address
	// Changed is called with what a write did once it is committed; the context contains the caller who made the
	// change. It may be nil.
	Changed func(context.Context, []Change)
	// NoLanguages says that Changed does not need the languages of items, so that they are not read.
	NoLanguages bool
}

// New returns a Service.
func New(c Config) *Service { return &Service{Config: c} }

// Moment returns the current time, for an answer that depends on the exact time and therefore is not cached.
func (s *Service) Moment(ctx context.Context) time.Time {
	change.Momentary(ctx)
	return s.Now()
}

// Today returns the beginning of the current day in UTC, for an answer that is the same all day.
func (s *Service) Today(ctx context.Context) time.Time {
	y, m, d := s.Now().UTC().Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	change.Within(ctx, today, today.AddDate(0, 0, 1))
	return today
}

func (s *Service) NewLinker(links permalink.Settings) *permalink.Linker {
	return s.Types.Linker(links, s.Taxonomies)
}
