package pages

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// nextShown is how many of the next dates of an event its page lists.
const nextShown = 10

// dateLink is one of the dates of an event with several; Link is empty for the one that the page shows, and where dates have
// no pages of their own.
type dateLink struct {
	When moment
	Link string
}

// routeOf returns the page of an event or, where the address in the interface has the day, of that date of it.
func routeOf(e calendar.Event) route {
	r := route{kind: oneEvent, slug: e.Slug}
	if start, ok := wall(e.Start); ok {
		day := start.Format(time.DateOnly)
		if strings.HasSuffix(strings.TrimSuffix(e.URL, "/"), "/"+day) || strings.HasSuffix(e.URL, "eventDate="+day) {
			r.day = day
		}
	}
	return r
}

// isSame reports whether two items are the same event, or the same of its dates: alone it has another id than in lists.
func isSame(a, b calendar.Event) bool {
	return a.ID == b.ID || a.Slug == b.Slug && a.Start.Equal(b.Start) && a.End.Equal(b.End)
}

// event reads the event of a route, or the first of its dates that is on the day of the route.
func (s *Site) event(ctx context.Context, v *version, to route, query url.Values) (*calendar.Event, error) {
	ctx = s.client.of(ctx, v)
	e, err := s.client.events.BySlug(ctx, to.slug, query)
	if err != nil || to.day == "" {
		return e, err
	}
	for _, d := range e.Dates {
		if start, ok := wall(d.Start); ok && d.ID != 0 && start.Format(time.DateOnly) == to.day {
			return s.client.events.Get(ctx, d.ID, query)
		}
	}
	return e, nil
}

// nextDates returns the dates of an event with several that have not ended.
func (s *Site) nextDates(v *version, to route, e calendar.Event) (list []dateLink) {
	now := s.opts.Now()
	for _, d := range e.Dates {
		if d.End.Before(now) || len(list) == nextShown {
			continue
		}
		one := e
		one.Start, one.End = d.Start, d.End
		link := dateLink{When: v.moment(one)}
		if start, ok := wall(d.Start); ok && d.ID != 0 && !(to.day != "" && d.Start.Equal(e.Start)) {
			link.Link = v.link(route{kind: oneEvent, slug: to.slug, day: start.Format(time.DateOnly)})
		}
		list = append(list, link)
	}
	return list
}
