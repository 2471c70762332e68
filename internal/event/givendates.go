package event

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// Fields for all occurrences of an event, and for their number (D69).
const (
	fieldDates      param.Key[[]givenDate] = "dates"
	fieldDatesTotal param.Key[int64]       = "dates_total"
)

// maxDates is the maximum number of occurrences of an event in a request.
const maxDates = content.MaxDates

// givenDate is an occurrence in a request.
type givenDate struct{ start, end string }

// takenDates declares the parameter for all occurrences of an event. It is applied together with the dates of the
// event.
func takenDates(bool) *param.Param {
	moment := jsonschema.Text().Example("2031-05-01 10:00:00")
	one := jsonschema.Object("DateInput", jsonschema.Has(string(fieldStart), moment), jsonschema.Has(string(fieldEnd), moment)).
		Doc("doc_date_input").Undescribed().Opened() // responses show occurrences with more members, which are ignored
	return fieldDates.Param(jsonschema.List(one).AtLeast(1).UpTo(maxDates), param.Checked(checkDates),
		param.Doc("param_events_field_dates"))
}

// checkDates accepts a list of occurrences with their ends.
func checkDates(_ context.Context, v any) ([]givenDate, error) {
	list, ok := param.Elements(v)
	switch {
	case !ok || len(list) == 0:
		return nil, param.Invalid("fault_dates")
	case len(list) > maxDates:
		return nil, param.Invalid("fault_too_many", "Max", maxDates)
	}
	dates := make([]givenDate, len(list))
	for i, x := range list {
		m, _ := x.(*param.Map)
		for name, into := range map[string]*string{string(fieldStart): &dates[i].start, string(fieldEnd): &dates[i].end} {
			value, _ := m.Get(name)
			text, isText := value.(string)
			if !isText || text == "" || isZero(text) {
				return nil, param.Invalid("fault_dates")
			}
			*into = text
		}
	}
	return dates, nil
}

// TotalParam declares the parameter for the number of occurrences of an event. It is never stored. A response may show
// only some of many occurrences; if an update sends them back, this number shows that the list is incomplete.
func TotalParam() *param.Param {
	return fieldDatesTotal.Param(jsonschema.Int().From(0), nil, param.Unlisted(),
		param.Doc("param_events_field_dates_total"))
}

// zone returns the zone of a schedule, or the site's zone if it is unknown.
func (p planner) zone(s schedule) *time.Location {
	if loc, ok := strtotime.Zone(s.zone); ok {
		return loc
	}
	return p.site
}

// settleDates returns the given occurrences, in order, as those of an event whose schedule is "is".
func (p planner) settleDates(is schedule, given []givenDate) ([]content.Date, error) {
	edges := edges{by: p, loc: p.zone(is), whole: is.allDay}
	list := make([]content.Date, len(given))
	for i, g := range given {
		var err error
		d := &list[i]
		if d.Start, d.StartUTC, err = edges.settle(string(fieldDates), &g.start, "", "", false); err == nil {
			d.End, d.EndUTC, err = edges.settle(string(fieldDates), &g.end, "", "", true)
		}
		if err != nil {
			return nil, err
		}
		if d.End < d.Start || d.EndUTC < d.StartUTC {
			return nil, refuse(string(fieldDates), "fault_end_before_start")
		}
	}
	slices.SortFunc(list, compareDates)
	for i := range list[1:] {
		if list[i].Start == list[i+1].Start {
			return nil, refuse(string(fieldDates), "fault_dates_twice")
		}
	}
	return list, nil
}

// repeatsTimes handles an all-day event some of whose occurrences have times, because only the main occurrence was
// converted to a whole day. If given repeats the stored occurrences, as in an update that sends back a response, it
// returns them with their times, and ok is true. They then do not become whole days.
func (p planner) repeatsTimes(was, is schedule, given []givenDate, stored []content.Date) (list []content.Date, ok bool) {
	if !was.allDay || !is.allDay || len(given) > len(stored) {
		return nil, false
	}
	is.allDay = false
	list, err := p.settleDates(is, given)
	return list, err == nil && slices.EqualFunc(list, stored[:len(list)], content.Date.SameTimes)
}

