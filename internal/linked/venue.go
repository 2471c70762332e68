package linked

import (
	"cmp"
	"context"
	"strconv"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// Names of the fields of venues.
const (
	venueShowMap param.Key[string] = "show_map"
	venueMapLink param.Key[string] = "show_map_link"
	venueRegion  param.Key[string] = "stateprovince"
)

// Venues declares venues. An event has at most one.
func Venues(n schema.Names) *UseCases {
	k := &UseCases{
		Resource: &item.Resource{
			Storage: content.Storage{
				Collection: "venues", PostType: n.Venue, LinkKey: schema.MetaVenueID, LinksOne: true, Origin: schema.MetaVenueOrigin,
				Segment: func(s permalink.Settings) string { return wp.LocaleOf(s.Locale).Venue },
				// The Events Calendar also stores the meta keys of an event's map for venues.
				Rows: []string{
					schema.MetaVenueOrigin, schema.MetaShowMapLink, schema.MetaShowMap, schema.MetaVenueShowMapLink,
					schema.MetaVenueShowMap, schema.MetaThumbnailID, schema.MetaVenueAddress, schema.MetaVenueCity,
					schema.MetaVenueCountry, schema.MetaVenueProvince, schema.MetaVenueState, schema.MetaVenueStateProvince,
					schema.MetaVenueZip, schema.MetaVenuePhone, schema.MetaVenueURL,
				},
			},
			Name: "venue", Singular: "Venue", Plural: "Venues",
			Errors: item.Errors{
				NotAccessible: apierror.New(apierror.Forbidden, "venue-not-accessible", "error_venue_not_accessible"),
				Page:          apierror.New(apierror.NotFound, "venue-archive-page-not-found", "error_venue_page"),
				NotCreated:    apierror.New(apierror.BadRequest, "could-not-create-venue", "error_venue_not_created"),
				InTrash:       apierror.New(apierror.Gone, "venue-is-in-trash", "error_venue_in_trash"),
			},
			Texts: item.Texts{
				Tag: "doc_tag_venues",
				Summaries: item.Summaries{
					List: "summary_venues_list", Create: "summary_venues_create", Get: "summary_venues_get",
					Update: "summary_venues_update",
					Delete: "summary_venues_delete", GetBySlug: "summary_venues_get_by_slug", UpdateBySlug: "summary_venues_update_by_slug",
					DeleteBySlug: "summary_venues_delete_by_slug",
				},
				Page: "doc_venues", Item: "doc_venue", Data: "doc_venue_data",
				Unknown: "fault_venues", UnknownID: "fault_venue_id",
				Params: map[string]string{
					"page": "param_venues_page", "per_page": "param_venues_per_page", "search": "param_venues_search",
					"event": "param_venues_event", "has_events": "param_venues_has_events",
					"only_with_upcoming": "param_venues_only_with_upcoming", "status": "param_venues_status",
				},
				Fields: map[string]string{
					"author": "param_venues_field_author", "date": "param_venues_field_date", "date_utc": "param_venues_field_date_utc",
					"venue": "param_venues_field_venue", "description": "param_venues_field_description",
					"status": "param_venues_field_status", "image": "param_venues_field_image",
				},
				InEvents: "doc_field_event_venue", EventField: "param_events_field_venue", EventFilter: "param_events_venue",
			},
		},
		Block: "tribe/event-venue",
		SearchKeys: []string{
			schema.MetaVenueAddress, schema.MetaVenueCity, schema.MetaVenueProvince, schema.MetaVenueState,
			schema.MetaVenueStateProvince, schema.MetaVenueZip, schema.MetaVenuePhone,
		},
		LD: LD{Type: "Place", Of: "location", Write: writePlaceLD, Members: placeLD()},
	}
	region := k.Text(venueRegion, schema.MetaVenueStateProvince, "param_venues_field_stateprovince")
	region.Apply = applyRegion
	k.Before = []*item.Field{
		distinct(k.Text("address", schema.MetaVenueAddress, "param_venues_field_address")),
		distinct(k.Text("city", schema.MetaVenueCity, "param_venues_field_city")),
		k.Text("country", schema.MetaVenueCountry, "param_venues_field_country"),
		k.Text("province", schema.MetaVenueProvince, "param_venues_field_province"),
		k.Text("state", schema.MetaVenueState, "param_venues_field_state"),
		k.Text("zip", schema.MetaVenueZip, "param_venues_field_zip"),
		k.Text("phone", schema.MetaVenuePhone, "param_venues_field_phone"),
		k.Website(schema.MetaVenueURL, "param_venues_field_website"), region,
		coordinate("geo_lat", 51.05, schema.MetaVenueLat), coordinate("geo_lng", 3.72, schema.MetaVenueLng),
	}
	k.After = []*item.Field{
		mapSwitch(venueShowMap, schema.MetaVenueShowMap, schema.MetaShowMap, "param_venues_field_show_map"),
		mapSwitch(venueMapLink, schema.MetaVenueShowMapLink, schema.MetaShowMapLink, "param_venues_field_show_map_link"),
		item.DistanceField(func(it *item.Item) []int64 { return []int64{it.Post.ID} }),
	}
	near, within := item.NearParams("param_venues_near")
	k.filters = item.Filters[*query]{{Param: near, Moves: item.Always[*query], Apply: k.around}, {Param: within}}
	return k
}

// coordinate returns the field of a venue's latitude or longitude, which is shown only if both are stored.
func coordinate(name string, example float64, key string) *item.Field {
	return &item.Field{
		Name: name, Shape: jsonschema.Number().Example(example), Maybe: true, Masked: "0", Keys: []string{key},
		Absent: func(it *item.Item) bool { _, _, ok := Coordinates(it); return !ok },
		Value: func(w *phpjson.Writer, it *item.Item) {
			n, _, _ := wp.Numeric(it.Meta.Text(key))
			w.Float(n)
		},
	}
}

// Coordinates returns the latitude and longitude of a venue in degrees. ok is false unless both are stored.
func Coordinates(it *item.Item) (lat, lng float64, ok bool) {
	lat, _, northing := wp.Numeric(it.Meta.Text(schema.MetaVenueLat))
	lng, _, easting := wp.Numeric(it.Meta.Text(schema.MetaVenueLng))
	return lat, lng, northing && easting
}

// Location returns the name of a venue and the parts of its postal address that are stored, as plain text. If a
// password hides the venue, it returns the name alone.
func Location(it *item.Item) []string {
	parts := []string{wp.PlainText(it.View.Title(it.Post))}
	if it.Masked {
		return parts
	}
	m, locale := it.Meta, it.Settings.Links.Locale
	for _, part := range []string{
		m.Text(schema.MetaVenueAddress), m.Text(schema.MetaVenueCity),
		cmp.Or(m.Text(schema.MetaVenueStateProvince), regionOf(m.Text).inLocale(locale)), m.Text(schema.MetaVenueZip),
		m.Text(schema.MetaVenueCountry),
	} {
		if part = wp.PlainText(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// mapSwitch returns the field that determines whether events at the venue show a map. It is true unless a row says
// otherwise. It is also stored under the meta key of events.
func mapSwitch(key param.Key[string], meta, eventMeta, doc string) *item.Field {
	return &item.Field{
		Name: string(key), Shape: jsonschema.Bool(), Masked: "null", Keys: []string{meta},
		Value: func(w *phpjson.Writer, it *item.Item) {
			value, stored := it.Meta.First(meta)
			w.Bool(!stored || wp.Truthy(value))
		},
		Stored: func(it *item.Item) any {
			value, stored := it.Meta.First(meta)
			return strconv.FormatBool(!stored || wp.Truthy(value))
		},
		Param: func(nested bool) *param.Param {
			word := jsonschema.Words("true", "false").As("MapWord").OrText(0, param.MaxSearch)
			if nested {
				takes := jsonschema.OneOf(jsonschema.Bool(), word).As("MapFlag")
				return key.Param(takes, param.Checked(param.AnyScalar), param.AnyType(), param.Doc(doc))
			}
			return key.Param(word, nil, param.Doc(doc))
		},
		Apply: func(_ context.Context, in *item.Input, e *content.Edit) error {
			given, on := key.Given(in.Values), ""
			if given == nil || wp.Truthy(*given) {
				on = "1"
			}
			for _, row := range []string{eventMeta, meta} {
				differs := e.Has(row) && wp.Truthy(e.Text(row)) != (on != "") || !e.Has(row) && on == ""
				if e.New() || given != nil && differs {
					e.Set(row, on)
				}
			}
			return nil
		},
	}
}

// region contains what the state or province of a venue's address depends on.
type region struct{ country, state, province string }

func regionOf(text func(key string) string) region {
	return region{text(schema.MetaVenueCountry), text(schema.MetaVenueState), text(schema.MetaVenueProvince)}
}

// inLocale returns the state if the country is the United States, by its name in the site's locale, or is not set;
// otherwise the province.
func (g region) inLocale(locale string) string {
	american := g.country == "" || g.country == "US" || g.country == wp.LocaleOf(locale).UnitedStates
	if g.state != "" && american {
		return g.state
	}
	return g.province
}

// applyRegion sets the combined state or province: the given one or, if other parts of the address change, the one that
// they imply. A stored value that the address did not imply is kept.
func applyRegion(ctx context.Context, in *item.Input, e *content.Edit) error {
	given := venueRegion.Given(in.Values)
	locale := site.From(ctx).Links.Locale
	value, before, now := wp.TextField(venueRegion.Value(in.Values)), regionOf(e.StoredMeta().Text), regionOf(e.Text)
	switch {
	case value != "":
		if err := item.CheckShort(string(venueRegion), value, e.Text(schema.MetaVenueStateProvince), *given); err != nil {
			return err
		}
	case given != nil || e.New() || now != before && e.Text(schema.MetaVenueStateProvince) == before.inLocale(locale):
		value = now.inLocale(locale)
	default:
		return nil
	}
	if value != "" || e.New() || e.Has(schema.MetaVenueStateProvince) {
		e.Set(schema.MetaVenueStateProvince, value)
	}
	return nil
}
