package pages

import (
	"context"
	"maps"
	"net/url"
	"strconv"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// Limits of reading: askedAtOnce is the maximal page size of the API, and askedTimes the number of pages of a list that
// are read for one page. If a month has more events, a note says so.
const (
	askedAtOnce = 50
	askedTimes  = 10
)

// found contains the events of a range of days.
type found struct {
	events []calendar.Event
	more   bool // not all events were read
}

// between returns the query for events that take place between two days, even if only partly, ordered by start.
func between(first, last time.Time, filters []filter) url.Values {
	q := from(question(filters), first)
	q.Set("starts_before", last.Format(time.DateOnly))
	return q
}

// from restricts a query to events that end on a day or later. The parameter ends_after excludes the whole day in its
// value.
func from(q url.Values, first time.Time) url.Values {
	q.Set("ends_after", first.AddDate(0, 0, -1).Format(time.DateOnly))
	return q
}

// lister reads a page of a list: client.list or client.whole.
type lister func(context.Context, *version, kind, url.Values) (items, error)

// all reads the events that a query selects, except those that are hidden from lists.
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

// eventsOf reads a page of a list of events. A page after the last one is empty.
func eventsOf(ctx context.Context, v *version, read lister, q url.Values) (items, error) {
	list, err := read(ctx, v, oneEvent, q)
	if isPastEnd(err) {
		return items{}, nil
	}
	return list, err
}

// isPastEnd reports whether err is the error of the API for a page after the last one.
func isPastEnd(err error) bool { return isRefused(err, "event-archive-page-not-found") }

// everDates returns the range of dates of all events.
func everDates() url.Values {
	return url.Values{"start_date": {"0001-01-02"}, "end_date": {"9999-12-31"}}
}

// shown returns the events that are not hidden from lists and, if there is a filter for free events, that are free.
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

// span returns the first and the last day of an event. An event that ends before six in the morning ends on the
// previous day, since people would say so.
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

// midnight returns the start of a day.
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

// months are the first and the last month with a page, so that the links from month to month end: the months of the
// first and the last event, or the current one if that is earlier or later, and one more year in both directions.
type months struct {
	first, last time.Time
	begin, end  time.Time // months of the first and the last event
}

// marginOfMonths is the number of empty months before the first and after the last event.
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
