package exchange

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/feed"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/schema"
)

// LeaveOutDates in Exporter.LeaveOut exports only the main occurrence of recurring events.
const LeaveOutDates = "dates"

// SeveralDatesError is the error of an export of recurring events of which it can only contain one occurrence.
// iCalendar is such a format on sites whose occurrences another plugin maintains. Any format fails if a rule of other
// software makes an event recur and no table contains its occurrences. Nothing is written then.
type SeveralDatesError struct{ Events []DatedEvent }

// DatedEvent is a recurring event.
type DatedEvent struct {
	ID    int64
	Title string
	Dates int64
}

func (e *SeveralDatesError) Error() string {
	names := make([]string, len(e.Events))
	for i, event := range e.Events {
		names[i] = event.String()
	}
	return "these events have several dates, and the export has only one of each: " + strings.Join(names, ", ")
}

// String returns the event in the form that messages contain.
func (e DatedEvent) String() string { return fmt.Sprintf("%d %q (%d dates)", e.ID, e.Title, e.Dates) }

// holdsDates returns a SeveralDatesError if the list contains recurring events of which the export can only contain one
// occurrence, unless LeaveOutDates accepts that.
func (x *exporting) holdsDates() error {
	if x.exporter.Format == FormatICalendar && feed.Whole(x.ctx) && !slices.Contains(x.exporter.LeaveOut, LeaveOutDates) {
		return nil
	}
	dates, err := x.parts.Events.Service.Content.Store.Events.SeveralDates(x.ctx, x.parts.Events.PostType)
	if err == nil && x.exporter.Format != FormatICalendar && !slices.Contains(x.exporter.LeaveOut, LeaveOutDates) {
		err = x.withoutTables(dates)
	}
	if err != nil || len(dates) == 0 {
		return err
	}
	codes, err := x.languages(x.exporter.Format == FormatJSON)
	if err != nil {
		return err
	}
	found := &SeveralDatesError{}
	for _, code := range x.codesOf(x.resources.events, codes) {
		err := x.each(code, x.parts.Events.Posts, true, "edit", func(_ context.Context, items []*item.Item, _ int64) error {
			for _, it := range items {
				if n, several := dates[it.Post.ID]; several {
					found.Events = append(found.Events, DatedEvent{it.Post.ID, plainText(it.Post.Title), n})
					delete(dates, it.Post.ID) // a list may contain it once per occurrence
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	slices.SortFunc(found.Events, func(a, b DatedEvent) int { return cmp.Compare(a.ID, b.ID) })
	if len(found.Events) > 0 && !slices.Contains(x.exporter.LeaveOut, LeaveOutDates) {
		return found
	}
	for _, e := range found.Events {
		reason := fmt.Sprintf("of the %d dates of event %d only its own is in the export", e.Dates, e.ID)
		x.left(&Problem{Item: e.Title, Field: LeaveOutDates, Reason: reason})
	}
	return nil
}

// withoutTables removes the events whose occurrences the tables contain.
func (x *exporting) withoutTables(dates map[int64]int64) error {
	for ids := range slices.Chunk(slices.Collect(maps.Keys(dates)), exportPage) {
		sets, err := x.parts.Events.Service.Content.Store.Events.Sets(x.ctx, ids)
		if err != nil {
			return err
		}
		for id := range sets {
			delete(dates, id)
		}
	}
	return nil
}

// severalDates is the reason for rejecting a record.
const severalDates = "it is a recurring event, or one of its dates, which cannot be imported"

// several reports whether a record belongs to a recurring event whose occurrences its values do not contain.
func (rec *Record) several() bool {
	return rec.dates || slices.ContainsFunc(rec.Rows[schema.MetaRecurrence], schema.Recurs)
}

// several reports whether an item of another calendar is a recurring event or one of its occurrences: its members state
// that, or its address is that of an occurrence.
func (i restItem) several() bool {
	list, _ := i.members["dates"].([]any)
	total, _ := i.members["dates_total"].(json.Number)
	if n, err := total.Int64(); len(list) > 1 || err == nil && n > 1 || !isEmptyValue(i.members["recurrence"]) {
		return true
	}
	u, err := url.Parse(html.UnescapeString(i.stringMember("url")))
	if err != nil {
		return false
	}
	day := cmp.Or(u.Query().Get("eventDate"), path.Base(u.Path))
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return false
	}
	slug, err := url.PathUnescape(i.stringMember("slug"))
	return u.Query().Has("eventDate") || err == nil && path.Base(path.Dir(path.Clean(u.Path))) == slug
}
