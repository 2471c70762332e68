package pages

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// neighbour is a link to the event before or after the one that a page shows.
type neighbour struct{ Title, Link, Day, State, Lang string }

// tied is how many events are read to find a neighbour in another month. They include the event itself and those with
// the same start.
const tied = 4

// neighbours returns the previous and the next event in the order of lists, each empty if there is none. Usually both
// start in the same month as e, which is read once for all events of that month.
func (c *client) neighbours(ctx context.Context, v *version, e calendar.Event) (previous, next neighbour, err error) {
	start, ok := wall(e.Start)
	if !ok {
		return previous, next, nil
	}
	first := firstOfMonth(start)
	month, err := c.all(ctx, v, c.list, url.Values{
		"start_date": {first.Format(time.DateOnly)}, "starts_before": {first.AddDate(0, 1, -1).Format(time.DateOnly)},
	}, nil)
	if err != nil {
		return previous, next, err
	}
	at := slices.IndexFunc(month.events, func(other calendar.Event) bool { return isSame(other, e) })
	if at > 0 {
		previous = v.neighbour(month.events[at-1])
	} else {
		previous, err = c.neighbour(ctx, v, e, url.Values{"starts_before": {start.Add(time.Second).Format(stamp)}, "order": {"desc"}})
	}
	if err != nil {
		return previous, next, err
	}
	if at >= 0 && at+1 < len(month.events) {
		next = v.neighbour(month.events[at+1])
	} else {
		next, err = c.neighbour(ctx, v, e, url.Values{"start_date": {e.Start.Format(stamp)}, "end_date": {"9999-12-31 23:59:59"}})
	}
	return previous, next, err
}

// neighbour returns the event after e in the first events of a list that contains e.
func (c *client) neighbour(ctx context.Context, v *version, e calendar.Event, q url.Values) (neighbour, error) {
	q.Set("strict_dates", "true")
	q.Set("per_page", strconv.Itoa(tied))
	list, err := eventsOf(ctx, v, c.list, q)
	if err != nil {
		return neighbour{}, err
	}
	passed := false
	for _, other := range list.Events {
		if passed && !other.Hidden {
			return v.neighbour(other), nil
		}
		passed = passed || isSame(other, e)
	}
	return neighbour{}, nil
}

func (v *version) neighbour(e calendar.Event) neighbour {
	n := neighbour{Title: v.plainTitle(e.Title), Link: v.link(routeOf(e)), State: v.state(e),
		Lang: v.foreign(e.Localized, e.Title)}
	if start, ok := wall(e.Start); ok {
		n.Day = v.texts.shortDate(start)
	}
	return n
}

// emptyMonth contains the text for a month without events, and the next event.
type emptyMonth struct {
	Text string
	Next neighbour // empty if there is none
}

// askedAfter is the page size with which the event after an empty month is searched, on at most askedTimes pages.
const askedAfter = 10

func (c *client) emptyMonth(ctx context.Context, v *version, month time.Time, filters []filter) (*emptyMonth, error) {
	empty := &emptyMonth{Text: v.fill("month.none", v.texts.month(month))}
	after := month.AddDate(0, 1, 0)
	q := from(question(filters), after)
	q.Set("per_page", strconv.Itoa(askedAfter))
	for page := 1; page <= askedTimes; page++ {
		q.Set("page", strconv.Itoa(page))
		list, err := eventsOf(ctx, v, c.list, q)
		if err != nil {
			return nil, err
		}
		for _, e := range shown(list.Events, filters) {
			if start, ok := wall(e.Start); ok && !start.Before(after) {
				empty.Next = v.neighbour(e)
				empty.Next.Day = v.texts.date(start)
				return empty, nil
			}
		}
		if page >= list.TotalPages {
			break
		}
	}
	return empty, nil
}

// alsoHere is the number of events at the same venue on the page of an event.
const alsoHere = 3

// sameVenue returns the next events at the first venue of an event, without the event itself.
func (c *client) sameVenue(ctx context.Context, v *version, e calendar.Event, today time.Time) ([]calendar.Event, error) {
	if len(e.Venues) == 0 {
		return nil, nil
	}
	q := from(url.Values{"venue": {decimal(e.Venues[0].ID)}, "per_page": {strconv.Itoa(alsoHere + 1)}}, today)
	list, err := eventsOf(ctx, v, c.whole, q)
	if err != nil {
		return nil, missing(err)
	}
	var others []calendar.Event
	for _, other := range shown(list.Events, nil) {
		if other.ID != e.ID && len(others) < alsoHere {
			others = append(others, other)
		}
	}
	return others, nil
}
