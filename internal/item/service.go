// Package resource holds what all kinds share on the HTTP side: tables of fields,
// parameters, views of stored posts, language versions, and how a write becomes an
// answer. Package content writes to the database, and each kind has a package for its
// own rules.
package item

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rendercache"
	"github.com/agendahq/agenda/internal/wp/render"
)

// Service is shared by the handlers of all kinds.
type Service struct {
	*content.Service
	PageSize    int64   // items per page, 0 for the site's own setting
	MaxPageSize int64   // items per page at most
	GeoRadius   float64 // of geo searches, in km
	Language    *param.Param
	Texts       *rendercache.Cache // rendered texts
	Marks       *render.Marks      // typographic marks, nil for the English ones
	// UserExists reports whether a user has an id.
	UserExists func(ctx context.Context, id int64) (bool, error)
}
