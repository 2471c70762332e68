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

// complete reports whether the text of a set says all that a component has to. A rule needs a form that others read as it is meant,
// and a zone whose name they know: in UTC it would have the days of UTC.
func complete(set store.Set, zone *time.Location) bool {
	s := rset.Parse(set.Text)
	if s.Rule() == "" {
		return len(s.Dates()) > 0 && len(s.Unknown()) == 0 && !s.Ruled()
	}
	start, _ := s.Start()
	_, offset := start.In(zone).Zone()
	_, portable := recurrence.Portable(s.Rule(), start)
	return Ruled(s) && portable && (strtotime.Named(zone) || offset == 0)
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
	e.zone, _ = event.Zone(e.Item)
	in := course{zone: e.zone}
	in.last, _ = strtotime.ParseWall(dates.Last, time.UTC)
	if wholeDays(e.Item) {
		in.zone = nil
	}
	made := dates.series(in)
	if made == nil {
		return
	}
	e.own.Start, e.own.End, _ = walls(e.Meta)
	e.stored = e.period
	e.uid = uidOf(e.Post.ID, made.Start, made.End)
	e.period = e.periodOf(made.Period)
	if e.series = made; made.rule == "" {
		e.series = nil
	}
	if !in.last.IsZero() {
		e.last = recurrence.Instant(in.last, e.zone)
	}
}

// series returns the series of the dates, nil without any.
func (d *stored) series(in course) *series {
	set := rset.Parse(d.Text)
	switch start, _ := set.Start(); {
	case len(d.dates) > 0:
		return explicitSeries(d.dates)
	case set.Rule() != "":
		end, _ := set.End()
		made, _ := ruledSeries(rset.Period{Start: start, End: end}, set.Rule(), set.Dates(), set.Excluded(), in)
		return made
	case len(set.Dates()) > 0:
		return explicitSeries(set.Dates())
	}
	return nil
}

// periodOf returns a date of the event's clock as an entry has it.
func (e *entry) periodOf(p rset.Period) period {
	switch {
	case wholeDays(e.Item):
		return days(p.Start, p.End).written()
	case p.Start.Equal(e.own.Start) && p.End.Equal(e.own.End):
		return e.stored
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
		one.series, one.of, one.period = nil, &c, e.periodOf(c.Period)
		list = append(list, &one)
	}
	return list
}

// writeSeries writes what the dates of a series follow from.
func (e *entry) writeSeries(w *ical.Writer) {
	if e.series == nil {
		return
	}
	rule := e.series.rule
	if !e.allDay {
		rule = recurrence.Stretched(rule, e.series.Start, e.zone)
	}
	w.Value("RRULE", recurrence.Text(rule, recurrence.In(e.zone), e.allDay, e.series.fewer))
	for _, at := range e.series.added {
		e.writeWall(w, "RDATE", at)
	}
	for _, c := range e.series.changed {
		if !c.between.IsZero() {
			w.UTC("RDATE", c.between)
		}
	}
	for _, at := range e.series.left {
		e.writeWall(w, "EXDATE", at)
		if !e.allDay && twice(at, e.zone) { // where some readers see the second time, and node-ical the first
			w.UTC("EXDATE", recurrence.Instant(at, e.zone))
		}
	}
}

// writeWall writes a time of the event's clock that names a date of its series, as readers work it out from the rule: also one that
// the clock leaves out.
func (e *entry) writeWall(w *ical.Writer, name string, at time.Time) {
	switch {
	case e.allDay:
		w.Date(name, at)
	case strtotime.Named(e.zone):
		w.Wall(name, at, e.zone)
	default:
		w.UTC(name, recurrence.Instant(at, e.zone))
	}
}

// address returns the address of the event's page, or of that of its date.
func (e *entry) address() string {
	if e.of == nil {
		return e.Link()
	}
	p := e.Post
	return e.Of(e.Ctx, p).Date(p.Type, p.ID, p.Name, p.Status, e.start.Format(time.DateOnly))
}
