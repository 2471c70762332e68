// Package venue declares the places where events are held.
package venue

import (
	"net/http"

	"github.com/agendahq/agenda/internal/link"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// New returns the kind of venues.
func New(env *post.Env) *link.Kind {
	return &link.Kind{
		Env: env, Name: "venue", Collection: "venues", Type: env.Names.Venue, MetaKey: schema.MetaVenueID,
		Fields: []link.Field{
			{Name: "address", Meta: schema.MetaVenueAddress}, {Name: "city", Meta: schema.MetaVenueCity},
			{Name: "country", Meta: schema.MetaVenueCountry}, {Name: "province", Meta: schema.MetaVenueProvince},
			{Name: "state", Meta: schema.MetaVenueState}, {Name: "zip", Meta: schema.MetaVenueZip},
			{Name: "phone", Meta: schema.MetaVenuePhone}, {Name: "website", Meta: schema.MetaVenueURL},
			{Name: "stateprovince", Meta: schema.MetaVenueStateProvince},
		},
		Writes: []string{
			"show_map", "show_map_link", "address", "city", "country", "province", "state", "zip", "phone", "stateprovince", "website",
		},
		NoDefaults: []string{"author", "date", "date_utc", "venue", "status"},
		Origin:     schema.MetaVenueOrigin,
		SearchKeys: []string{
			schema.MetaVenueAddress, schema.MetaVenueCity, schema.MetaVenueProvince, schema.MetaVenueState,
			schema.MetaVenueStateProvince, schema.MetaVenueZip, schema.MetaVenuePhone,
		},
		Located: true,
		Errors: link.Errors{
			NotAccessible: rest.NewError(http.StatusForbidden, "venue-not-accessible", "error_venue_not_accessible"),
			Page:          rest.NewError(http.StatusNotFound, "venue-archive-page-not-found", "error_venue_page"),
			NotCreated:    rest.NewError(http.StatusBadRequest, "could-not-create-venue", "error_venue_not_created"),
			InTrash:       rest.NewError(http.StatusGone, "venue-is-in-trash", "error_venue_in_trash"),
		},
		LDType: "Place", LD: link.WritePlaceLD,
		Address: func(l *permalink.Linker, p *store.Post) string { return l.Venue(p.ID, p.Name, p.Status) },
	}
}
