package event

import (
	"slices"

	"github.com/agendahq/agenda/internal/link"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/rest/shape"
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
		With("", shape.May("json_ld", k.ldShape())).Doc("doc_event_details")
	s.editing = post.ForEditing(s.details, "title").As("EventForEditing").Doc("doc_event_editing")
	return s
}

// eventShape follows write.
func eventShape(name string, venue, organizer *shape.Shape) *shape.Shape {
	address := "https://example.org/wp-json/vendor/events/v1/events/123"
	text := shape.Text()
	members := slices.Concat(
		[]shape.Member{shape.Has("id", shape.Int().Ex(123))}, post.GlobalIDs(),
		[]shape.Member{shape.Has("author", text.Ex("2")), shape.Has("status", text.Ex("publish"))}, post.Dates(),
		[]shape.Member{
			shape.Has("url", text.Ex("https://example.org/event/summer-concert/")), shape.Has("rest_url", text.Ex(address)),
			shape.Has("title", text.Ex("Summer concert")), shape.Has("description", text.Ex("<p>An evening in the open air.</p>")),
			shape.Has("excerpt", text), shape.Has("slug", text.Ex("summer-concert")),
			shape.Has("image", shape.OneOf(post.ImageShape(), shape.Only(false))), shape.Has("all_day", shape.Bool()),
		}, datesShape(), costShape(),
		[]shape.Member{shape.Has("website", text.Ex("https://example.org/"))},
	)
	for _, name := range []string{"show_map", "show_map_link", "hide_from_listings", "sticky", "featured"} {
		members = append(members, shape.Has(name, shape.Bool()))
	}
	custom := shape.Object("CustomField", shape.Has("label", text), shape.Has("value", text)).Doc("doc_custom_field").Bare()
	members = append(members,
		shape.Has("categories", shape.List(term.NestedShape())), shape.Has("tags", shape.List(term.NestedShape())),
		shape.Has("venue", shape.OneOf(append(alternatives(venue), shape.List(venue))...)).Doc("doc_field_event_venue"),
		shape.Has("organizer", shape.List(organizer)).Doc("doc_field_event_organizer"),
		shape.Has("custom_fields", shape.OneOf(shape.Map(custom), shape.EmptyList())),
	)
	return shape.Object(name, append(members, post.LanguageMembers()...)...).Doc("doc_event")
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
	details := shape.Object("DateDetails", shape.Has("year", shape.Text().Ex("2031")), shape.Has("month", shape.Text().Ex("05")),
		shape.Has("day", shape.Text().Ex("01")), shape.Has("hour", shape.Text().Ex("10")), shape.Has("minutes", shape.Text().Ex("00")),
		shape.Has("seconds", shape.Text().Ex("00"))).Doc("doc_date_details").Bare()
	for _, name := range []string{"start_date", "end_date", "utc_start_date", "utc_end_date"} {
		members = append(members, shape.Has(name, shape.OneOf(shape.Text(), shape.Null()).Ex("2031-05-01 10:00:00")),
			shape.Has(name+"_details", details).Doc("doc_date_details"))
	}
	return append(members, shape.Has("timezone", shape.Text().Ex("Europe/Brussels")), shape.Has("timezone_abbr", shape.Text().Ex("CEST")))
}

