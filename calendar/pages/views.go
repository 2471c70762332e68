package pages

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// viewing creates the content of a calendar page from a state.
type viewing struct {
	client  *client
	v       *version
	st      state
	filters []filter
	tree    categoryTree
	bounds  months
	today   time.Time
}

// page creates the page of the state, without its frame.
func (g viewing) page(ctx context.Context) (p calendarPage, err error) {
	switch {
	case g.st.searches():
		err = g.search(ctx, &p)
	case g.st.view == listView:
		err = g.list(ctx, &p)
	case g.st.view == weekView:
		err = g.week(ctx, &p)
	default:
		err = g.month(ctx, &p)
	}
	return p, err
}

// week creates the week view.
func (g viewing) week(ctx context.Context, p *calendarPage) error {
	v, first := g.v, g.st.day
	last := first.AddDate(0, 0, 6)
	found, err := g.client.all(ctx, v, g.client.list, between(first, last, g.filters), g.filters)
	if err != nil {
		return err
	}
	if found.more {
		p.Cut = v.fill("cut", v.texts.number(len(found.events)))
	}
	p.View, p.Heading = "week", v.texts.period(first, last)
	p.Count = v.texts.count(len(within(found.events, first, last)))
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		one := weekDay{Name: v.texts.shortDate(day), Machine: day.Format(time.DateOnly), Link: v.home(g.st.onDay(day))}
		one.Today = day.Equal(g.today)
		for _, e := range onDay(found.events, day) {
			s := v.slot(e, g.tree)
			if begin, _, ok := span(e); ok && begin.Before(day) {
				s.Clock, s.Zone = "", "" // it began on another day
			}
			one.Slots = append(one.Slots, s)
		}
		p.Week = append(p.Week, one)
	}
	day := first
	if !g.today.Before(first) && !g.today.After(last) {
		day = g.today
	}
	month := g.monthOf(day)
	p.Views, p.Steps = g.tabs(month, day, g.monthOfList(month)), g.steps(month)
	return nil
}

// monthOf returns the month of a day, or the nearest one that has a page.
func (g viewing) monthOf(day time.Time) time.Time {
	return later(earlier(firstOfMonth(day), g.bounds.last), g.bounds.first)
}

// month creates the month view or the day view.
func (g viewing) month(ctx context.Context, p *calendarPage) (err error) {
	v, st, today := g.v, g.st, g.today
	this := firstOfMonth(today)
	month, chosen := st.month, st.day
	if st.view == dayView {
		month = g.monthOf(st.day)
	} else if month.IsZero() {
		month = this
	}
	first, last := v.weeks(month)
	found, err := g.client.all(ctx, v, g.client.list, between(first, last, g.filters), g.filters)
	if err != nil {
		return err
	}
	if found.more {
		p.Cut = v.fill("cut", v.texts.number(len(found.events)))
	}
	p.View, p.Heading, p.Time = "month", v.texts.month(month), month.Format("2006-01")
	if st.view == dayView {
		p.View, p.Heading, p.Time = "day", v.texts.date(st.day), st.day.Format(time.DateOnly)
	} else {
		chosen = firstBusy(found.events, month, today)
	}
	p.Grid = v.grid(st, month, chosen, today, found.events, g.tree)
	ofDay := onDay(found.events, chosen)
	if len(ofDay) > 0 {
		day, err := g.client.all(ctx, v, g.client.whole, between(chosen, chosen, g.filters), g.filters)
		if err != nil {
			return err
		}
		ofDay = onDay(day.events, chosen)
	}
	p.Day = dayList{Heading: v.texts.date(chosen), Note: v.dayNote(chosen, today), Machine: chosen.Format(time.DateOnly)}
	for _, e := range ofDay {
		p.Day.Cards = append(p.Day.Cards, cardOf(v, e, g.tree))
	}
	p.Count = v.texts.count(len(ofDay))
	if st.view == monthView {
		n := len(within(found.events, month, month.AddDate(0, 1, -1)))
		p.Count = v.texts.count(n)
		if n == 0 {
			if p.Empty, err = g.client.emptyMonth(ctx, v, month, g.filters); err != nil {
				return err
			}
		}
	}
	p.Views, p.Steps = g.tabs(month, chosen, g.monthOfList(month)), g.steps(month)
	return nil
}

// tabs returns the links to the other views: of a month, of the week and the day of day, and of the list of the month
// list, or of upcoming events if list is the zero time.
func (g viewing) tabs(month, day, list time.Time) []tab {
	v, st, some := g.v, g.st, g.st.filtered()
	to := func(of view, key string, there state, hidden bool) tab {
		return tab{Name: v.texts.word(key), Link: v.home(there), Current: st.view == of && !st.searches(), NoFollow: hidden}
	}
	return []tab{
		to(monthView, "view.month", st.inMonth(month, firstOfMonth(g.today)), some),
		to(weekView, "view.week", st.inWeek(v.weekOf(day)), true),
		to(dayView, "view.day", st.onDay(day), true),
		to(listView, "view.list", st.asList(list), some),
	}
}

// monthOfList returns the month of the list to which a month view links. For the current month it is the zero time: the
// list of upcoming events.
func (g viewing) monthOfList(month time.Time) time.Time {
	if month.Equal(firstOfMonth(g.today)) {
		return time.Time{}
	}
	return month
}

