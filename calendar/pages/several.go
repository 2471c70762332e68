package pages

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"sort"
	"strconv"
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
	end  time.Time
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

// event reads the event of a route, or the first of its dates that is on the day of the route, and the event whose dates these are.
func (c *client) event(ctx context.Context, v *version, to route, query url.Values) (e, whole *calendar.Event, err error) {
	whole, err = c.events.BySlug(c.of(ctx, v), to.slug, query)
	if err != nil || to.day == "" {
		return whole, whole, err
	}
	dates, err := c.dates(ctx, v, *whole, func(d calendar.EventDate) bool {
		end, ok := wall(d.End)
		return ok && end.Format(time.DateOnly) < to.day
	})
	for _, d := range dates {
		if start, ok := wall(d.Start); ok && d.ID != 0 && start.Format(time.DateOnly) == to.day {
			e, err = c.events.Get(c.of(ctx, v), d.ID, query)
			return e, whole, err
		}
	}
	return whole, whole, err
}

// dates returns the dates of an event with several that are not over, in their order: all of them, or at least as many as a page lists.
// The event itself has its first dates, which may be over.
func (c *client) dates(
	ctx context.Context, v *version, e calendar.Event, over func(calendar.EventDate) bool,
) ([]calendar.EventDate, error) {
	list := slices.DeleteFunc(slices.Clone(e.Dates), over)
	if len(list) >= nextShown || len(e.Dates) == 0 || e.Dates[0].ID == 0 || int64(len(e.Dates)) == e.DatesTotal {
		return list, nil
	}
	var failed error
	pages := int(e.DatesTotal+askedAtOnce-1) / askedAtOnce
	read := func(page int) (dates []calendar.EventDate) {
		list, err := eventsOf(ctx, v, c.list, url.Values{"include": {decimal(e.ID)}, "orderby": {"event_date"}, "order": {"asc"},
			"per_page": {strconv.Itoa(askedAtOnce)}, "page": {strconv.Itoa(page)}})
		failed = cmp.Or(failed, err)
		for _, one := range list.Events {
			dates = append(dates, calendar.EventDate{ID: one.ID, Start: one.Start, End: one.End})
		}
		return dates
	}
	first := 1 + sort.Search(pages-1, func(i int) bool {
		dates := read(1 + i)
		return len(dates) == 0 || !over(dates[len(dates)-1])
	})
	list = slices.DeleteFunc(read(first), over)
	if len(list) < nextShown && first < pages {
		list = append(list, slices.DeleteFunc(read(first+1), over)...)
	}
	return list, failed
}

// nextDates returns the dates of an event with several that have not ended. e is the event, or the date of it that the page shows.
func (c *client) nextDates(
	ctx context.Context, v *version, now time.Time, to route, e, whole calendar.Event,
) (list []dateLink, err error) {
	dates, err := c.dates(ctx, v, whole, func(d calendar.EventDate) bool { return d.End.Before(now) })
	for _, d := range dates[:min(len(dates), nextShown)] {
		one := e
		one.Start, one.End = d.Start, d.End
		link := dateLink{When: v.moment(one), end: d.End}
		if start, ok := wall(d.Start); ok && d.ID != 0 && !(to.day != "" && d.Start.Equal(e.Start)) {
			link.Link = v.link(route{kind: oneEvent, slug: to.slug, day: start.Format(time.DateOnly)})
		}
		list = append(list, link)
	}
	return list, err
}

// rule says the rule that the dates of an event follow from, or that there are several and when the next one is; "" for an event with one.
func (v *version) rule(e calendar.Event, next []dateLink) string {
	switch {
	case e.Recurrence != nil && e.Recurrence.Text != "":
		return capital(e.Recurrence.Text)
	case e.DatesTotal < 2:
		return ""
	case len(next) > 0:
		return v.fill("dates.several.next", next[0].When.Days)
	}
	return v.texts.word("dates.several")
}
