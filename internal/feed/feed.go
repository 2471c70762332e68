// Package feed writes events as iCalendar objects: feeds that calendars subscribe to, single
// events, and exports.
package feed

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// refresh is how often calendars shall ask for a feed again, as the site's own feed
// says it.
const refresh = "PT1H"

// List is what is said of a list of events that calendars subscribe to.
type List struct {
	Filters []string // names of what it is limited to, such as a category
}

// name returns the name of the calendar: that of the site, and of what the list is limited to.
func (l *List) name(site string) string {
	const most = 10
	switch {
	case len(l.Filters) == 0:
		return site
	case len(l.Filters) > most:
		return site + " – " + strings.Join(l.Filters[:most], ", ") + ", …"
	}
	return site + " – " + strings.Join(l.Filters, ", ")
}

// Write writes events as an iCalendar object, as the site's own feed has them: a list that
// calendars subscribe to, or, without one, one event. Those without a date cannot be in it.
// several are the dates of those that have several. piece takes the parts of the object, and
// reports whether it takes more.
func Write(ctx context.Context, k *event.UseCases, items []*item.Item, several Several, list *List, piece func([]byte) bool) {
	s, w := site.From(ctx), &ical.Writer{}
	host := s.Host()
	name := cmp.Or(wp.PlainText(s.Name), host)
	beginCalendar(w, name)
	if list != nil { // of one event, programs would make a calendar of its own
		w.Text("X-WR-CALNAME", list.name(name))
		w.Value("REFRESH-INTERVAL", refresh, ical.Param{Name: "VALUE", Value: "DURATION"})
		w.Value("X-PUBLISHED-TTL", refresh)
	}
	entries := entriesOf(items, several)
	writeZones(w, entries)
	for _, e := range entries {
		for _, one := range e.components() {
			writeEntry(k, w, one, host)
			if !piece(w.Bytes()) {
				return
			}
			w.Reset()
		}
	}
	w.End("VCALENDAR")
	piece(w.Bytes())
}

// beginCalendar writes the beginning of an iCalendar object that someone publishes.
func beginCalendar(w *ical.Writer, publisher string) {
	w.Begin("VCALENDAR")
	w.Value("VERSION", "2.0")
	w.Text("PRODID", "-//"+publisher+" - Agenda//NONSGML v1.0//EN")
	w.Value("CALSCALE", "GREGORIAN")
	w.Value("METHOD", "PUBLISH")
}

// writeZones writes the zones that events refer to. An object has to have something in
// it, so one without events has a zone.
func writeZones(w *ical.Writer, entries []*entry) {
	if len(entries) == 0 {
		w.Zone(time.UTC, time.Unix(0, 0), time.Unix(0, 0))
	}
	spans := zoneSpans{}
	spans.add(entries)
	spans.write(w)
}

// zoneSpans are the times for which zones are needed, by name.
type zoneSpans map[string]*period

func (spans zoneSpans) add(entries []*entry) {
	for _, e := range entries {
		if e.series != nil {
			spans.add(e.components()[1:])
		}
		for _, t := range []time.Time{e.start, e.end, e.last} {
			if e.allDay || t.IsZero() || !strtotime.Named(t.Location()) {
				continue
			}
			span := spans[t.Location().String()]
			if span == nil {
				span = &period{start: t, end: t}
				spans[t.Location().String()] = span
			}
			if t.Before(span.start) {
				span.start = t
			}
			if t.After(span.end) {
				span.end = t
			}
		}
	}
}

func (spans zoneSpans) write(w *ical.Writer) {
	for _, name := range slices.Sorted(maps.Keys(spans)) {
		w.Zone(spans[name].start.Location(), spans[name].start, spans[name].end)
	}
}

// writeEntry writes an event. Where its password hides it, it has its name, dates and
// address only, as in JSON.
func writeEntry(k *event.UseCases, w *ical.Writer, e *entry, host string) {
	p := e.Post
	w.Begin("VEVENT")
	switch {
	case e.of == nil:
	case !e.of.between.IsZero():
		w.UTC("RECURRENCE-ID", e.of.between)
	default:
		e.writeWall(w, "RECURRENCE-ID", e.of.of)
	}
	e.write(w, "DTSTART", e.start)
	e.write(w, "DTEND", e.end)
	e.writeSeries(w)
	modified := rowTime(e.Item, p.ModifiedUTC, p.Modified)
	w.UTC("DTSTAMP", modified)
	if created := rowTime(e.Item, p.DateUTC, p.Date); created.Unix() != 0 {
		w.UTC("CREATED", created)
	}
	w.UTC("LAST-MODIFIED", modified)
	w.Text("UID", cmp.Or(e.imported, e.uid+"@"+host))
	w.Text("SUMMARY", wp.PlainText(p.Title))
	if !e.Masked {
		// A paragraph ends with a space, as in the site's own feed.
		if text := wp.PlainText(strings.ReplaceAll(e.Content(p), "</p>", "</p> ")); text != "" {
			w.Text("DESCRIPTION", text)
		}
	}
	w.Value("URL", e.address())
	if !e.Masked {
		writeLinked(k, w, e)
	}
	w.End("VEVENT")
}

// writeLinked writes what belongs to an event and a password hides.
func writeLinked(k *event.UseCases, w *ical.Writer, e *entry) {
	it := e.Item
	if venue := first(k, it, k.Venues); venue != nil {
		w.Text("LOCATION", strings.Join(linked.Location(venue), ", "))
		if lat, lng, ok := linked.Coordinates(venue); ok && !venue.Masked {
			w.Value("GEO", degreesText(lat)+";"+degreesText(lng))
		}
	}
	var categories []string
	for _, t := range it.Terms {
		if t.Taxonomy == k.Categories.Taxonomy {
			categories = append(categories, wp.PlainText(t.Name))
		}
	}
	if categories != nil {
		w.Texts("CATEGORIES", categories)
	}
	if image, ok := it.Images.Of(it.Meta); ok {
		if address, media := image.File(); address != "" && media != "" {
			if e.exported {
				address = encoded(image.Source())
			}
			w.Value("ATTACH", address, ical.Param{Name: "FMTTYPE", Value: media})
		}
	}
	if organizer := first(k, it, k.Organizers); organizer != nil {
		if name, email := linked.Contact(organizer); email != "" {
			w.Value("ORGANIZER", "MAILTO:"+email, ical.Param{Name: "CN", Value: name, Text: true})
		}
	}
	switch it.Meta.Text(schema.MetaEventStatus) {
	case event.StatusCanceled:
		w.Value("STATUS", "CANCELLED")
	case event.StatusPostponed:
		w.Value("STATUS", "TENTATIVE")
	}
}

// first returns the first item that an event links of a kind and the caller may read,
// nil if there is none.
func first(k *event.UseCases, it *item.Item, kind *linked.UseCases) *item.Item {
	if linked := it.Linked[slices.Index(k.Linked, kind)]; len(linked) > 0 {
		return linked[0]
	}
	return nil
}

func degreesText(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// rowTime returns a moment of a post's row in UTC, from the local time where the other is
// not set, as in drafts; 1970 without both.
func rowTime(it *item.Item, utc, local string) time.Time {
	if t, ok := strtotime.ParseWall(utc, time.UTC); ok {
		return t
	}
	if t, ok := strtotime.ParseWall(local, it.Settings.Location); ok {
		return t
	}
	return time.Unix(0, 0)
}
