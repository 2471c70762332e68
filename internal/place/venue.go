package place

import (
	"net/http"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// VenueType declares the places where events are held; an event links one.
func VenueType(n schema.Names) *content.Type {
	return &content.Type{
		PostType: n.Venue, Collection: "venues", LinkKey: schema.MetaVenueID, LinksOne: true,
		Segment: func(s permalink.Settings) string { return wp.LocaleOf(s.Locale).Venue },
	}
}

// NewVenues returns the kind of venues.
func NewVenues(env *resource.Service, t *content.Type) *Kind {
	return &Kind{
		Service: env, Type: t, Name: "venue",
		Fields: []Field{
			{Name: "address", Meta: schema.MetaVenueAddress}, {Name: "city", Meta: schema.MetaVenueCity},
			{Name: "country", Meta: schema.MetaVenueCountry}, {Name: "province", Meta: schema.MetaVenueProvince},
			{Name: "state", Meta: schema.MetaVenueState}, {Name: "zip", Meta: schema.MetaVenueZip},
			{Name: "phone", Meta: schema.MetaVenuePhone}, {Name: "website", Meta: schema.MetaVenueURL},
			{Name: "stateprovince", Meta: schema.MetaVenueStateProvince},
		},
		Writes: []param.Key[string]{
			"show_map", "show_map_link", "address", "city", "country", "province", "state", "zip", "phone", "stateprovince", "website",
		},
		NoDefaults: []string{"author", "date", "date_utc", "venue", "status"},
		Origin:     schema.MetaVenueOrigin,
		SearchKeys: []string{
			schema.MetaVenueAddress, schema.MetaVenueCity, schema.MetaVenueProvince, schema.MetaVenueState,
			schema.MetaVenueStateProvince, schema.MetaVenueZip, schema.MetaVenuePhone,
		},
		Located: true,
		Errors: Errors{
			NotAccessible: rest.NewError(http.StatusForbidden, "venue-not-accessible", "error_venue_not_accessible"),
			Page:          rest.NewError(http.StatusNotFound, "venue-archive-page-not-found", "error_venue_page"),
			NotCreated:    rest.NewError(http.StatusBadRequest, "could-not-create-venue", "error_venue_not_created"),
			InTrash:       rest.NewError(http.StatusGone, "venue-is-in-trash", "error_venue_in_trash"),
		},
		LDType: "Place", LD: WritePlaceLD,
	}
}
