package pages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// view is one of the views of the calendar.
type view int

const (
	monthView view = iota
	weekView
	dayView
	listView
)

// state is what a page of the calendar shows, according to its query. The zero value with page 1 is the current month
// with all events. A state with a query is a search: the list of all matching events, upcoming and past, independent of
// the view and the month.
type state struct {
	view  view
	month time.Time // first day; the zero time for the current month, or in a list for all upcoming events
	day   time.Time // day of a day view, or any day of a week view
	page  int       // page of a list, from 1
	when  string    // for a list: one of spans, or a year
	query string
	free  bool
	near  string // a place or coordinates
	own   string // the host's own filters, encoded as a query
	slugs [len(filterParams)]string

	part  bool // shown as part of another page
	limit int  // number of events in such a list; 0 for the default
}

// Parameters of the query. Others, such as those that newsletters add to their links, are ignored.
const (
	paramView  = "view"
	paramMonth = "month"
	paramWeek  = "week"
	paramDay   = "day"
	paramPage  = "page"
	paramWhen  = "when"
	paramQuery = "q"
	paramFree  = "free"
	paramLang  = "lang" // of a feed
)

// filterParams are the filters whose value is a slug.
var filterParams = [...]struct {
	name  string // parameter of pages
	asked string // parameter of the API
	kind  kind
}{
	{"category", "categories", oneCategory}, {"tag", "tags", oneTag}, {"venue", "venue", oneVenue}, {"organizer", "organizer",
		oneOrganizer},
}

// longestQuery is the maximal length of a search text in characters, as in the API.
const longestQuery = 200

// readState parses a query. known is false if a parameter has an invalid value, so that a mistyped address never shows
// all events. Empty values, which forms send, are ignored.
func readState(q url.Values, own ownFields) (st state, known bool) {
	st.page = 1
	if st.own, known = own.given(q); !known {
		return st, false
	}
	for _, name := range []string{paramView, paramMonth, paramWeek, paramDay, paramWhen, paramPage, paramQuery, paramFree, paramNear} {
		if !st.set(name, q[name]) {
			return st, false
		}
	}
	for i, f := range filterParams {
		values := given(q[f.name])
		if len(values) > 1 || len(values) == 1 && !utf8.ValidString(values[0]) {
			return st, false
		}
		if len(values) == 1 {
			st.slugs[i] = values[0]
		}
	}
	if st.when != "" && (st.view != listView || !st.month.IsZero()) {
		return st, false
	}
	alone := q.Get(paramMonth) == "" && q.Get(paramView) == "" && st.page == 1
	return st, (st.view != dayView || q.Get(paramWeek) == "" && alone) && (st.view != weekView || alone)
}

// given returns the values that do not consist of spaces.
func given(values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(s string) bool { return strings.TrimSpace(s) == "" })
}

// set parses a parameter and reports whether its value is valid.
func (st *state) set(name string, values []string) bool {
	values = given(values)
	if len(values) == 0 {
		return true
	}
	value, ok := values[0], true
	switch name {
	case paramView:
		st.view = listView
		return len(values) == 1 && value == "list"
	case paramWhen:
		st.when = value
		return len(values) == 1 && isWhen(value)
	case paramMonth:
		st.month, ok = parseDate("2006-01", value)
	case paramWeek:
		st.view = weekView
		st.day, ok = parseDate(time.DateOnly, value)
	case paramDay:
		st.view = dayView
		st.day, ok = parseDate(time.DateOnly, value)
	case paramPage:
		st.page, _ = strconv.Atoi(value)
		ok = strconv.Itoa(st.page) == value && st.page > 1 && st.page < 1_000_000
	case paramFree:
		st.free = true
		return len(values) == 1 && value == "1"
	case paramQuery:
		st.query = strings.TrimSpace(value)
		return len(values) == 1 && isWords(value)
	case paramNear:
		st.near = strings.TrimSpace(value)
		return len(values) == 1 && isWords(value)
	}
	return len(values) == 1 && ok
}

