package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// calendarPage is the calendar as a month, a day or a list.
type calendarPage struct {
	frame
	View     string // month, day, list
	Heading  string
	Time     string // for the datetime attribute of the heading
	Count    string
	Cut      string // that there are more events than are shown
	Empty    *emptyMonth
	Grid     monthGrid
	Day      dayList // of a day view, and of a month on a phone
	Groups   []group
	Past     []group // of a search, below what is to come
	When     []tab   // the next days, of a list
	Years    []tab
	Steps    []step
	Views    []tab
	Kinds    []kindLink
	Active   []tab // links that take a filter away
	Form     form
	PageOf   string
	Previous string
	Next     string
	Feed     feedLinks
}

// dayList are the events of a day.
type dayList struct {
	Heading, Note, Machine string
	Cards                  []card
}

// step is a link to another time.
type step struct {
	Kind, Name, Link string // Kind: prev, today, next
	NoFollow         bool
}

// tab is a link to another view, or one that takes a filter away. Days are not for search engines, which find each event in its month.
type tab struct {
	Name, Link string
	Current    bool
	NoFollow   bool
	Lang       string // of the name, if it is not that of the page
}

// kindLink is a link to the events of a category of the first level.
type kindLink struct {
	tab
	Colour int
}

func (s *Site) showCalendar(w http.ResponseWriter, r *http.Request, v *version) error {
	q := r.URL.Query()
	st, known := readState(q)
	if !known || st.page > 1 && st.view != listView && !st.searches() {
		return notFound()
	}
	if hasEmpty(q) || st.searches() && (st.view != monthView || !st.month.IsZero()) {
		http.Redirect(w, r, v.home(st), http.StatusFound)
		return nil
	}
	ctx, today := r.Context(), s.today()
	menu, err := s.menu(ctx, v)
	if err != nil {
		return err
	}
	filters, err := s.filters(ctx, v, st, menu.tree)
	if err != nil {
		return err
	}
	if own, all := st.in(v, filters); all && own.slugs != st.slugs {
		// Filters that another language calls otherwise; not permanently, since versions may be added and deleted.
		http.Redirect(w, r, v.home(own), http.StatusFound)
		return nil
	}
	bounds, err := s.months(ctx, v, today)
	if err != nil {
		return err
	}
	if !st.month.IsZero() && !bounds.has(st.month) || st.view == dayView && !bounds.has(st.day) {
		return notFound()
	}
	p := calendarPage{}
	switch {
	case st.searches():
		err = s.fillSearch(r, v, &p, st, filters, menu)
	case st.view == listView:
		err = s.fillList(r, v, &p, st, filters, menu, bounds)
	default:
		err = s.fillMonth(r, v, &p, st, filters, menu, bounds)
	}
	if err != nil {
		return err
	}
	p.frame = s.frame(r, v, v.home(st), func(other *version) (string, bool) {
		own, all := st.in(other, filters)
		own.page = 1 // a language has pages of its own
		return other.home(own), all && st.page == 1
	}, calendar.Localized{})
	p.addNews(v, st)
	p.Title, p.Description = p.Heading, capital(v.describe(p.Heading))
	p.Kinds, p.Form = v.kinds(st, filters, menu), v.form(st, filters, menu)
	for _, f := range filters {
		p.Active = append(p.Active, tab{Name: f.name, Lang: f.lang, Link: v.home(st.without(f))})
		if f.asked != paramSearch { // which the heading says
			p.Title = f.name + " · " + p.Title
		}
	}
	p.Title = capital(p.Title)
	if !st.free {
		p.Feed = s.feed(r, v.lang.Prefix+"/"+feedQuery(st))
	}
	s.render(w, r, v, http.StatusOK, "calendar.html", p)
	return nil
}

// hasEmpty reports whether a form sent fields without a value, which the address is better without.
func hasEmpty(q url.Values) bool {
	for _, values := range q {
		if len(given(values)) < len(values) {
			return true
		}
	}
	return false
}

// home returns the address of a state of the calendar.
func (v *version) home(st state) string {
	if st.part {
		return v.link(route{kind: framed}) + st.values()
	}
	return v.link(route{kind: home}) + st.values()
}

