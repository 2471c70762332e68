package pages

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// search creates the list of a search: first upcoming events in the order of their starts, then past ones, the latest
// first.
func (g viewing) search(ctx context.Context, p *calendarPage) error {
	v, st, today := g.v, g.st, g.today
	p.View, p.Heading = "list", v.fill("search.title", st.query)
	found, err := g.client.search(ctx, v, st, g.filters, today)
	if err != nil {
		return err
	}
	total := found.next + found.past
	pages := (total + st.size() - 1) / st.size()
	if st.page > max(pages, 1) {
		return notFound()
	}
	if found.more {
		p.Cut = v.fill("cut", v.texts.number(total))
	}
	p.Count = v.fill("search.count", v.texts.count(total), v.texts.number(found.next), v.texts.number(found.past))
	p.Groups = groupsOf(v, found.toCome, g.tree, today, today)
	p.Past = groupsOf(v, found.over, g.tree, time.Time{}, today)
	p.paging(v, st.page, pages, func(page int) string {
		there := st
		there.page = page
		return v.home(there)
	})
	p.Views = g.tabs(firstOfMonth(today), today, time.Time{})
	return nil
}

// results is a page of a search's results, in two parts.
type results struct {
	toCome, over []calendar.Event // on this page
	next, past   int              // total numbers of upcoming and past events
	more         bool             // not all events were read
}

// search reads a page of a search's results. The pages divide the list of upcoming events followed by past ones.
func (c *client) search(ctx context.Context, v *version, st state, filters []filter, today time.Time) (all results, err error) {
	read := c.section
	if st.free { // the API has no filter for free events
		read = c.sectionOfAll
	}
	first, size := (st.page-1)*st.size(), st.size()
	toCome, err := read(ctx, v, section{query: from(question(filters), today), first: first, size: size}, filters)
	if err != nil {
		return all, err
	}
	rest := section{query: before(question(filters), today), first: max(first-toCome.total, 0)}
	rest.size = min(size, max(first+size-toCome.total, 0))
	over, err := read(ctx, v, rest, filters)
	return results{toCome.events, over.events, toCome.total, over.total, toCome.more || over.more}, err
}

// before restricts a query to events that ended before a day, the latest first: those that from excludes.
func before(q url.Values, first time.Time) url.Values {
	q.Set("start_date", everDates().Get("start_date")) // otherwise the API would use its default
	q.Set("end_date", first.AddDate(0, 0, -1).Format(time.DateOnly))
	q.Set("order", "desc")
	return q
}

// section is a part of a list: size events, of which the first has the index first.
type section struct {
	query       url.Values
	first, size int

	events []calendar.Event
	total  int  // number of events in the whole list
	more   bool // not all events of the list were read
}

// section reads a part of a list. The API only returns whole pages; as many are read as
// contain the part.
func (c *client) section(ctx context.Context, v *version, part section, filters []filter) (section, error) {
	q := part.query
	q.Set("per_page", strconv.Itoa(perPage))
	read := func(page int) ([]calendar.Event, error) {
		q.Set("page", strconv.Itoa(page+1))
		list, err := eventsOf(ctx, v, c.whole, q)
		part.total = max(part.total, list.Total) // after the last page, the API returns no total
		return list.Events, err
	}
	for page := part.first / perPage; page*perPage < part.first+max(part.size, 1); page++ {
		events, err := read(page)
		if err != nil {
			return part, err
		}
		from, to := max(part.first-page*perPage, 0), min(part.first+part.size-page*perPage, len(events))
		if from < to {
			part.events = append(part.events, shown(events[from:to], filters)...)
		}
		if (page+1)*perPage >= part.total {
			break
		}
	}
	if part.total > 0 || part.first < perPage {
		return part, nil
	}
	_, err := read(0)
	return part, err
}

// sectionOfAll is section for a list of which the pages filter the events themselves, so that all have to be read.
func (c *client) sectionOfAll(ctx context.Context, v *version, part section, filters []filter) (section, error) {
	all, err := c.all(ctx, v, c.whole, part.query, filters)
	part.total, part.more = len(all.events), all.more
	first := min(part.first, part.total)
	part.events = all.events[first:min(first+part.size, part.total)]
	return part, err
}