// parseDate parses a date. It rejects 0001-01-01, because the zero time.Time means that the parameter is absent.
func parseDate(layout, value string) (time.Time, bool) {
	day, err := time.Parse(layout, value)
	return day, err == nil && !day.IsZero()
}

// isWords reports whether a value is a valid search text.
func isWords(value string) bool {
	return utf8.ValidString(value) && !strings.Contains(value, "\x00") && utf8.RuneCountInString(value) <= longestQuery
}

// ownValues returns the host's own filters as a query.
func (st state) ownValues() url.Values {
	q, _ := url.ParseQuery(st.own) // encoded by ownFields.given
	return q
}

// values returns the state as a query, or "" for the address without a query.
func (st state) values() string {
	q := st.ownValues()
	set := func(name, value string, given bool) {
		if given {
			q.Set(name, value)
		}
	}
	if !st.searches() {
		set(paramView, "list", st.view == listView)
		set(paramWhen, st.when, st.when != "")
		set(paramMonth, st.month.Format("2006-01"), st.day.IsZero() && !st.month.IsZero())
		set(paramWeek, st.day.Format(time.DateOnly), st.view == weekView)
		set(paramDay, st.day.Format(time.DateOnly), st.view == dayView)
	}
	set(paramPage, strconv.Itoa(st.page), st.page > 1)
	set(paramQuery, st.query, st.query != "")
	set(paramFree, "1", st.free)
	set(paramNear, st.near, st.near != "")
	set(paramLimit, strconv.Itoa(st.limit), st.limit > 0)
	for i, f := range filterParams {
		set(f.name, st.slugs[i], st.slugs[i] != "")
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// searches reports whether the state is a search.
func (st state) searches() bool { return st.query != "" }

// asSearch returns the state of a search without what it is independent of.
func (st state) asSearch() state {
	st.view, st.month, st.when = listView, time.Time{}, ""
	return st
}

// unsearched returns the state without the search.
func (st state) unsearched() state {
	if st.searches() {
		st.query = ""
	}
	return st
}

// filtered reports whether the state has any filter.
func (st state) filtered() bool {
	return st.query != "" || st.free || st.near+st.own != "" || st.slugs != [len(filterParams)]string{}
}

// inMonth returns the state of another month with the same filters, but without a search. first is the first day of the
// current month.
func (st state) inMonth(month, first time.Time) state {
	st = st.unsearched()
	st.view, st.month, st.day, st.when, st.page = monthView, month, time.Time{}, "", 1
	if month.Equal(first) {
		st.month = time.Time{}
	}
	return st
}

// onDay returns the state of a day with the same filters, but without a search. Only the calendar's own page can show a
// day.
func (st state) onDay(day time.Time) state {
	st = st.whole()
	st = st.unsearched()
	st.view, st.month, st.day, st.when, st.page = dayView, time.Time{}, day, "", 1
	return st
}

// inWeek returns the state of the week of a day with the same filters, but without a search. Only the calendar's own
// page can show a week.
func (st state) inWeek(day time.Time) state {
	st = st.onDay(day)
	st.view = weekView
	return st
}

// asList returns the state of a list with the same filters, but without a search: for a month, or from today on.
func (st state) asList(month time.Time) state {
	st = st.unsearched()
	st.view, st.month, st.day, st.when, st.page = listView, month, time.Time{}, "", 1
	return st
}

// filterValues returns only the filters as a query, or "" if there are none.
func (st state) filterValues() string {
	return state{page: 1, query: st.query, free: st.free, near: st.near, own: st.own, slugs: st.slugs}.values()
}

// feedValues returns what determines the content of a news feed as a query. Without a month, feeds are lists.
func (st state) feedValues(inMonth bool) string {
	st.view = monthView // which values omits
	values := st.values()
	if !inMonth || st.searches() || !st.month.IsZero() {
		return values
	}
	if values == "" {
		return "?view=month"
	}
	return values + "&view=month"
}

// firstOfMonth returns the first day of the month of a day.
func firstOfMonth(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
}
