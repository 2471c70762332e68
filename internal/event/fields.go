package event

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// Fields that writes take. Some have the name of a parameter of lists, which takes
// something else.
const (
	fieldTitle    param.Key[string]   = "title"
	fieldZone     param.Key[string]   = "timezone"
	fieldAllDay   param.Key[bool]     = "all_day"
	fieldCost     param.Key[[]string] = "cost"
	fieldWebsite  param.Key[string]   = "website"
	fieldShowMap  param.Key[bool]     = "show_map"
	fieldMapLink  param.Key[bool]     = "show_map_link"
	fieldHidden   param.Key[bool]     = "hide_from_listings"
	fieldSticky   param.Key[bool]     = "sticky"
	fieldFeatured                     = paramFeatured

	fieldStart      = param.Key[string](paramStart)
	fieldEnd        = param.Key[string](paramEnd)
	fieldCategories = param.Key[term.Assignment](paramCategories)
	fieldTags       = param.Key[term.Assignment](paramTags)
	fieldVenue      = param.Key[place.Links](paramVenue)
	fieldOrganizers = param.Key[place.Links](paramOrganizer)
)

// writeParams declares the fields that writes take, in the order of the index.
func (k *Kind) writeParams(create bool) []*param.Param {
	doc := param.DocOf("param_events_field_")
	text, none, items := shape.Text(), param.Default(nil), param.LegacyItems(shape.TypeInt)
	toggle := func(key param.Key[bool], published ...param.Option) *param.Param {
		return key.Param(shape.Bool(), nil, append(published, param.Typed(), doc)...)
	}
	moment := func(key param.Key[string], example string) *param.Param {
		return key.Param(text.Example(example), k.MomentRule(), param.Typed(), doc)
	}
	terms := func(key param.Key[term.Assignment], kind *term.Kind, example ...any) *param.Param {
		takes := shape.OneOf(shape.List(shape.OneOf(shape.Int(), text)), text)
		return key.Param(takes.Example(example), kind.Assignment(), none, items, doc)
	}
	links := func(key param.Key[place.Links], kind *place.Kind, example any) *param.Param {
		one := []*shape.Shape{shape.Int().From(0), text, kind.DataShape()}
		takes := shape.OneOf(one[0], one[1], one[2], shape.List(shape.OneOf(shape.Int().From(0), text, kind.DataShape())), shape.Null())
		return key.Param(takes.Example(example), kind.Links(), none, items, doc, param.Null())
	}
	price := []*shape.Shape{text.Chars(0, maxCostChars), shape.Number()}
	cost := shape.OneOf(price[0], price[1], shape.List(shape.OneOf(price...)).UpTo(maxCosts))
	shared := k.WriteParams("events", fieldTitle, "Summer concert")
	start, end := moment(fieldStart, "2031-05-01 10:00:00"), moment(fieldEnd, "2031-05-01 12:30:00")
	for _, p := range []*param.Param{shared.Title, start, end} {
		p.Required = create
	}
	return []*param.Param{
		shared.Author, shared.Date, shared.DateUTC, shared.Title, shared.Description, shared.Slug, shared.Excerpt, shared.Status,
		fieldZone.Param(text.Example("Europe/Brussels"), param.Checked(checkZone), param.Typed(), doc),
		toggle(fieldAllDay, param.Default(false)), start, end, shared.Image,
		fieldCost.Param(cost.Example("€ 10"), param.Checked(checkCost), doc),
		fieldWebsite.Param(text.Example("https://example.org/"), param.Checked(checkWebsite), none, doc),
		toggle(fieldShowMap), toggle(fieldMapLink), toggle(fieldHidden), toggle(fieldSticky), toggle(fieldFeatured),
		terms(fieldCategories, k.Categories, 12, "Music"), terms(fieldTags, k.Tags, "Jazz"),
		links(fieldVenue, k.Venues, 17), links(fieldOrganizers, k.Organizers, []any{18}),
	}
}

// input is what a request gives of an event. What it does not give is nil, and
// stays as it is.
type input struct {
	shared            *content.Fields
	timing            timing
	cost              *[]string
	website           *string
	showMap, mapLink  *bool
	hidden            *bool
	sticky, featured  *bool
	categories, tags  *term.Assignment
	venue, organizers *place.Links
}

// links are those of a field, for which null unlinks.
func links(v *param.Values, key param.Key[place.Links]) *place.Links {
	if l := key.Given(v); l != nil || !key.In(v) {
		return l
	}
	return &place.Links{}
}

func (k *Kind) input(r *rest.Request) *input {
	v := r.Values
	return &input{
		shared: k.ReadFields(v, fieldTitle),
		timing: timing{
			start: fieldStart.Given(v), end: fieldEnd.Given(v), zone: fieldZone.Given(v), allDay: fieldAllDay.Given(v),
			endFirst: slices.Equal(param.InOrder(v, fieldStart, fieldEnd), []string{string(fieldEnd), string(fieldStart)}),
		},
		cost: fieldCost.Given(v), website: fieldWebsite.Given(v),
		showMap: fieldShowMap.Given(v), mapLink: fieldMapLink.Given(v), hidden: fieldHidden.Given(v),
		sticky: fieldSticky.Given(v), featured: fieldFeatured.Given(v),
		categories: fieldCategories.Given(v), tags: fieldTags.Given(v),
		venue: links(v, fieldVenue), organizers: links(v, fieldOrganizers),
	}
}

