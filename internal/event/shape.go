package event

import (
	"slices"

	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/shape"
	"github.com/agendahq/agenda/internal/term"
)

// shapes are the forms in which answers show an event.
type shapes struct {
	item    *shape.Shape // in lists and after writes
	details *shape.Shape // read alone
	editing *shape.Shape // read alone by its editor
	masked  *shape.Shape // in lists, hidden by its password
}

func (k *Kind) shapes() shapes {
	venue, organizer := k.Venues.Shapes(), k.Organizers.Shapes()
	var s shapes
	s.item = eventShape("Event", shape.OneOf(venue.Item, venue.Masked), organizer.Item)
	s.masked = maskedShape(s.item)
	s.details = eventShape("EventDetails", shape.OneOf(venue.Details, venue.Masked), shape.OneOf(organizer.Details, organizer.Masked)).
		With("", shape.Optional("json_ld", k.ldShape())).Doc("doc_event_details")
	s.editing = resource.ForEditing(s.details, "title").As("EventForEditing").Doc("doc_event_editing")
	return s
}

// eventShape follows write.
func eventShape(name string, venue, organizer *shape.Shape) *shape.Shape {
	address := "https://example.org/wp-json/vendor/events/v1/events/123"
	text := shape.Text()
	members := slices.Concat(
		[]shape.Member{shape.Has("id", shape.Int().Example(123))}, resource.GlobalIDs(),
		[]shape.Member{shape.Has("author", text.Example("2")), shape.Has("status", text.Example("publish"))}, resource.Dates(),
		[]shape.Member{
			shape.Has("url", text.Example("https://example.org/event/summer-concert/")), shape.Has("rest_url", text.Example(address)),
			shape.Has("title", text.Example("Summer concert")), shape.Has("description", text.Example("<p>An evening in the open air.</p>")),
			shape.Has("excerpt", text), shape.Has("slug", text.Example("summer-concert")),
			shape.Has("image", shape.OneOf(resource.ImageShape(), shape.Only(false))), shape.Has("all_day", shape.Bool()),
		}, datesShape(), costShape(),
		[]shape.Member{shape.Has("website", text.Example("https://example.org/"))},
	)
	for _, name := range []string{"show_map", "show_map_link", "hide_from_listings", "sticky", "featured"} {
		members = append(members, shape.Has(name, shape.Bool()))
	}
	custom := shape.Object("CustomField", shape.Has("label", text), shape.Has("value", text)).Doc("doc_custom_field").Undescribed()
	members = append(members,
		shape.Has("categories", shape.List(term.NestedShape())), shape.Has("tags", shape.List(term.NestedShape())),
		shape.Has("venue", shape.OneOf(append(alternatives(venue), shape.List(venue))...)).Doc("doc_field_event_venue"),
		shape.Has("organizer", shape.List(organizer)).Doc("doc_field_event_organizer"),
		shape.Has("custom_fields", shape.OneOf(shape.Map(custom), shape.EmptyList())),
	)
	return shape.Object(name, append(members, resource.LanguageMembers()...)...).Doc("doc_event")
}

// alternatives are those of a union.
func alternatives(s *shape.Shape) []*shape.Shape {
	if s.OneOf == nil {
		return []*shape.Shape{s}
	}
	return slices.Clone(s.OneOf)
}

// datesShape follows writeDates.
func datesShape() (members []shape.Member) {
	details := shape.Object("DateDetails", shape.Has("year", shape.Text().Example("2031")), shape.Has("month", shape.Text().Example("05")),
		shape.Has("day", shape.Text().Example("01")), shape.Has("hour", shape.Text().Example("10")), shape.Has("minutes", shape.Text().Example("00")),
		shape.Has("seconds", shape.Text().Example("00"))).Doc("doc_date_details").Undescribed()
	for _, name := range []string{"start_date", "end_date", "utc_start_date", "utc_end_date"} {
		members = append(members, shape.Has(name, shape.OneOf(shape.Text(), shape.Null()).Example("2031-05-01 10:00:00")),
			shape.Has(name+"_details", details).Doc("doc_date_details"))
	}
	return append(members, shape.Has("timezone", shape.Text().Example("Europe/Brussels")), shape.Has("timezone_abbr", shape.Text().Example("CEST")))
}

// costShape follows writeCost.
func costShape() []shape.Member {
	text := shape.Text()
	return []shape.Member{
		shape.Has("cost", text.Example("€10 – €20")),
		shape.Has("cost_details", shape.Object("CostDetails",
			shape.Has("currency_symbol", text.Example("€")), shape.Has("currency_code", text.Example("EUR")), shape.Has("currency_position", text.Example("prefix")),
			shape.Has("values", shape.List(text.Example("10"))).Doc("doc_field_cost_values")).Doc("doc_cost_details")),
	}
}

// maskedShape follows writeMasked.
func maskedShape(event *shape.Shape) *shape.Shape {
	hidden := map[string]*shape.Shape{"image": shape.Only(false)}
	for _, name := range []string{"description", "excerpt", "cost", "website"} {
		hidden[name] = shape.Only("")
	}
	for _, name := range []string{"all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured"} {
		hidden[name] = shape.Null()
	}
	for _, name := range []string{"categories", "tags", "venue", "organizer", "custom_fields"} {
		hidden[name] = shape.EmptyList()
	}
	return event.Set(hidden).As("MaskedEvent").Doc("doc_masked")
}

// ldShape follows writeLD.
func (k *Kind) ldShape() *shape.Shape {
	text := shape.Text()
	offer := shape.Object("", shape.Has("@type", shape.Only("Offer")), shape.Has("price", text.Example("10")), shape.Has("priceCurrency", text.Example("EUR")),
		shape.Has("url", text), shape.Has("category", text), shape.Has("availability", text), shape.Has("validFrom", text)).Undescribed()
	head := append([]shape.Member{shape.Has("@context", shape.Only("http://schema.org")), shape.Has("@type", shape.Only("Event"))}, resource.LDHead()...)
	return shape.Object("EventLD", append(head,
		shape.Has("url", text), shape.Has("eventAttendanceMode", text), shape.Has("eventStatus", text), shape.Has("startDate", text), shape.Has("endDate", text),
		shape.Optional("location", shape.OneOf(k.Venues.LDShape(), shape.Only(false))), shape.Optional("organizer", shape.OneOf(k.Organizers.LDShape(), shape.Only(false))),
		shape.Optional("offers", offer), shape.Has("performer", text))...).Doc("doc_ld").Undescribed()
}
