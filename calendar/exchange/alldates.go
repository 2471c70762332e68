package exchange

import (
	"slices"
	"time"

	events "github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/feed"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/rset"
)

// ruleOfOthers is the reason of a Problem: an export contains the occurrences of an event, but not the rule that made
// them.
const ruleOfOthers = "follows from a rule that is not one of iCalendar: all its dates are in the export, but not the rule"

// allDates contains the occurrences of the recurring events among the events of a page.
type allDates struct {
	sets  map[int64]store.Set
	dates map[int64][]store.Date // only for events whose occurrences do not follow from an iCalendar rule
}

// allDates reads all occurrences of the recurring events among items.
func (r *recorder) allDates(items []*item.Item) (all allDates, err error) {
	if slices.Contains(r.exporter.LeaveOut, LeaveOutDates) {
		return all, nil
	}
	ids := make([]int64, len(items))
	for i, it := range items {
		ids[i] = it.Post.ID
	}
	if all.sets, err = r.parts.Events.Service.Content.Store.Events.Sets(r.ctx, ids); err != nil {
		return all, err
	}
	var listed []int64
	for id, set := range all.sets {
		if !feed.Ruled(rset.Parse(set.Text)) {
			listed = append(listed, id)
		}
	}
	all.dates, err = r.parts.Events.Service.Content.Store.Events.AllDates(r.ctx, listed)
	return all, err
}

// putDates adds the occurrences of a recurring event, and their rule, to its record.
func (r *recorder) putDates(rec *Record, it *item.Item, all allDates) {
	set, several := all.sets[it.Post.ID]
	if !several {
		return
	}
	parsed := rset.Parse(set.Text)
	if list := all.dates[it.Post.ID]; list != nil {
		zone, known := events.Zone(it)
		var dates []any
		for _, d := range list {
			if known {
				d.Start, d.End = exactText(d.Start, d.StartUTC, zone), exactText(d.End, d.EndUTC, zone)
			}
			dates = append(dates, dateValue(d.Start, d.End))
		}
		rec.Values[fieldDates] = dates
		if parsed.Ruled() || len(parsed.Unknown()) > 0 {
			r.left(&Problem{Item: rec.name(), Field: LeaveOutDates, Reason: ruleOfOthers})
		}
		return
	}
	rec.Values[fieldRecurrence] = recurrenceValue(parsed.Rule(), parsed.Excluded())
	var dates []any
	for _, p := range parsed.Dates() {
		dates = append(dates, dateValue(p.Start.Format(time.DateTime), p.End.Format(time.DateTime)))
	}
	if dates != nil {
		rec.Values[fieldDates] = dates
	}
}

// dateValue returns an occurrence in the form that a record's values contain.
func dateValue(start, end string) map[string]any {
	return map[string]any{fieldStart: start, fieldEnd: end}
}

// recurrenceValue returns a rule, with the starts that it excludes, in the form that a record's values contain.
func recurrenceValue(rule string, excluded []time.Time) map[string]any {
	starts := []any{}
	for _, at := range excluded {
		starts = append(starts, at.Format(time.DateTime))
	}
	return map[string]any{"rrule": rule, "exdates": starts}
}
