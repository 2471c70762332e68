package api

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/feed"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Calendar is the format of events as an iCalendar object, which calendar programs subscribe to or import.
var Calendar = &rest.Format{
	Name: "ics", Media: "text/calendar", About: "doc_calendar",
	Example: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example - Agenda//NONSGML v1.0//EN\r\nBEGIN:VEVENT\r\n" +
		"DTSTART:20310501T080000Z\r\nDTEND:20310501T103000Z\r\nDTSTAMP:20310401T090000Z\r\n" +
		"UID:123-1935396000-1935405000@example.org\r\nSUMMARY:Summer concert\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
}

// maxFeed is the maximum number of events in a feed.
const maxFeed = 1000

// datesOf chooses how a feed represents a recurring event on a site that Agenda manages itself: as one event with a
// recurrence rule or a list of dates or, for datesEach, as one event per occurrence.
const datesOf param.Key[string] = "dates"

const datesEach = "each"

func datesParam() *param.Param {
	takes := jsonschema.Words(datesEach).As("CalendarDates").OrText(0, param.MaxSearch)
	return datesOf.Param(takes, param.Checked(param.StringOrEmpty), param.Doc("param_events_dates"), param.Untyped(), param.Unlisted())
}

// wholeIn reports whether the response to a request contains each recurring event once.
func wholeIn(ctx context.Context, r *rest.Request) bool {
	return feed.Whole(ctx) && datesOf.Value(r.Values) != datesEach
}

// feed answers a request for a list as one calendar, without pages.
func (e *events) feed(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	r.Whole = wholeIn(ctx, r)
	l, err := e.cases.List(ctx, &r.Call, 1, maxFeed)
	if err != nil {
		return nil, err
	}
	items, err := l.Items(ctx)
	if err != nil {
		return nil, err
	}
	var several feed.Several
	if r.Whole {
		if several, err = feed.SeveralOf(ctx, e.kind, items); err != nil {
			return nil, err
		}
	}
	filters, err := e.kind.FilterNames(ctx, r.Values)
	if err != nil {
		return nil, err
	}
	page := &rest.Page{Page: *l.Page}
	page.Size = max(page.Size, page.Total) // there is no second page
	resp := page.Response()
	resp.Header = append(resp.Header, attachment(e.kind.Collection))
	state := several.Fingerprint(l.Fingerprint())
	if state != "" {
		state += fmt.Sprintf("%q", filters)
	}
	if !r.NotModified(state) {
		item.WriteList(ctx, r.Out, items, func() { e.writeCalendar(ctx, r, items, several, &feed.List{Filters: filters}) })
	}
	return resp, nil
}

// download answers a request for one event or occurrence as a file that calendar programs import.
func (e *events) download(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	s, err := e.kind.Get(ctx, &r.Call)
	if err != nil {
		return nil, err
	}
	items := []*item.Item{s.Item}
	several, err := feed.SeveralOf(ctx, e.kind, items)
	if err != nil {
		return nil, err
	}
	if len(several) > 0 && !wholeIn(ctx, r) {
		if items, err = e.kind.EachDate(ctx, s.Item, maxFeed); err != nil {
			return nil, err
		}
	}
	if r.Revision = s.Revision; !r.NotModified(several.Fingerprint(s.Fingerprint)) {
		e.writeCalendar(ctx, r, items, several, nil)
	}
	return &rest.Response{Header: []rest.Header{attachment(fileOf(s.Post))}}, nil
}

// fileOf returns the name of an event's file, without an extension.
func fileOf(p *store.Post) string {
	return cmp.Or(fileName(p.Name), "event-"+strconv.FormatInt(p.ID, 10))
}

// attachment returns the header that names the file of a response.
func attachment(name string) rest.Header {
	return rest.Header{Name: "Content-Disposition", Value: `attachment; filename="` + name + `.ics"`}
}

// fileName returns the slug if it is a safe file name on every system, and "" otherwise.
func fileName(slug string) string {
	safe := func(c rune) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' }
	if len(slug) > 100 || strings.TrimLeftFunc(slug, safe) != "" {
		return ""
	}
	return slug
}

func (e *events) writeCalendar(ctx context.Context, r *rest.Request, items []*item.Item, several feed.Several, list *feed.List) {
	feed.Write(ctx, e.kind, items, several, list, func(piece []byte) bool {
		r.Out.Piece(piece)
		return !r.Out.Full()
	})
}
