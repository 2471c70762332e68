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

// nextShown is the number of upcoming occurrences on the page of an event.
const nextShown = 10

// dateLink is an occurrence of a recurring event. Link is "" for the occurrence that the page shows, and if occurrences
// have no pages of their own.
type dateLink struct {
	When moment
	Link string
	end  time.Time
}

// routeOf returns the page of an event. If the event's address contains the day, it is the page of that occurrence.
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

// isSame reports whether two items are the same event or the same occurrence. An occurrence that was read alone has
// another id than in lists.
func isSame(a, b calendar.Event) bool {
	return a.ID == b.ID || a.Slug == b.Slug && a.Start.Equal(b.Start) && a.End.Equal(b.End)
}

// event reads the event of a route, or its first occurrence on the day of the route. It also returns the event to which
// the occurrence belongs.
func (c *client) event(ctx context.Context, v *version, to route, query url.Values) (e, whole *calendar.Event, err error) {
	whole, err = c.events.BySlug(c.readingContext(ctx, v), to.slug, query)
	if err != nil || to.day == "" {
		return whole, whole, err
	}
	dates, err := c.dates(ctx, v, *whole, func(d calendar.EventDate) bool {
		end, ok := wall(d.End)
		return ok && end.Format(time.DateOnly) < to.day
	})
	for _, d := range dates {
		if start, ok := wall(d.Start); ok && d.ID != 0 && start.Format(time.DateOnly) == to.day {
			e, err = c.events.Get(c.readingContext(ctx, v), d.ID, query)
			return e, whole, err
		}
	}
	return whole, whole, err
}

// dates returns the occurrences of a recurring event that are not over, in order: all of them, or at least nextShown. e
// itself contains only the first occurrences, which may be over.
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

// nextDates returns the next occurrences of a recurring event that have not ended. e is the event or the occurrence
// that the page shows, whole the event.
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

// rule describes the recurrence of an event: by its rule, or by saying that there are several dates and when the next
// one is. It returns "" for an event that is not recurring.
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