// images are the shared fields of everything that a request writes, whose
// images have to be fetched.
func (in *input) images() []*content.Fields {
	list := []*content.Fields{in.shared}
	for _, l := range []*place.Links{in.venue, in.organizers} {
		if l != nil {
			list = append(list, l.Fields()...)
		}
	}
	return list
}

// apply puts what a request gives into a draft. The order is that of the rows
// of a new event, as other programs write them.
func (k *Kind) apply(ctx context.Context, r *rest.Request, d *content.Edit, in *input) error {
	if err := k.Apply(ctx, d, in.shared); err != nil {
		return err
	}
	if d.New() {
		d.Set(schema.MetaEventOrigin, "events-calendar")
	}
	applyMap(d, schema.MetaShowMapLink, in.mapLink)
	applyMap(d, schema.MetaShowMap, in.showMap)
	if err := k.applyLinks(ctx, r, d, in); err != nil {
		return err
	}
	if in.shared.Image != nil { // its place among the rows; Save knows which one it is
		d.Set(schema.MetaThumbnailID, d.Meta(schema.MetaThumbnailID)...)
	}
	was, is, err := k.plan(ctx, d, in.timing)
	if err != nil {
		return err
	}
	applyDates(d, was, is)
	if in.cost != nil {
		applyCost(d, *in.cost)
	}
	if in.website != nil {
		applyWebsite(d, *in.website)
	}
	applyHidden(d, in.hidden)
	change(d, schema.MetaTimezone, was.zone, is.zone)
	change(d, schema.MetaTimezoneAbbr, was.abbr, is.abbr)
	applyFeatured(d, in.featured)
	applySticky(d, in.sticky)
	return k.applyTerms(ctx, r, d, in)
}

// plan returns the stored schedule and the one that is asked for.
func (k *Kind) plan(ctx context.Context, d *content.Edit, t timing) (was, is schedule, err error) {
	s := site.From(ctx)
	p := planner{now: k.Now(), site: s.Location, cutoff: s.Cutoff}
	if d.New() {
		is, err = p.create(t)
		return was, is, err
	}
	was = schedule{
		d.Text(schema.MetaStartDate), d.Text(schema.MetaEndDate), d.Text(schema.MetaStartDateUTC), d.Text(schema.MetaEndDateUTC),
		d.Text(schema.MetaTimezone), d.Text(schema.MetaTimezoneAbbr), wp.Truthy(d.Text(schema.MetaAllDay)), d.Text(schema.MetaDuration),
	}
	is, err = p.change(was, t)
	return was, is, err
}

// applyDates sets the rows of a schedule that differ. A new event has rows of
// its dates even where there are none.
func applyDates(d *content.Edit, was, is schedule) {
	switch {
	case is.allDay && !was.allDay:
		d.Set(schema.MetaAllDay, "1")
	case was.allDay && !is.allDay:
		d.Set(schema.MetaAllDay, "")
	}
	if d.New() {
		d.Set(schema.MetaStartDate, is.start)
		d.Set(schema.MetaEndDate, is.end)
	}
	change(d, schema.MetaStartDate, was.start, is.start)
	change(d, schema.MetaEndDate, was.end, is.end)
	change(d, schema.MetaStartDateUTC, was.startUTC, is.startUTC)
	change(d, schema.MetaEndDateUTC, was.endUTC, is.endUTC)
	change(d, schema.MetaDuration, was.duration, is.duration)
}

// change sets a row that differs; without a value it is removed.
func change(d *content.Edit, key, was, is string) {
	switch {
	case was == is:
	case is == "":
		d.Set(key)
	default:
		d.Set(key, is)
	}
}

// applyMap sets a map switch. A new event has a row of it in any case, another
// one is on where no row says otherwise.
func applyMap(d *content.Edit, key string, on *bool) {
	if on == nil && !d.New() {
		return
	}
	want := on != nil && *on
	if !d.New() && want == switchedOn(store.Meta{key: d.Meta(key)}, key) {
		return
	}
	d.Set(key, map[bool]string{true: "1", false: ""}[want])
}

// applyHidden hides an event from lists. Any row does that, so an event that
// shall be seen has none.
func applyHidden(d *content.Edit, hidden *bool) {
	switch {
	case hidden == nil:
	case !*hidden:
		d.Set(schema.MetaHideFromUpcoming)
	case d.Text(schema.MetaHideFromUpcoming) != "yes":
		d.Set(schema.MetaHideFromUpcoming, "yes")
	}
}

func applyFeatured(d *content.Edit, featured *bool) {
	if featured == nil || *featured == isFeatured(d.Text(schema.MetaFeatured)) {
		return
	}
	if *featured {
		d.Set(schema.MetaFeatured, "1")
	} else {
		d.Set(schema.MetaFeatured)
	}
}

// applySticky moves an event before those of the same date, or back.
func applySticky(d *content.Edit, sticky *bool) {
	switch {
	case sticky == nil || *sticky == (d.Row.MenuOrder == stickyOrder):
	case *sticky:
		d.Row.MenuOrder = stickyOrder
	default:
		d.Row.MenuOrder = 0
	}
}