// planDates is planner.change for a request that contains all occurrences of an event, or a recurrence rule. The main
// occurrence is the one that the request names; else the previous one if it still exists; else the first.
func (df dateFields) planDates(ctx context.Context, p planner, e *content.Edit, v *param.Values, was, is schedule, t timing,
) (schedule, error) {
	rule, given := givenRecurrence(v), fieldDates.Given(v)
	if rule != nil && rule.unknown {
		if site.From(ctx).DateForm == schema.DatesOwn {
			return was, param.Refuse(string(fieldRecurrence), rule.fault)
		}
		rule = nil
	}
	total, ofOne := fieldDatesTotal.Value(v), e.Dates.Row != 0 && (t.start != nil || t.end != nil)
	// On a site that Agenda manages itself, all explicit occurrences become whole days together with the event. On
	// others only the main occurrence does, as recorded from The Events Calendar.
	whole := rule == nil && given == nil && is.allDay && !was.allDay && !ofOne && !e.New() && site.From(ctx).DateForm == schema.DatesOwn
	if rule == nil && given == nil && !whole {
		return is, nil
	}
	stored, set, err := df.storedDates(ctx, e)
	if err != nil {
		return was, err
	}
	if whole {
		if len(stored) < 2 || set.Rule() != "" {
			return is, nil
		}
		given = asGiven(stored)
	}
	// With dates_total, the list has the form of a response and contains all occurrences. Without it, the list contains
	// the occurrences in addition to the rule.
	repeats := rule.repeats(set, p.zone(is))
	if repeats && (given == nil || rule.Text == "" || fieldDatesTotal.IsGiven(v)) {
		rule = nil
	}
	if rule != nil && rule.fault != nil {
		return was, param.Refuse(string(fieldRecurrence), rule.fault)
	}
	if rule != nil {
		e.Dates.Rule = &rule.Rule
	}
	if given == nil {
		return is, nil
	}
	list, err := p.settleDates(is, *given)
	if timed, ok := p.repeatsTimes(was, is, *given, stored); ok {
		list, err = timed, nil
	}
	if err != nil {
		return was, err
	}
	if repeats && rule != nil && areAdded(list, set) {
		e.Dates.Rule = nil
		return is, nil
	}
	repeated := slices.EqualFunc(list, stored[:min(len(list), len(stored))], content.Date.SameTimes) &&
		(len(list) == len(stored) || total > int64(len(list)))
	switch {
	case repeated && (ofOne || total > int64(len(list))): // part of the occurrences, or all with the times of one, as responses show them
		return is, nil
	case ofOne:
		return was, refuse(string(fieldDates), "fault_dates_of_one")
	case total > int64(len(list)):
		return was, refuse(string(fieldDates), "fault_dates_total")
	}
	e.Dates.List = list
	if rule != nil && rule.Text != "" || rule == nil && set.Rule() != "" && repeated {
		return is, nil
	}
	own := slices.IndexFunc(list, func(d content.Date) bool { return d.Start == is.start && d.End == is.end })
	switch {
	case own >= 0:
		return is, nil
	case e.New() || t.start != nil || t.end != nil:
		return was, refuse(string(fieldDates), "fault_dates_own")
	}
	return p.change(was, timing{start: &list[0].Start, end: &list[0].End, zone: t.zone, allDay: t.allDay})
}

// asGiven returns stored occurrences in the form of a request.
func asGiven(dates []content.Date) *[]givenDate {
	list := make([]givenDate, len(dates))
	for i, d := range dates {
		list[i] = givenDate{start: d.Start, end: d.End}
	}
	return &list
}

// areAdded reports whether the sorted occurrences are exactly those that a set contains in addition to its rule.
func areAdded(list []content.Date, set *rset.Set) bool {
	stored := set.Dates()
	slices.SortFunc(stored, rset.Period.Compare)
	return slices.EqualFunc(list, stored, func(d content.Date, p rset.Period) bool {
		return d.Start == p.Start.Format(time.DateTime) && d.End == p.End.Format(time.DateTime)
	})
}

// storedDates returns the stored occurrences of an event, in order, and its recurrence set.
func (df dateFields) storedDates(ctx context.Context, e *content.Edit) (dates []content.Date, set *rset.Set, err error) {
	if e.New() {
		return nil, rset.Parse(""), nil
	}
	stored, err := df.events.Service.Content.Occurrences.StoredDates(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	for i := range stored.Rows {
		dates = append(dates, content.DateOf(&stored.Rows[i]))
	}
	slices.SortFunc(dates, compareDates)
	return dates, rset.Parse(stored.Event.Rset), nil
}

func compareDates(a, b content.Date) int {
	return strings.Compare(a.StartUTC+a.Start, b.StartUTC+b.Start)
}
