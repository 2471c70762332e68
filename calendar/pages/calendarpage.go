package pages

import (
	"net/http"
	"net/url"

	"github.com/agendahq/agenda/calendar"
)

// calendarPage shows the calendar as a month, a week, a day or a list.
type calendarPage struct {
	frame
	View     string // month, week, day or list
	Heading  string
	Time     string // datetime attribute of the heading
	Count    string
	Cut      string // note that not all events are shown; "" otherwise
	Empty    *emptyMonth
	Grid     monthGrid
	Day      dayList // of a day view, or below a month on a phone
	Week     []weekDay
	Groups   []group
	Past     []group // past events of a search, shown below the upcoming ones
	When     []tab   // for a list: links to the lists of the next days and of single years
	Years    []tab
	Steps    []step
	Views    []tab
	Kinds    []kindLink
	Active   []tab // links that remove a filter
	Form     form
	PageOf   string
	Previous string
	Next     string
	Feed     feedLinks
	All      string // for a framed page: address of the calendar's own page with the same filters
}

// weekDay is a day of the week view.
type weekDay struct {
	Name, Machine, Link string
	Today               bool
	Slots               []slot
}

// dayList contains the events of a day.
type dayList struct {
	Heading, Note, Machine string
	Cards                  []card
}

// step is a link to the previous or next month, week or day, or to the current one.
type step struct {
	Kind, Name, Link string // Kind is prev, today or next
	NoFollow         bool
}

// tab is a link to another view, or one that removes a filter. Links to days are hidden from search engines, which find
// each event in its month.
type tab struct {
	Name, Link string
	Current    bool
	NoFollow   bool
	Lang       string // language of Name; "" if it is the page's
}

// kindLink is a link to the events of a top-level category.
type kindLink struct {
	tab
	Colour int
}

func (s *Site) showCalendar(w http.ResponseWriter, r *http.Request, v *version) error {
	q := r.URL.Query()
	st, known := readState(q, s.client.own)
	if !known || st.page > 1 && st.view != listView && !st.searches() {
		return notFound()
	}
	if hasEmpty(q) || st.searches() && (st.view != monthView || !st.month.IsZero()) {
		http.Redirect(w, r, v.home(st), http.StatusFound)
		return nil
	}
	if st.view == weekView { // any day of the week is a valid value
		st.day = v.weekOf(st.day)
	}
	ctx, today := r.Context(), s.today()
	menu, err := s.client.menu(ctx, v)
	if err != nil {
		return err
	}
	filters, err := s.client.filters(ctx, v, st, menu.tree)
	if err != nil {
		return err
	}
	if own, all := st.translated(v, filters); all && own.slugs != st.slugs {
		// In this language, some filters have other slugs. The redirect is temporary, since translations may be added
		// and deleted.
		http.Redirect(w, r, v.home(own), http.StatusFound)
		return nil
	}
	bounds, err := s.client.months(ctx, v, today)
	if err != nil {
		return err
	}
	if !st.month.IsZero() && !bounds.has(st.month) || !st.day.IsZero() && !v.shows(bounds, st.day) {
		return notFound()
	}
	p, err := viewing{s.client, v, st, filters, menu.tree, bounds, today}.page(ctx)
	if err != nil {
		return err
	}
	p.frame = s.frame(r, v, v.home(st), func(other *version) (string, bool) {
		own, all := st.translated(other, filters)
		own.page = 1 // the lists of different languages have different pages
		return other.home(own), all && st.page == 1
	}, calendar.Localized{})
	p.addNews(v, st)
	p.Title, p.Description = p.Heading, capital(v.describe(p.Heading))
	p.Kinds, p.Form = v.kinds(st, filters, menu), v.form(st, filters, menu)
	if p.Form.Near != "" {
		p.Script = s.buttons()
	}
	for _, f := range filters {
		p.Active = append(p.Active, tab{Name: f.name, Lang: f.lang, Link: v.home(st.without(f))})
		if f.param != paramQuery { // the heading contains the query
			p.Title = f.name + " · " + p.Title
		}
	}
	p.Title = capital(p.Title)
	if !st.free {
		p.Feed = s.at.feed(r, v.lang.Prefix+"/"+feedQuery(st))
	}
	return s.render(w, r, v, http.StatusOK, calendarTemplate, p)
}

// hasEmpty reports whether a query contains parameters without a value, as forms send them. They are removed from the
// address.
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
