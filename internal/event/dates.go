package event

import (
	"context"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// allDay returns the field that says whether an event lasts all day. Its row is written together with the dates.
func allDay() *item.Field {
	on := func(it *item.Item) bool { return wp.Truthy(it.Meta.Text(schema.MetaAllDay)) }
	f := toggle(fieldAllDay, "param_events_field_all_day", schema.MetaAllDay, on, nil)
	f.Param = func(bool) *param.Param {
		return fieldAllDay.Param(jsonschema.Bool(), nil, param.Default(false), param.Doc("param_events_field_all_day"))
	}
	return f
}

// dateFields shows the dates of events, and plans the changes of writes to them.
type dateFields struct{ events *UseCases }

// dates returns the fields for the stored dates, their parts, and their zone. A password does not hide them.
func (df dateFields) dates() []*item.Field {
	start, startParts := df.storedDate(string(fieldStart), schema.MetaStartDate)
	end, endParts := df.storedDate(string(fieldEnd), schema.MetaEndDate)
	startUTC, startUTCParts := df.storedDate("utc_start_date", schema.MetaStartDateUTC)
	endUTC, endUTCParts := df.storedDate("utc_end_date", schema.MetaEndDateUTC)
	take := func(f *item.Field, key param.Key[string], example, doc string) {
		f.Required = true
		f.Param = func(bool) *param.Param {
			return key.Param(jsonschema.Text().Chars(1, 0).Example(example), df.events.Service.MomentRule(), param.Doc(doc))
		}
	}
	take(start, fieldStart, "2031-05-01 10:00:00", "param_events_field_start_date")
	take(end, fieldEnd, "2031-05-01 12:30:00", "param_events_field_end_date")
	start.Apply = df.applyDates
	zone := &item.Field{
		Name: string(fieldZone), Shape: jsonschema.Text().Example("Europe/Brussels"), Keys: []string{schema.MetaTimezone},
		Text: func(it *item.Item) string { return it.Meta.Text(schema.MetaTimezone) },
		Param: func(bool) *param.Param {
			return fieldZone.Param(jsonschema.Text().Example("Europe/Brussels"), param.Checked(checkZone),
				param.Doc("param_events_field_timezone"))
		},
	}
	short := &item.Field{
		Name: "timezone_abbr", Shape: jsonschema.Text().Example("CEST"), Keys: []string{schema.MetaTimezoneAbbr},
		Text: abbreviation,
	}
	return []*item.Field{start, startParts, end, endParts, startUTC, startUTCParts, endUTC, endUTCParts, zone, short}
}

// abbreviation returns the abbreviation of an event's zone. The stored one is that of the main occurrence. On a site
// that Agenda manages itself, each occurrence has the abbreviation at its own start, because clocks may change during a
// series.
func abbreviation(it *item.Item) string {
	if it.Date != nil && it.Date.Several && it.Settings.DateForm == schema.DatesOwn {
		start, ok := strtotime.ParseWall(it.Date.StartUTC, time.UTC)
		if short, known := strtotime.Abbreviation(it.Meta.Text(schema.MetaTimezone), start); ok && known {
			return short
		}
	}
	return it.Meta.Text(schema.MetaTimezoneAbbr)
}

// dateParts contains the parts of a date in its details, with their positions in a formatted date, counted from its
// end.
var dateParts = [...]struct {
	name, example string
	from, to      int
}{
	{"year", "2031", 0, 15}, {"month", "05", 14, 12}, {"day", "01", 11, 9},
	{"hour", "10", 8, 6}, {"minutes", "00", 5, 3}, {"seconds", "00", 2, 0},
}

// storedDate returns the field for a stored date, which is null if there is none, and the field for its parts.
func (df dateFields) storedDate(name, key string) (whole, parts *item.Field) {
	details := jsonschema.Object("DateDetails").Doc("doc_date_details").Undescribed()
	for _, p := range dateParts {
		details.Members = append(details.Members, jsonschema.Has(p.name, jsonschema.Text().Example(p.example)))
	}
	whole = &item.Field{
		Name: name, Shape: jsonschema.OneOf(jsonschema.Text(), jsonschema.Null()).Example("2031-05-01 10:00:00"), Keys: []string{key},
		Value: func(w *phpjson.Writer, it *item.Item) {
			if value, stored := it.Meta.First(key); stored {
				w.String(value)
			} else {
				w.Null()
			}
		},
	}
	return whole, &item.Field{
		Name: name + "_details", Shape: details, Doc: "doc_date_details",
		Value: func(w *phpjson.Writer, it *item.Item) { df.writeParts(w, it, it.Meta.Text(key)) },
	}
}

// writeParts writes the parts of a date. An invalid string has the parts of the Unix epoch.
func (df dateFields) writeParts(w *phpjson.Writer, it *item.Item, value string) {
	t, ok := strtotime.ParseWall(value, time.UTC)
	if !ok {
		if t, ok = df.events.anyDate(it, value); !ok {
			t = time.Unix(0, 0).UTC()
		}
	}
	wall := strtotime.Wall(t)
	w.Object()
	for _, p := range dateParts {
		from := len(wall) - p.from
		if p.from == 0 {
			from = 0
		}
		w.KeyString(p.name, wall[from:len(wall)-p.to])
	}
	w.End()
}

// applyDates sets the rows of a schedule that differ from the stored ones. A new event always has rows for its dates,
// even if they are empty.
func (df dateFields) applyDates(ctx context.Context, in *item.Input, e *content.Edit) error {
	was, is, err := df.plan(ctx, e, in.Values)
	if err != nil {
		return err
	}
	switch {
	case is.allDay && !was.allDay:
		e.Set(schema.MetaAllDay, "1")
	case was.allDay && !is.allDay:
		e.Set(schema.MetaAllDay, "")
	}
	if e.New() {
		e.Set(schema.MetaStartDate, is.start)
		e.Set(schema.MetaEndDate, is.end)
	}
	for _, row := range [...]struct{ key, was, is string }{
		{schema.MetaStartDate, was.start, is.start}, {schema.MetaEndDate, was.end, is.end},
		{schema.MetaStartDateUTC, was.startUTC, is.startUTC}, {schema.MetaEndDateUTC, was.endUTC, is.endUTC},
		{schema.MetaDuration, was.duration, is.duration}, {schema.MetaTimezone, was.zone, is.zone},
		{schema.MetaTimezoneAbbr, was.abbr, is.abbr},
	} {
		switch {
		case row.was == row.is:
		case row.is == "":
			e.Set(row.key) // an empty value is not stored as a row
		default:
			e.Set(row.key, row.is)
		}
	}
	return nil
}

// plan returns the stored schedule and the requested one. If the request addresses an occurrence, times given for it
// are recorded in the edit.
func (df dateFields) plan(ctx context.Context, e *content.Edit, v *param.Values) (was, is schedule, err error) {
	t := timing{
		start: fieldStart.Given(v), end: fieldEnd.Given(v), zone: fieldZone.Given(v), allDay: fieldAllDay.Given(v),
		endFirst: slices.Equal(param.InOrder(v, fieldStart, fieldEnd), []string{string(fieldEnd), string(fieldStart)}),
	}
	s := site.From(ctx)
	p := planner{now: df.events.Service.Content.Clock.Moment(ctx), site: s.Location, cutoff: s.Cutoff}
	switch {
	case e.New():
		is, err = p.create(t)
	default:
		was = schedule{
			e.Text(schema.MetaStartDate), e.Text(schema.MetaEndDate), e.Text(schema.MetaStartDateUTC), e.Text(schema.MetaEndDateUTC),
			e.Text(schema.MetaTimezone), e.Text(schema.MetaTimezoneAbbr), wp.Truthy(e.Text(schema.MetaAllDay)), e.Text(schema.MetaDuration),
		}
		if e.Dates.Row != 0 && (t.start != nil || t.end != nil) {
			is, err = df.planDate(ctx, p, e, was, t)
		} else {
			is, err = p.change(was, t)
		}
	}
	if err == nil {
		is, err = df.planDates(ctx, p, e, v, was, is, t)
	}
	if err == nil && !e.New() && (t.any() || fieldDates.IsGiven(v) || fieldRecurrence.IsGiven(v)) {
		is, err = df.recheck(ctx, p, e, was, is)
	}
	return was, is, err
}

// recheck returns the schedule with UTC times that match its local times again. They may differ because the rules of a
// zone have changed since they were stored. It is only used for requests that contain dates, and only for named zones
// of the zone database (D87).
func (df dateFields) recheck(ctx context.Context, p planner, e *content.Edit, was, is schedule) (schedule, error) {
	loc, known := strtotime.Zone(was.zone)
	if !known || !strtotime.Named(loc) || is.zone != was.zone {
		return is, nil
	}
	may, err := df.events.Service.Content.Occurrences.Recheck(ctx, e, loc)
	if err != nil || !may {
		return is, err
	}
	before := is
	is.startUTC, is.endUTC = renewed(is.start, is.startUTC, loc), renewed(is.end, is.endUTC, loc)
	if is == before {
		return is, nil
	}
	return p.derived(is, was), nil
}

// renewed returns the UTC time of a local time. It keeps the stored one if both are the same instant.
func renewed(wall, utc string, loc *time.Location) string {
	at, ok := strtotime.ParseWall(wall, loc)
	if is := strtotime.Wall(at.UTC()); ok && storable(is) && !strtotime.Agree(wall, utc, loc) {
		return is
	}
	return utc
}

// planDate is planner.change for a request that addresses an occurrence: times in the request are those of the
// occurrence, and everything else applies to the event.
func (df dateFields) planDate(ctx context.Context, p planner, e *content.Edit, was schedule, t timing) (schedule, error) {
	stored, err := df.events.Service.Content.Occurrences.StoredDates(ctx, e)
	if err != nil {
		return was, err
	}
	at := slices.IndexFunc(stored.Rows, func(r schema.OccurrenceDates) bool { return r.ID == e.Dates.Row })
	switch {
	case at < 0:
		return was, store.ErrDatesConflict
	case stored.Own != nil && stored.Own.ID == e.Dates.Row:
		return p.change(was, t)
	}
	is, err := p.change(was, timing{zone: t.zone, allDay: t.allDay})
	if err != nil {
		return was, err
	}
	date := content.DateOf(&stored.Rows[at])
	named := schedule{
		start: date.Start, end: date.End, startUTC: date.StartUTC, endUTC: date.EndUTC, zone: was.zone, abbr: was.abbr, allDay: is.allDay,
		duration: was.duration,
	}
	if named, err = p.change(named, timing{start: t.start, end: t.end, zone: t.zone, endFirst: t.endFirst}); err != nil {
		return was, err
	}
	if to := (content.Date{Start: named.start, End: named.end, StartUTC: named.startUTC, EndUTC: named.endUTC}); to != date {
		e.Dates.Move = &to
	}
	return is, nil
}
