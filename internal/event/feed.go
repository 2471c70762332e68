package event

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// Calendar is events as an iCalendar object: what calendars subscribe to, and what
// people add to theirs.
var Calendar = &rest.Format{
	Name: "ics", Media: "text/calendar", About: "doc_calendar",
	Example: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example - Agenda//NONSGML v1.0//EN\r\nBEGIN:VEVENT\r\n" +
		"DTSTART:20310501T080000Z\r\nDTEND:20310501T103000Z\r\nDTSTAMP:20310401T090000Z\r\n" +
		"UID:123-1935396000-1935405000@example.org\r\nSUMMARY:Summer concert\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
}

// maxFeed is how many events a feed has at most.
const maxFeed = 1000

// refresh is how often calendars shall ask for a feed again, as the site's own feed
// says it.
const refresh = "PT1H"

// list answers a list: a page of it, or a feed.
func (k *Kind) list(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	if r.Format == Calendar {
		return k.feed(ctx, r)
	}
	return k.posts.List(ctx, r)
}

// feed answers a list as one calendar, which no page cuts.
func (k *Kind) feed(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	if part := partOf(ctx); part != nil {
		return k.writePart(ctx, r, part)
	}
	page := &rest.Page{Number: 1, Size: maxFeed}
	items, modified, err := k.posts.Read(ctx, r, page)
	if err != nil {
		return nil, err
	}
	page.Size = max(page.Size, page.Total) // there is no second page
	resp := page.Response()
	resp.Header = append(resp.Header, attachment(k.Collection))
	if modified {
		k.writeCalendar(ctx, r, items, true)
	}
	return resp, nil
}

// download is the answer with one event as a file for a calendar.
func download(p *store.Post) *rest.Response {
	return &rest.Response{Header: []rest.Header{attachment(cmp.Or(fileName(p.Name), "event-"+itoa(p.ID)))}}
}

// attachment names the file of an answer.
func attachment(name string) rest.Header {
	return rest.Header{Name: "Content-Disposition", Value: `attachment; filename="` + name + `.ics"`}
}

// fileName returns a slug that is a safe name on every system, "" for another one.
func fileName(slug string) string {
	safe := func(c rune) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' }
	if len(slug) > 100 || strings.TrimLeftFunc(slug, safe) != "" {
		return ""
	}
	return slug
}

// writeCalendar writes events as an iCalendar object, as the site's own feed has them.
// Those without a date cannot be in it.
func (k *Kind) writeCalendar(ctx context.Context, r *rest.Request, items []*resource.Item, feed bool) {
	s, w := site.From(ctx), &ical.Writer{}
	host := s.Host()
	name := cmp.Or(wp.PlainText(s.Name), host)
	beginCalendar(w, name)
	if feed { // of one event, programs would make a calendar of its own
		w.Text("X-WR-CALNAME", name)
		w.Value("REFRESH-INTERVAL", refresh, ical.Param{Name: "VALUE", Value: "DURATION"})
		w.Value("X-PUBLISHED-TTL", refresh)
	}
	entries := entriesOf(items)
	writeZones(w, entries)
	for _, e := range entries {
		k.writeEntry(w, e, host)
		r.Out.Piece(w.Bytes())
		if w.Reset(); r.Out.Full() {
			return
		}
	}
	w.End("VCALENDAR")
	r.Out.Piece(w.Bytes())
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
		for _, t := range []time.Time{e.start, e.end} {
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
func (k *Kind) writeEntry(w *ical.Writer, e *entry, host string) {
	p := e.Post
	w.Begin("VEVENT")
	e.write(w, "DTSTART", e.start)
	e.write(w, "DTEND", e.end)
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
	w.Value("URL", e.Address(p))
	if !e.Masked {
		k.writeLinked(w, e.Item)
	}
	w.End("VEVENT")
}

// writeLinked writes what belongs to an event and a password hides.
func (k *Kind) writeLinked(w *ical.Writer, it *resource.Item) {
	if venue := k.first(it, k.Venues); venue != nil {
		w.Text("LOCATION", strings.Join(place.Location(venue), ", "))
		if lat, lng, ok := place.Coordinates(venue); ok && !venue.Masked {
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
			if partOf(it.Ctx) != nil {
				address = encoded(image.Source())
			}
			w.Value("ATTACH", address, ical.Param{Name: "FMTTYPE", Value: media})
		}
	}
	if organizer := k.first(it, k.Organizers); organizer != nil {
		if name, email := place.Contact(organizer); email != "" {
			w.Value("ORGANIZER", "MAILTO:"+email, ical.Param{Name: "CN", Value: name, Text: true})
		}
	}
	switch it.Meta.Text(schema.MetaEventStatus) {
	case statusCanceled:
		w.Value("STATUS", "CANCELLED")
	case statusPostponed:
		w.Value("STATUS", "TENTATIVE")
	}
}

// first returns the first item that an event links of a kind and the caller may read,
// nil if there is none.
func (k *Kind) first(it *resource.Item, kind *place.Kind) *resource.Item {
	if linked := it.Linked[slices.Index(k.Linked, kind)]; len(linked) > 0 {
		return linked[0]
	}
	return nil
}

func degreesText(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// rowTime returns a moment of a post's row in UTC, from the local time where the other is
// not set, as in drafts; 1970 without both.
func rowTime(it *resource.Item, utc, local string) time.Time {
	if t, ok := strtotime.ParseWall(utc, time.UTC); ok {
		return t
	}
	if t, ok := strtotime.ParseWall(local, it.Settings.Location); ok {
		return t
	}
	return time.Unix(0, 0)
}
