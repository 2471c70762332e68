package feed

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// Several are the dates of events that have several, by the ids of their posts.
type Several map[int64]*stored

// stored are the dates of an event as they are stored.
type stored struct {
	store.Set
	dates []rset.Period // where the text of the set is not enough
}

// Whole reports whether an event with several dates is one component with its rule: on a site of our own. On any other,
// lists and feeds have the items and UIDs of the site's own feed.
func Whole(ctx context.Context) bool { return site.From(ctx).DateForm == schema.DatesOwn }

// SeveralOf reads the dates of those of some events that have several and are not listed by date, nil where Whole is false.
func SeveralOf(ctx context.Context, k *event.UseCases, items []*item.Item) (Several, error) {
	if !Whole(ctx) {
		return nil, nil
	}
	var ids []int64
	zones := map[int64]*time.Location{}
	for _, it := range items {
		if it.Date != nil {
			continue
		}
		ids = append(ids, it.Post.ID)
		if zone, known := event.Zone(it); known {
			zones[it.Post.ID] = zone
		}
	}
	sets, err := k.Service.Content.Store.Events.Sets(ctx, ids)
	if err != nil {
		return nil, err
	}
	several, listed := Several{}, []int64(nil)
	for id, set := range sets {
		several[id] = &stored{Set: set}
		if zone := zones[id]; zone == nil || !complete(set, zone) {
			listed = append(listed, id)
		}
	}
	dates, err := k.Service.Content.Store.Events.AllDates(ctx, listed)
	for id, list := range dates {
		for _, d := range list {
			several[id].dates = append(several[id].dates, periodOf(d.Start, d.End))
		}
	}
	return several, err
}

func periodOf(start, end string) (p rset.Period) {
	p.Start, _ = strtotime.ParseWall(start, time.UTC)
	p.End, _ = strtotime.ParseWall(end, time.UTC)
	return p
}

// complete reports whether the text of a set says all that a component has to. A rule needs a zone whose name other
// programs know: in UTC it would have the days of UTC.
func complete(set store.Set, zone *time.Location) bool {
	s := rset.Parse(set.Text)
	if s.Rule() == "" {
		return len(s.Dates()) > 0 && len(s.Unknown()) == 0 && !s.Ruled()
	}
	start, _ := s.Start()
	_, offset := start.In(zone).Zone()
	return Ruled(s) && (strtotime.Named(zone) || offset == 0)
}

// Ruled reports whether the dates of a set are those of a rule of iCalendar and explicit ones, but for those that are left out.
func Ruled(s *rset.Set) bool {
	if s.Rule() == "" || len(s.Unknown()) > 0 || s.Excepts() {
		return false
	}
	start, _ := s.Start()
	_, err := recurrence.Parse(s.Rule(), start)
	_, ended := s.End()
	return err == nil && ended
}

// Fingerprint returns a text of what an answer depends on, together with that of its items, "" where that is.
func (s Several) Fingerprint(items string) string {
	if len(s) == 0 || items == "" {
		return items
	}
	ids := make([]int64, 0, len(s))
	for id := range s {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		items += fmt.Sprintf("%v", *s[id])
	}
	return items
}

// put gives an entry the series of its event, if it has one.
func (s Several) put(e *entry) {
	dates := s[e.Post.ID]
	if dates == nil || e.Date != nil {
		return
	}
	made := dates.series()
	if made == nil {
		return
	}
	e.zone, _ = event.Zone(e.Item)
	e.uid = uidOf(e.Post.ID, made.Start, made.End)
	e.period = e.periodOf(made.Period)
	if e.series = made; made.rule == "" {
		e.series = nil
	}
	if at, ok := strtotime.ParseWall(dates.Last, time.UTC); ok {
		e.last = recurrence.Instant(at, e.zone)
	}
}

// series returns the series of the dates, nil without any.
func (d *stored) series() *series {
	set := rset.Parse(d.Text)
	switch start, _ := set.Start(); {
	case len(d.dates) > 0:
		return explicitSeries(d.dates)
	case set.Rule() != "":
		end, _ := set.End()
		made, _ := ruledSeries(rset.Period{Start: start, End: end}, set.Rule(), set.Dates(), set.Excluded())
		return made
	case len(set.Dates()) > 0:
		return explicitSeries(set.Dates())
	}
	return nil
}

// periodOf returns a date of the event's clock as an entry has it.
func (e *entry) periodOf(p rset.Period) period {
	if wholeDays(e.Item) {
		return days(p.Start, p.End).written()
	}
	return period{start: recurrence.Instant(p.Start, e.zone), end: recurrence.Instant(p.End, e.zone)}.written()
}

// components returns the entry, and those of the dates of its series that have components of their own.
func (e *entry) components() []*entry {
	list := []*entry{e}
	if e.series == nil {
		return list
	}
	for _, c := range e.series.changed {
		one := *e
		one.series, one.of, one.period = nil, e.periodOf(rset.Period{Start: c.of, End: c.of}), e.periodOf(c.Period)
		list = append(list, &one)
	}
	return list
}

// writeSeries writes what the dates of a series follow from.
func (e *entry) writeSeries(w *ical.Writer) {
	if e.series == nil {
		return
	}
	w.Value("RRULE", recurrence.Text(e.series.rule, recurrence.In(e.zone), e.allDay, e.series.fewer))
	for _, list := range []struct {
		name  string
		dates []time.Time
	}{{"RDATE", e.series.added}, {"EXDATE", e.series.left}} {
		for _, at := range list.dates {
			p := e.periodOf(rset.Period{Start: at, End: at})
			p.write(w, list.name, p.start)
		}
	}
}

// address returns the address of the event's page, or of that of its date.
func (e *entry) address() string {
	if e.of.start.IsZero() {
		return e.Link()
	}
	p := e.Post
	return e.Of(e.Ctx, p).Date(p.Type, p.ID, p.Name, p.Status, e.start.Format(time.DateOnly))
}