// costShape follows writeCost.
func costShape() []shape.Member {
	text := shape.Text()
	return []shape.Member{
		shape.Has("cost", text.Ex("€10 – €20")),
		shape.Has("cost_details", shape.Object("CostDetails",
			shape.Has("currency_symbol", text.Ex("€")), shape.Has("currency_code", text.Ex("EUR")), shape.Has("currency_position", text.Ex("prefix")),
			shape.Has("values", shape.List(text.Ex("10"))).Doc("doc_field_cost_values")).Doc("doc_cost_details")),
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
	offer := shape.Object("", shape.Has("@type", shape.Only("Offer")), shape.Has("price", text.Ex("10")), shape.Has("priceCurrency", text.Ex("EUR")),
		shape.Has("url", text), shape.Has("category", text), shape.Has("availability", text), shape.Has("validFrom", text)).Bare()
	head := append([]shape.Member{shape.Has("@context", shape.Only("http://schema.org")), shape.Has("@type", shape.Only("Event"))}, post.LDHead()...)
	return shape.Object("EventLD", append(head,
		shape.Has("url", text), shape.Has("eventAttendanceMode", text), shape.Has("eventStatus", text), shape.Has("startDate", text), shape.Has("endDate", text),
		shape.May("location", shape.OneOf(k.Venues.LDShape(), shape.Only(false))), shape.May("organizer", shape.OneOf(k.Organizers.LDShape(), shape.Only(false))),
		shape.May("offers", offer), shape.Has("performer", text))...).Doc("doc_ld").Bare()
}

// listTakes are the shapes of the parameters of the list.
func listTakes() shape.Takes {
	names := shape.List(shape.Text())
	date := shape.Text().Ex("2031-05-01")
	return post.ListTakes().Join(shape.Takes{
		"start_date": date, "end_date": date, "starts_before": date, "starts_after": date, "ends_before": date, "ends_after": date,
		"strict_dates": shape.Bool().Or(false), "categories": names.Ex([]any{"music", "12"}), "tags": names.Ex([]any{"jazz"}),
		"geoloc_lat": shape.Number().From(-90).To(90), "geoloc_lng": shape.Number().From(-180).To(180),
		"post_parent": shape.Int().From(1), "orderby": shape.Words("event_date", "title", "modified", "id").Or("event_date"),
	})
}

// writeTakes are the shapes of the fields that writes take.
func (k *Kind) writeTakes() shape.Takes {
	text := shape.Text()
	cost := shape.OneOf(text.Chars(0, maxCostChars), shape.Number())
	terms := shape.OneOf(shape.List(shape.OneOf(shape.Int(), text)), text)
	links := func(kind *link.Kind) *shape.Shape {
		return shape.OneOf(shape.Int().From(0), text, kind.DataShape(), shape.List(shape.OneOf(shape.Int().From(0), text, kind.DataShape())), shape.Null())
	}
	return post.WriteTakes().Join(shape.Takes{
		"title": text.Chars(1, 0).Ex("Summer concert"), "start_date": post.Moment(), "end_date": text.Ex("2031-05-01 12:30:00"),
		"timezone": text.Ex("Europe/Brussels"), "all_day": shape.Bool(),
		"cost": shape.OneOf(append(alternatives(cost), shape.List(cost).UpTo(maxCosts))...).Ex("€ 10"), "website": text.Ex("https://example.org/"),
		"categories": terms.Ex([]any{12, "Music"}), "tags": terms.Ex([]any{"Jazz"}),
		"venue": links(k.Venues).Ex(17), "organizer": links(k.Organizers).Ex([]any{18}),
	})
}

// document completes the declarations of the routes for the documentation.
func (k *Kind) document(routes []*rest.Route) []*rest.Route {
	s := k.shapes()
	unlinked := append(k.Venues.WriteErrors(), k.Organizers.WriteErrors()...)
	for _, r := range routes {
		for _, o := range r.Operations {
			switch {
			case r.InPath("id"):
				o.Errors = []*rest.Error{errNotFound, errNoEvent}
			case r.InPath("slug") && !o.Reads():
				o.Errors = append(post.AddressErrors(r), errNotFound)
			}
			switch {
			case o.List:
				o.Takes, o.Answer = listTakes(), rest.PageShape("Events", "events", shape.OneOf(s.item, s.masked)).Doc("doc_events")
				o.Errors = []*rest.Error{errPage}
			case o.Reads():
				o.Takes, o.Answer = post.ItemTakes(), shape.OneOf(s.details, s.editing)
				o.Errors = slices.Concat(o.Errors, []*rest.Error{errTrashed, errNotYours, errProtected}, post.ContextErrors)
			case o.Methods[0] == "DELETE":
				o.Takes, o.Answer, o.Errors = post.ItemTakes(), s.item, slices.Concat(o.Errors, []*rest.Error{errInTrash}, post.MatchErrors)
			case len(o.Methods) == 1:
				o.Creates, o.Takes, o.Answer, o.Errors = true, k.writeTakes(), s.item, slices.Concat(unlinked, post.WriteErrors)
			default:
				o.Takes, o.Answer, o.Errors = k.writeTakes(), s.item, slices.Concat(o.Errors, unlinked, post.MatchErrors)
			}
		}
	}
	return routes
}
