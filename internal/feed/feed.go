// Package feed writes events as iCalendar objects: feeds that calendar programs subscribe to, single events, and
// exports.
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

// refresh is how often calendar programs should poll a feed. It is the interval of The Events Calendar's feed.
const refresh = "PT1H"

// List describes a list of events that calendar programs subscribe to.
type List struct {
	Filters []string // names of what the list is filtered by, such as a category
}

// name returns the name of the calendar: the name of the site, and the names of the filters.
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

// Write writes events as an iCalendar object, as in the feed of The Events Calendar: for a subscription if list is not
// nil, and else for the import of one event. Events without a date are left out. several contains the occurrences of
// recurring events. piece is called with the parts of the object, and returns false to stop.
func Write(ctx context.Context, k *event.UseCases, items []*item.Item, several Several, list *List, piece func([]byte) bool) {
	s, w := site.From(ctx), &ical.Writer{}
	host := s.Host()
	name := cmp.Or(wp.PlainText(s.Name), host)
	beginCalendar(w, name)
	if list != nil { // for a single event, programs would create a separate calendar with this name
		w.Text("X-WR-CALNAME", list.name(name))
		w.Value("REFRESH-INTERVAL", refresh, ical.Param{Name: "VALUE", Value: "DURATION"})
		w.Value("X-PUBLISHED-TTL", refresh)
	}
	entries, spans := entriesOf(items, several), zoneSpans{}
	spans.addEntries(entries)
	spans.writeAll(w, len(entries) == 0)
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

// beginCalendar writes the beginning of an iCalendar object.
func beginCalendar(w *ical.Writer, publisher string) {
	w.Begin("VCALENDAR")
	w.Value("VERSION", "2.0")
	w.Text("PRODID", "-//"+publisher+" - Agenda//NONSGML v1.0//EN")
	w.Value("CALSCALE", "GREGORIAN")
	w.Value("METHOD", "PUBLISH")
}

// zoneSpans maps the names of zones to the period for which they are needed.
type zoneSpans map[string]*period

func (spans zoneSpans) addEntries(entries []*entry) {
	for _, e := range entries {
		if e.series != nil {
			spans.addEntries(e.components()[1:])
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

// writeAll writes the zones. An object must have at least one component, so an empty one gets a zone.
func (spans zoneSpans) writeAll(w *ical.Writer, empty bool) {
	if empty {
		w.Zone(time.UTC, time.Unix(0, 0), time.Unix(0, 0))
	}
	for _, name := range slices.Sorted(maps.Keys(spans)) {
		w.Zone(spans[name].start.Location(), spans[name].start, spans[name].end)
	}
}

// separators separate words that would be joined without the markup: a paragraph ends with a space, as in the feed of The
// Events Calendar, and a line with a line break.
var separators = strings.NewReplacer("</p>", "</p> ", "<br />\n", "\n", "<br>\n", "\n", "<br />", "\n", "<br>", "\n", "<br/>", "\n")

// writeEntry writes an event. If a password hides it, only its name, dates and URL are written, as in JSON.
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
	e.writeBound(w, "DTSTART", e.start)
	e.writeBound(w, "DTEND", e.end)
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
		if text := wp.PlainText(separators.Replace(e.Content(p))); text != "" {
			w.Text("DESCRIPTION", text)
		}
	}
	w.Value("URL", e.address())
	if !e.Masked {
		writeLinked(k, w, e)
	}
	w.End("VEVENT")
}

// writeLinked writes the parts of an event that a password hides.
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
	if image, ok := it.Images.Featured(it.Meta); ok {
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

// first returns the first post of a resource that an event links and the caller may read, or nil.
func first(k *event.UseCases, it *item.Item, kind *linked.UseCases) *item.Item {
	if linked := it.Linked[slices.Index(k.Linked, kind)]; len(linked) > 0 {
		return linked[0]
	}
	return nil
}

func degreesText(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// rowTime returns a time of a post's row in UTC. If the UTC column is not set, as in drafts, it is computed from the
// local time. Without both, it is the Unix epoch.
func rowTime(it *item.Item, utc, local string) time.Time {
	if t, ok := strtotime.ParseWall(utc, time.UTC); ok {
		return t
	}
	if t, ok := strtotime.ParseWall(local, it.Settings.Location); ok {
		return t
	}
	return time.Unix(0, 0)
}
