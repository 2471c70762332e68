package editing

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// seriesView describes a recurrence rule and its first occurrences.
type seriesView struct {
	Text  string
	Dates []dateBox
	Kept  []string // excluded starts that are not among Dates
	Total string   // "" for a rule without an end
}

type dateBox struct {
	Value, Text string
	Skipped     bool
}

// saidSeries describes the recurrence rule in the form, unless there is none or it is not valid.
func (f *sheet) saidSeries(v *fieldView) *seriesView {
	if way := f.w.one("repeats"); way == "" || way == never {
		return nil
	}
	try := &writing{editor: f.w.editor, language: f.w.language, typed: maps.Clone(f.w.typed), was: f.w.was,
		faults: map[string]faultOf{}}
	whole := f.w.one("all_day") != ""
	p, ok := try.period(whole)
	if !ok {
		return nil
	}
	rule, ok := try.rule(p)
	if !ok {
		if rule, ok = try.rule(p); !ok { // with the suggested end
			return nil
		}
	}
	const shown = 60
	zone := zoneOf(f.w.one("timezone"), f.site.Zone)
	e := calendar.Event{Start: inZone(p.start, zone), AllDay: whole, Recurrence: &calendar.Recurrence{Rule: rule}}
	all, err := f.site.Calendar.PreviewRule(f.r.Context(), e, shown)
	if err != nil {
		var refused *calendar.Error
		if errors.As(err, &refused) && v.Wrong == "" {
			v.Wrong = refused.Params["recurrence"]
		}
		return nil
	}
	skip := f.w.typed["skip"]
	said := &seriesView{Text: all.Text}
	if all.Total > 0 {
		said.Total = strconv.Itoa(all.Total)
	}
	e.Recurrence.Excluded = skip
	if without, err := f.site.Calendar.PreviewRule(f.r.Context(), e, 1); err == nil && len(skip) > 0 {
		if said.Text = without.Text; without.Total > 0 {
			said.Total = strconv.Itoa(without.Total)
		}
	}
	listed := map[string]bool{}
	for _, at := range all.Starts {
		value := skipped(at.Format(time.DateTime), rule)
		listed[value] = true
		said.Dates = append(said.Dates, dateBox{value, f.r.lang.day(at), slices.Contains(skip, value)})
	}
	for _, value := range skip {
		if !listed[value] {
			said.Kept = append(said.Kept, value)
		}
	}
	return said
}

// neighbours returns notes about other events at the same place on the same day.
func (f *sheet) neighbours(ctx context.Context) (hints []string) {
	day, ok := readDay(f.w.one("day"), f.w.language)
	places := linesOf(f.w.one("venue"))
	if !ok || len(places) == 0 {
		return nil
	}
	id := ""
	for _, known := range f.w.was["venue.known"] {
		if number, name, _ := strings.Cut(known, " "); name == places[0] {
			id = number
		}
	}
	if id == "" {
		id, _, _ = f.w.find("venues", places[0])
	}
	if id == "" {
		return nil
	}
	text := day.Format(time.DateOnly)
	found, err := f.site.Calendar.Kinds().Events.List(ctx, url.Values{"venue": {id}, "start_date": {text + " 00:00:00"},
		"end_date": {text + " 23:59:59"}, "status": {"publish,future,draft,pending,private"}})
	if err != nil {
		return nil
	}
	for _, e := range found.Items {
		if e.EventID == f.id || e.EventID == f.previewed() {
			continue
		}
		hints = append(hints, f.r.lang.fill("hint.same", plainName(e.Title), clockText(e.Start)))
	}
	return hints
}

func (f *sheet) previewed() int64 {
	if f.preview == nil {
		return 0
	}
	return f.preview.EventID
}

// dateRows returns links to the upcoming occurrences of a stored recurring event.
func (f *sheet) dateRows(ctx context.Context) (list []dateRow, err error) {
	if f.w.fresh || f.w.was.Get("repeats") == never && f.w.was.Get("dates") == "" && f.w.was.Get("dates.locked") == "" {
		return nil, nil
	}
	today := f.site.Now().In(f.site.Zone).Format(time.DateOnly)
	found, err := f.site.Calendar.Kinds().Events.List(ctx, url.Values{"include": {decimal(f.id)}, "start_date": {today},
		"end_date": {"9999-12-31"}, "per_page": {"20"}, "status": {"publish,future,draft,pending,private"}})
	if err = notFoundIsNone(err); err != nil || found == nil {
		return nil, err
	}
	for _, e := range found.Items {
		if !e.Start.IsZero() {
			at := "/events/" + decimal(f.id) + "/dates/" + e.Start.Format(startKey) + "/"
			list = append(list, dateRow{f.r.lang.day(e.Start), f.r.link(at)})
		}
	}
	return list, nil
}
