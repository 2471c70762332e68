package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// perPage is how many events a list shows at once.
const perPage = 20

// listPage is a list of events, with the description of their venue, organizer, category or tag if it is a list of one.
type listPage struct {
	frame
	Heading  string
	About    about
	Groups   []group
	Count    string // how many events there are on all pages, in words
	PageOf   string
	Previous string
	Next     string
	Months   []monthLink
	Form     form
}

// group is the events of one day.
type group struct {
	Heading string
	Note    string // today, tomorrow
	Machine string
	Cards   []card
}

// card is one event in a list.
type card struct {
	event
	Link    string
	Summary string
	When    moment
	Image   image
	Chips   []chip
	Places  []chip
}

type chip struct{ Name, Link string }

type monthLink struct {
	Name, Link string
	Current    bool
}

// form has the values of the search form.
type form struct {
	Action     string
	Query      string
	Month      string
	Category   string
	Options    []option
	Searched   bool
	Selectable bool // the list is not one of a category already
}

type option struct {
	Slug, Name string
	Selected   bool
}

// wish is the query of a list page.
type wish struct {
	page     int
	month    time.Time // first of the month, zero for all upcoming events
	query    string
	category string
}

// read returns the valid parts of a query and ignores the rest, since people type and share these addresses.
func read(q url.Values) wish {
	w := wish{page: 1, query: strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(q.Get("q"), "\x00", ""), "")),
		category: q.Get("category")}
	if n, err := strconv.Atoi(q.Get("page")); err == nil && n > 1 && n < 1_000_000 {
		w.page = n
	}
	if m, err := time.Parse("2006-01", q.Get("month")); err == nil && m.Year() > 1970 && m.Year() < 9999 {
		w.month = m
	}
	for utf8.RuneCountInString(w.query) > 200 {
		_, last := utf8.DecodeLastRuneInString(w.query)
		w.query = w.query[:len(w.query)-last]
	}
	return w
}

// values returns the wish as the query of a page.
func (w wish) values() string {
	q := url.Values{}
	if !w.month.IsZero() {
		q.Set("month", w.month.Format("2006-01"))
	}
	if w.query != "" {
		q.Set("q", w.query)
	}
	if w.category != "" {
		q.Set("category", w.category)
	}
	if w.page > 1 {
		q.Set("page", strconv.Itoa(w.page))
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// question returns the wish as the query of the interface. An event belongs to a range if any part of it does, so the start of the range is
// compared with its end.
func (w wish) question(today time.Time) url.Values {
	q := url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(w.page)}}
	first := today
	if !w.month.IsZero() {
		first = w.month
		q.Set("starts_before", w.month.AddDate(0, 1, -1).Format(time.DateOnly))
	}
	q.Set("ends_after", first.AddDate(0, 0, -1).Format(time.DateOnly))
	if w.query != "" {
		q.Set("search", w.query)
	}
	if w.category != "" {
		q.Set("categories", w.category)
	}
	return q
}

// today returns the day in the zone of the site, as midnight without a zone.
func (s *site) today() time.Time {
	y, m, d := s.opts.Now().In(s.opts.Zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func (s *site) showList(w http.ResponseWriter, r *http.Request, v *version, to route) error {
	asked := read(r.URL.Query())
	tree, err := s.categories(r.Context(), v)
	if err != nil {
		return err
	}
	about, filter, err := s.about(r.Context(), v, to, tree)
	if err != nil {
		return err
	}
	if to.kind == oneCategory {
		asked.category = ""
		to.path = about.path
	}
	today := s.today()
	question := asked.question(today)
	for key, values := range filter {
		question[key] = values
	}
	var found eventList
	if err := s.client.get(r.Context(), v.lang, "/events", question, &found); err != nil && !unanswerable(err) {
		return err
	}
	page := listPage{frame: s.frame(r, v, to, about.localized), About: about, Heading: v.heading(asked, about),
		Count: v.texts.count(found.Total)}
	page.Title, page.JSON = page.Heading, s.client.address(v.lang, "/events")+"?"+question.Encode()
	page.Groups = s.groups(v, found.Events, tree, asked, today)
	page.Months = v.months(to, asked, today)
	page.Form = v.form(to, asked, tree)
	page.paging(v, to, asked, found.TotalPages)
	s.render(w, r, v, http.StatusOK, "list.html", page)
	return nil
}

// heading returns the heading of a list: by the search, the owner or the time.
func (v *version) heading(asked wish, about about) string {
	switch {
	case asked.query != "":
		return strings.ReplaceAll(v.texts.word("search.for"), "%s", asked.query)
	case about.Name != "":
		return about.Name
	case !asked.month.IsZero():
		return strings.ReplaceAll(v.texts.word("month.title"), "%s", v.texts.month(asked.month))
	}
	return v.texts.word("upcoming.title")
}

func (p *listPage) paging(v *version, to route, asked wish, pages int) {
	p.PageOf = strings.Replace(strings.Replace(v.texts.word("page.of"), "%s", v.texts.number(asked.page), 1), "%s",
		v.texts.number(max(pages, 1)), 1)
	if asked.page > 1 {
		back := asked
		back.page = min(asked.page-1, max(pages, 1))
		p.Previous = v.link(to) + back.values()
	}
	if asked.page < pages {
		on := asked
		on.page++
		p.Next = v.link(to) + on.values()
	}
}
