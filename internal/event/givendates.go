package event

import (
	"context"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// fieldDates are all dates of an event (D69).
const fieldDates param.Key[[]givenDate] = "dates"

// maxDates is how many dates an event may be given.
const maxDates = 1000

// givenDate is a date of an event as a request gives it.
type givenDate struct{ start, end string }

// takenDates declares the parameter of all dates of an event. They are put into an edit with its own date.
func takenDates(bool) *param.Param {
	moment := jsonschema.Text().Example("2031-05-01 10:00:00")
	one := jsonschema.Object("DateInput", jsonschema.Has(string(fieldStart), moment), jsonschema.Has(string(fieldEnd), moment)).
		Doc("doc_date_input").Undescribed()
	return fieldDates.Param(jsonschema.List(one).UpTo(maxDates), param.Checked(checkDates), param.AnyType(),
		param.Doc("param_events_field_dates"))
}

// checkDates accepts a list of dates with their ends.
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

// planDates is planner.change for a request that gives all dates of an event: its own is the one that the request names, or
// stays where it is still one of them, or else the first.
func (p planner) planDates(e *content.Edit, was, is schedule, t timing, given []givenDate) (schedule, error) {
	if e.Dates.Row != 0 && (t.start != nil || t.end != nil) {
		return was, refuse(string(fieldDates), "fault_dates_of_one")
	}
	loc, ok := strtotime.Zone(is.zone)
	if !ok {
		loc = p.site
	}
	edges := edges{planner: p, loc: loc, whole: is.allDay}
	list := make([]content.Date, len(given))
	for i, g := range given {
		var err error
		d := &list[i]
		if d.Start, d.StartUTC, err = edges.settle(string(fieldDates), &g.start, "", "", false); err == nil {
			d.End, d.EndUTC, err = edges.settle(string(fieldDates), &g.end, "", "", true)
		}
		if err != nil {
			return was, err
		}
		if d.End < d.Start || d.EndUTC < d.StartUTC {
			return was, refuse(string(fieldDates), "fault_end_before_start")
		}
	}
	slices.SortFunc(list, func(a, b content.Date) int { return strings.Compare(a.StartUTC+a.Start, b.StartUTC+b.Start) })
	for i := range list[1:] {
		if list[i].Start == list[i+1].Start {
			return was, refuse(string(fieldDates), "fault_dates_twice")
		}
	}
	e.Dates.List = list
	own := slices.IndexFunc(list, func(d content.Date) bool { return d.Start == is.start && d.End == is.end })
	switch {
	case own >= 0:
		return is, nil
	case e.New() || t.start != nil || t.end != nil:
		return was, refuse(string(fieldDates), "fault_dates_own")
	}
	return p.change(was, timing{start: &list[0].Start, end: &list[0].End, zone: t.zone, allDay: t.allDay})
}
