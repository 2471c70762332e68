package event

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// writeParams declares the fields that writes take, in the order of the index.
func (k *Kind) writeParams(create bool) []*param.Param {
	doc := func(name string) param.Option { return param.Doc("param_events_field_" + name) }
	text := func(name string, check param.Check) *param.Param {
		return param.New(name, param.Type(param.String), doc(name), param.Checked(check))
	}
	toggle := func(name string) *param.Param { return param.New(name, param.Type(param.Boolean), doc(name)) }
	list := func(name string, check param.Check, more ...param.Option) *param.Param {
		options := []param.Option{param.Default(nil), param.Items(param.Integer), doc(name), param.Checked(check)}
		return param.New(name, append(options, more...)...)
	}
	shared := k.WriteParams("events", "title")
	start, end := text("start_date", k.checkMoment), text("end_date", k.checkMoment)
	for _, p := range []*param.Param{shared["title"], start, end} {
		p.Required = create
	}
	return []*param.Param{
		shared["author"], shared["date"], shared["date_utc"], shared["title"], shared["description"], shared["slug"],
		shared["excerpt"], shared["status"],
		text("timezone", checkZone),
		param.New("all_day", param.Default(false), param.Type(param.Boolean), doc("all_day")),
		start, end, shared["image"],
		param.New("cost", doc("cost"), param.Checked(checkCost)),
		param.New("website", param.Default(nil), doc("website"), param.Checked(checkWebsite)),
		toggle("show_map"), toggle("show_map_link"), toggle("hide_from_listings"), toggle("sticky"), toggle("featured"),
		list("categories", k.Categories.CheckWrite), list("tags", k.Tags.CheckWrite),
		list("venue", k.Venues.CheckLinks, param.Null()), list("organizer", k.Organizers.CheckLinks, param.Null()),
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

// given returns the value of a parameter that the request itself carries.
func given[T any](v *param.Values, name string) *T {
	if x, ok := v.Get(name).(T); ok && v.Given(name) {
		return &x
	}
	return nil
}

// links are those of a field, for which null unlinks.
func links(v *param.Values, name string) *place.Links {
	if v.Given(name) && v.Get(name) == nil {
		return &place.Links{}
	}
	return given[place.Links](v, name)
}

func (k *Kind) input(r *rest.Request) *input {
	v := r.Values
	in := &input{
		shared: k.ReadFields(v, "title"),
		timing: timing{
			start: given[string](v, "start_date"), end: given[string](v, "end_date"), zone: given[string](v, "timezone"),
			allDay: given[bool](v, "all_day"), endFirst: slices.Equal(v.InOrder("start_date", "end_date"), []string{"end_date", "start_date"}),
		},
		cost: given[[]string](v, "cost"), website: given[string](v, "website"),
		showMap: given[bool](v, "show_map"), mapLink: given[bool](v, "show_map_link"), hidden: given[bool](v, "hide_from_listings"),
		sticky: given[bool](v, "sticky"), featured: given[bool](v, "featured"),
		categories: given[term.Assignment](v, "categories"), tags: given[term.Assignment](v, "tags"),
		venue: links(v, "venue"), organizers: links(v, "organizer"),
	}
	return in
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