// steps returns the links to the previous and next month, week or day, and to the current one. Months without events
// are hidden from search engines. Outside the range of months there is no link.
func (g viewing) steps(month time.Time) (list []step) {
	v, st := g.v, g.st
	add := func(kind string, at time.Time) {
		name, key, link := v.texts.month(at), "month.", v.home(st.inMonth(at, firstOfMonth(g.today)))
		exists := g.bounds.has(at)
		switch st.view {
		case weekView:
			exists = v.shows(g.bounds, at)
			name, key, link = v.texts.shortDate(at), "week.", v.home(st.inWeek(at))
		case dayView:
			exists = v.shows(g.bounds, at)
			name, key, link = v.texts.shortDate(at), "day.", v.home(st.onDay(at))
		case listView:
			link = v.home(st.asList(at))
		}
		if exists {
			hidden := g.bounds.empty(firstOfMonth(at)) || st.filtered() || st.view == dayView || st.view == weekView
			list = append(list, step{kind, v.fill(key+map[string]string{"prev": "previous", "next": "next"}[kind], name), link, hidden})
		}
	}
	before, after, now := month.AddDate(0, -1, 0), month.AddDate(0, 1, 0), st.inMonth(time.Time{}, time.Time{})
	switch st.view {
	case weekView:
		before, after, now = st.day.AddDate(0, 0, -7), st.day.AddDate(0, 0, 7), st.inWeek(v.weekOf(g.today))
	case dayView:
		before, after, now = st.day.AddDate(0, 0, -1), st.day.AddDate(0, 0, 1), st.onDay(g.today)
	case listView:
		now = st.asList(time.Time{})
	}
	add("prev", before)
	list = append(list, step{"today", v.texts.word("today"), v.home(now), st.filtered()})
	add("next", after)
	return list
}

// firstBusy returns the day that is shown below the table of a month on a phone: today, or the first day with an event.
func firstBusy(events []calendar.Event, month, today time.Time) time.Time {
	if firstOfMonth(today).Equal(month) {
		return today
	}
	for day := month; day.Month() == month.Month(); day = day.AddDate(0, 0, 1) {
		if len(onDay(events, day)) > 0 {
			return day
		}
	}
	return month
}

// within returns the events that take place between two days, even if only partly.
func within(events []calendar.Event, first, last time.Time) []calendar.Event {
	var list []calendar.Event
	for _, e := range events {
		if begin, end, ok := span(e); ok && !begin.After(last) && !end.Before(first) {
			list = append(list, e)
		}
	}
	return list
}

// list creates a list of upcoming events, or of a month.
func (g viewing) list(ctx context.Context, p *calendarPage) error {
	v, st, today := g.v, g.st, g.today
	first, q := today, question(g.filters)
	p.View, p.Heading = "list", v.texts.word("upcoming.title")
	if !st.month.IsZero() {
		first = st.month
		q.Set("starts_before", st.month.AddDate(0, 1, -1).Format(time.DateOnly))
		p.Heading, p.Time = v.texts.month(st.month), st.month.Format("2006-01")
	}
	if st.when != "" {
		var last time.Time
		first, last = days(st.when, today)
		q.Set("starts_before", last.Format(time.DateOnly))
		p.Heading = v.whenTitle(st.when)
	}
	p.When, p.Years = v.whenTabs(st, g.bounds, today)
	found, total, err := g.part(ctx, from(q, first))
	if err != nil {
		return err
	}
	pages := (total + st.size() - 1) / st.size()
	if st.page > max(pages, 1) {
		return notFound()
	}
	if found.more {
		p.Cut = v.fill("cut", v.texts.number(total))
	}
	if total == 0 && !st.month.IsZero() {
		if p.Empty, err = g.client.emptyMonth(ctx, v, st.month, g.filters); err != nil {
			return err
		}
	}
	p.Groups = groupsOf(v, found.events, g.tree, first, today)
	p.Count = v.texts.count(total)
	p.paging(v, st.page, pages, func(page int) string {
		there := st
		there.page = page
		return v.home(there)
	})
	month := st.month
	if month.IsZero() {
		month = firstOfMonth(today)
	}
	day := today
	if !month.Equal(firstOfMonth(today)) {
		day = month
	}
	p.Views, p.Steps = g.tabs(month, day, st.month), g.steps(month)
	return nil
}

// part reads a page of a list. The API has no filter for free events: for those, all events are read and the page is
// taken from the matching ones.
func (g viewing) part(ctx context.Context, q url.Values) (found, int, error) {
	if g.st.free {
		all, err := g.client.all(ctx, g.v, g.client.whole, q, g.filters)
		total := len(all.events)
		from := min((g.st.page-1)*g.st.size(), total)
		all.events = all.events[from:min(from+g.st.size(), total)]
		return all, total, err
	}
	q.Set("per_page", strconv.Itoa(g.st.size()))
	q.Set("page", strconv.Itoa(g.st.page))
	list, err := eventsOf(ctx, g.v, g.client.whole, q)
	return found{events: shown(list.Events, g.filters)}, list.Total, err
}

func (p *calendarPage) paging(v *version, page, pages int, at func(int) string) {
	p.PageOf, p.Previous, p.Next = v.paging(page, pages, at)
}

// paging returns the number of a page among all pages as text, and the addresses of the previous and next page.
func (v *version) paging(page, pages int, at func(int) string) (of, previous, next string) {
	of = v.fill("page.of", v.texts.number(page), v.texts.number(max(pages, 1)))
	if page > 1 {
		previous = at(page - 1)
	}
	if page < pages {
		next = at(page + 1)
	}
	return of, previous, next
}
