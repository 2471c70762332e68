package feed

import (
	"context"
	"fmt"
	"maps"
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

// Several contains the occurrences of recurring events, by post id.
type Several map[int64]*stored

// stored contains the stored occurrences of an event.
type stored struct {
	store.Set
	dates []rset.Period // set if the stored set does not describe the occurrences completely
}

// Whole reports whether a recurring event is one component with its rule. That is the case on sites that Agenda manages
// itself; on others, lists and feeds have the items and UIDs of The Events Calendar's feed.
func Whole(ctx context.Context) bool { return site.From(ctx).DateForm == schema.DatesOwn }

// SeveralOf reads the occurrences of those recurring events among items that are not listed per occurrence. It returns
// nil if Whole is false.
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

// complete reports whether a set contains everything that the component needs. If it has a rule, the rule must be one
// that other programs interpret in the same way, and they must know the zone by name: after a conversion to UTC, the
// rule's days of the week could be wrong.
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

// Ruled reports whether the occurrences of a set are given by an iCalendar rule, explicit dates, and excluded dates
// only.
func Ruled(s *rset.Set) bool {
	if s.Rule() == "" || len(s.Unknown()) > 0 || s.Excepts() {
		return false
	}
	start, _ := s.Start()
	_, err := recurrence.Parse(s.Rule(), start)
	_, ended := s.End()
	return err == nil && ended
}

// Fingerprint returns a string of what a response depends on, given that of its items. It is "" if items is.
func (s Several) Fingerprint(items string) string {
	if len(s) == 0 || items == "" {
		return items
	}
	for _, id := range slices.Sorted(maps.Keys(s)) {
		items += fmt.Sprintf("%v", *s[id])
	}
	return items
}

// setSeries sets the series of an entry if its event is recurring.
func (s Several) setSeries(e *entry) {
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

// series returns the series of the occurrences, or nil if there are none.
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

// periodOf converts an occurrence in local time to the period of an entry.
func (e *entry) periodOf(p rset.Period) period {
	switch {
	case wholeDays(e.Item):
		return days(p.Start, p.End).written()
	case p.Start.Equal(e.own.Start) && p.End.Equal(e.own.End):
		return e.stored
	}
	return period{start: recurrence.Instant(p.Start, e.zone), end: recurrence.Instant(p.End, e.zone)}.written()
}

// components returns the entry, followed by the components for occurrences that have their own.
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

// writeSeries writes the rule, the additional dates and the excluded dates of a series.
func (e *entry) writeSeries(w *ical.Writer) {
	if e.series == nil {
		return
	}
	rule := e.series.rule
	if !e.allDay {
		rule = recurrence.Stretched(rule, e.series.Start, e.zone)
	}
	w.Value("RRULE", recurrence.Text(rule, recurrence.ClockIn(e.zone), e.allDay, e.series.fewer))
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
		if !e.allDay && twice(at, e.zone) { // some programs take the second of both times, and node-ical the first
			w.UTC("EXDATE", recurrence.Instant(at, e.zone))
		}
	}
}

// writeWall writes the local time that identifies a date of the series, as programs compute it from the rule. It may be
// a time that does not exist because of a change of clocks.
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

// address returns the URL of the event's page, or of that of its occurrence.
func (e *entry) address() string {
	if e.of == nil {
		return e.Link()
	}
	p := e.Post
	return e.LinkerFor(e.Ctx, p).Date(p.Type, p.ID, p.Name, p.Status, e.start.Format(time.DateOnly))
}
