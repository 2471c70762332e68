package pages

import (
	"context"
	"maps"
	"net/url"
	"strconv"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// Sizes of what is read at once: as many events as the interface answers in one list, and as many lists as a page waits for. A month with
// more events says so.
const (
	askedAtOnce = 50
	askedTimes  = 10
)

// found are the events of a range of days.
type found struct {
	events []calendar.Event
	more   bool // there are more than were read
}

// between returns the query of the events of which any part is between two days, in the order of their starts.
func between(first, last time.Time, filters []filter) url.Values {
	q := from(question(filters), first)
	q.Set("starts_before", last.Format(time.DateOnly))
	return q
}

// from restricts a query to events that end on a day or later. The interface takes the whole day that it is given as over.
func from(q url.Values, first time.Time) url.Values {
	q.Set("ends_after", first.AddDate(0, 0, -1).Format(time.DateOnly))
	return q
}

// lister reads a list of a kind: client.list or client.whole.
type lister func(context.Context, *version, kind, url.Values) (items, error)

// all reads the events that a query selects, except those that lists are not to show.
func (c *client) all(ctx context.Context, v *version, read lister, q url.Values, filters []filter) (found, error) {
	q = maps.Clone(q)
	q.Set("per_page", strconv.Itoa(askedAtOnce))
	var all found
	for page := 1; ; page++ {
		q.Set("page", strconv.Itoa(page))
		list, err := eventsOf(ctx, v, read, q)
		if err != nil {
			return all, err
		}
		all.events = append(all.events, shown(list.Events, filters)...)
		if page >= list.TotalPages {
			return all, nil
		}
		if page == askedTimes {
			all.more = true
			return all, nil
		}
	}
}

// eventsOf reads one list of events.
func eventsOf(ctx context.Context, v *version, read lister, q url.Values) (items, error) {
	list, err := read(ctx, v, oneEvent, q)
	if isPastEnd(err) {
		return items{}, nil
	}
	return list, err
}

// isPastEnd reports whether the interface refused a page because the list is shorter.
func isPastEnd(err error) bool { return isRefused(err, "event-archive-page-not-found") }

// everDates is the range of all events.
func everDates() url.Values {
	return url.Values{"start_date": {"0001-01-02"}, "end_date": {"9999-12-31"}}
}

// shown returns the events that are not hidden from lists, and that cost nothing if that is a filter.
func shown(events []calendar.Event, filters []filter) []calendar.Event {
	free := false
	for _, f := range filters {
		free = free || f.free
	}
	var list []calendar.Event
	for _, e := range events {
		if !e.Hidden && (!free || isFree(e)) {
			list = append(list, e)
		}
	}
	return list
}

// span returns the first and the last day of an event. One that ends before six in the morning ends on the day before, as people
// see it.
func span(e calendar.Event) (first, last time.Time, ok bool) {
	start, ok := wall(e.Start)
	if !ok {
		return first, last, false
	}
	end, ok := wall(e.End)
	if !ok || end.Before(start) {
		end = start
	}
	first, last = midnight(start), midnight(start)
	if end.Sub(start) > 12*time.Hour {
		last = midnight(end.Add(-6 * time.Hour))
	}
	return first, last, true
}

// midnight returns the beginning of a day.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// onDay returns the events that take place on a day.
func onDay(events []calendar.Event, day time.Time) []calendar.Event {
	var list []calendar.Event
	for _, e := range events {
		if first, last, ok := span(e); ok && !first.After(day) && !last.Before(day) {
			list = append(list, e)
		}
	}
	return list
}

// months are the first and the last month that have a page: those of the first and the last event and a year more at both ends, and the
// year around today. So links from month to month come to an end.
type months struct {
	first, last time.Time
	begin, end  time.Time // months of the first and last event
}

// marginOfMonths is how many empty months there are before the first and after the last event.
const marginOfMonths = 12

func (c *client) months(ctx context.Context, v *version, today time.Time) (months, error) {
	this := firstOfMonth(today)
	m := months{begin: this, end: this}
	for _, order := range []string{"asc", "desc"} {
		q := everDates()
		q.Set("per_page", "1")
		q.Set("order", order)
		list, err := eventsOf(ctx, v, c.list, q)
		if err != nil {
			return m, err
		}
		for _, e := range list.Events {
			if first, last, ok := span(e); ok {
				m.begin, m.end = earlier(m.begin, firstOfMonth(first)), later(m.end, firstOfMonth(last))
			}
		}
	}
	m.first, m.last = m.begin.AddDate(0, -marginOfMonths, 0), m.end.AddDate(0, marginOfMonths, 0)
	return m, nil
}

// has reports whether a day is in one of the months.
func (m months) has(day time.Time) bool {
	return !day.Before(m.first) && day.Before(m.last.AddDate(0, 1, 0))
}

// empty reports whether a month is before the first or after the last event.
func (m months) empty(month time.Time) bool { return month.Before(m.begin) || month.After(m.end) }

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