// fillMonth makes a month with its days, or one of its days.
func (s *Site) fillMonth(r *http.Request, v *version, p *calendarPage, st state, filters []filter, menu menu, bounds months) error {
	today := s.today()
	this := firstOfMonth(today)
	month, chosen := st.month, st.day
	if st.view == dayView {
		month = firstOfMonth(st.day)
	} else if month.IsZero() {
		month = this
	}
	first, last := v.weeks(month)
	found, err := s.all(r.Context(), v, s.client.list, between(first, last, filters), filters)
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
	p.Grid = v.grid(st, month, chosen, today, found.events, menu.tree)
	ofDay := onDay(found.events, chosen)
	if len(ofDay) > 0 {
		day, err := s.all(r.Context(), v, s.client.whole, between(chosen, chosen, filters), filters)
		if err != nil {
			return err
		}
		ofDay = onDay(day.events, chosen)
	}
	p.Day = dayList{Heading: v.texts.date(chosen), Note: v.note(chosen, today), Machine: chosen.Format(time.DateOnly)}
	for _, e := range ofDay {
		p.Day.Cards = append(p.Day.Cards, s.card(v, e, menu.tree))
	}
	p.Count = v.texts.count(len(ofDay))
	if st.view == monthView {
		n := len(within(found.events, month, month.AddDate(0, 1, -1)))
		p.Count = v.texts.count(n)
		if n == 0 {
			if p.Empty, err = s.emptyMonth(r.Context(), v, month, filters); err != nil {
				return err
			}
		}
	}
	list := st.asList(month)
	if month.Equal(this) {
		list = st.asList(time.Time{})
	}
	p.Views = []tab{
		{Name: v.texts.word("view.month"), Link: v.home(st.inMonth(month, this)), Current: st.view == monthView, NoFollow: st.filtered()},
		{Name: v.texts.word("view.day"), Link: v.home(st.onDay(chosen)), Current: st.view == dayView, NoFollow: true},
		{Name: v.texts.word("view.list"), Link: v.home(list), NoFollow: st.filtered()},
	}
	p.steps(v, st, month, today, bounds)
	return nil
}

// steps are the links to the month, or the day, before and after, and to today. Months without events are not for search engines, and
// beyond the last there is no link.
func (p *calendarPage) steps(v *version, st state, month, today time.Time, bounds months) {
	add := func(kind, key string, at time.Time) {
		name, link := v.texts.month(at), v.home(st.inMonth(at, firstOfMonth(today)))
		if st.view == dayView {
			name, link = v.texts.shortDate(at), v.home(st.onDay(at))
		} else if st.view == listView {
			link = v.home(st.asList(at))
		}
		if bounds.has(at) {
			hidden := bounds.empty(firstOfMonth(at)) || st.filtered() || st.view == dayView
			p.Steps = append(p.Steps, step{kind, v.fill(key, name), link, hidden})
		}
	}
	if st.view == dayView {
		add("prev", "day.previous", st.day.AddDate(0, 0, -1))
	} else {
		add("prev", "month.previous", month.AddDate(0, -1, 0))
	}
	to := st.inMonth(time.Time{}, time.Time{})
	switch st.view {
	case dayView:
		to = st.onDay(today)
	case listView:
		to = st.asList(time.Time{})
	}
	p.Steps = append(p.Steps, step{"today", v.texts.word("today"), v.home(to), st.filtered()})
	if st.view == dayView {
		add("next", "day.next", st.day.AddDate(0, 0, 1))
	} else {
		add("next", "month.next", month.AddDate(0, 1, 0))
	}
}

// firstBusy returns the day that a month shows below its table on a phone: today, or the first day that has an event.
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

// within returns the events of which any part is between two days.
func within(events []calendar.Event, first, last time.Time) []calendar.Event {
	var list []calendar.Event
	for _, e := range events {
		if begin, end, ok := span(e); ok && !begin.After(last) && !end.Before(first) {
			list = append(list, e)
		}
	}
	return list
}

// fillList makes a list of what is to come, or of a month.
func (s *Site) fillList(r *http.Request, v *version, p *calendarPage, st state, filters []filter, menu menu, bounds months) error {
	today := s.today()
	first, q := today, question(filters)
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
	p.When, p.Years = v.whenTabs(st, bounds)
	found, total, err := s.page(r, v, from(q, first), st, filters)
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
		if p.Empty, err = s.emptyMonth(r.Context(), v, st.month, filters); err != nil {
			return err
		}
	}
	p.Groups = s.groups(v, found.events, menu.tree, first, today)
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
	p.Views = []tab{
		{Name: v.texts.word("view.month"), Link: v.home(st.inMonth(month, firstOfMonth(today))), NoFollow: st.filtered()},
		{Name: v.texts.word("view.day"), Link: v.home(st.onDay(day)), NoFollow: true},
		{Name: v.texts.word("view.list"), Link: v.home(st.asList(st.month)), Current: true, NoFollow: st.filtered()},
	}
	p.steps(v, st, month, today, bounds)
	return nil
}

// page reads one page of a list. The interface has no filter for what is free: then all events are read, and a part of them shown.
func (s *Site) page(r *http.Request, v *version, q url.Values, st state, filters []filter) (found, int, error) {
	if st.free {
		all, err := s.all(r.Context(), v, s.client.whole, q, filters)
		total := len(all.events)
		from := min((st.page-1)*st.size(), total)
		all.events = all.events[from:min(from+st.size(), total)]
		return all, total, err
	}
	q.Set("per_page", strconv.Itoa(st.size()))
	q.Set("page", strconv.Itoa(st.page))
	list, err := s.told(r.Context(), v, q)
	return found{events: shown(list.Events, filters)}, list.Total, err
}

func (p *calendarPage) paging(v *version, page, pages int, at func(int) string) {
	p.PageOf, p.Previous, p.Next = v.paging(page, pages, at)
}

// paging returns where a page is among others, and the addresses of its neighbours.
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
