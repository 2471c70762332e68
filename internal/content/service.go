// Package content writes posts, which are events and the items that they link: edits, slugs, statuses, the trash, links
// and bookkeeping. It decides who may read and write them. It knows neither HTTP, which is left to package api, nor the
// resources' own fields, only their Type.
package content

import (
	"context"
	"log/slog"
	"time"

	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/langstore"
	"github.com/agendahq/agenda/internal/wp/permalink"
)

// Service writes posts and decides who may read and write them. Create or Open returns an Edit, Apply changes it, and
// Save, Trash or Delete writes it, all within Run or Write, which make the transaction. What needs only a part of its
// Config has a type of its own.
type Service struct {
	Config
	Clock Clock

	// The parts of a write, in the order in which Save uses them:

	ImageFiles    ImageFiles // before the transaction
	Attachments   Attachments
	Slugs         Slugs
	Occurrences   Occurrences
	terms         postTerms
	History       History
	Changes       Changes
	calendarRange calendarRange

	Upkeep Upkeep // writes without requests

	Translations *langstore.Translations
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
func New(c Config) *Service {
	clock := Clock(c.Now)
	s := &Service{
		Config: c, Clock: clock, Translations: langstore.New(c.Store),
		ImageFiles:    ImageFiles{store: c.Store, uploads: c.Uploads, fetcher: c.Fetcher, clock: clock},
		Slugs:         Slugs{store: c.Store, types: c.Types, languages: c.Languages},
		Occurrences:   Occurrences{store: c.Store, types: c.Types, clock: clock},
		terms:         postTerms{store: c.Store, taxonomies: c.Taxonomies},
		History:       History{store: c.Store, clock: clock},
		Changes:       Changes{store: c.Store, types: c.Types, wanted: c.Changed != nil},
		calendarRange: calendarRange{store: c.Store, types: c.Types, clock: clock},
	}
	s.Changes.translations = s.Translations
	if !c.NoLanguages {
		s.Changes.languages = c.Languages
	}
	s.Attachments = Attachments{store: c.Store, slugs: &s.Slugs, clock: clock}
	s.Upkeep.service, s.Upkeep.store, s.Upkeep.clock = s, c.Store, clock
	return s
}

func (s *Service) NewLinker(links permalink.Settings) *permalink.Linker {
	return s.Types.Linker(links, s.Taxonomies)
}
