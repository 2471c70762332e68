package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

// FrameNone, as the only one of Options.FrameAncestors, lets no page frame those below /embed/.
const FrameNone = "none"

// CheckFrameAncestors returns an error if Options.FrameAncestors may not be a list.
func CheckFrameAncestors(origins []string) error {
	_, err := checkAncestors(origins)
	return err
}

// checkAncestors returns the sources of a policy for Options.FrameAncestors: any page where none are named.
func checkAncestors(origins []string) (sources string, err error) {
	switch {
	case len(origins) == 0:
		return "*", nil
	case slices.Equal(origins, []string{FrameNone}):
		return "'none'", nil
	}
	sources = "'self'" // for the page that shows how it looks
	for _, origin := range origins {
		if !isOrigin(origin) {
			return "'none'", fmt.Errorf("%q is no origin such as https://example.org", origin)
		}
		sources += " " + origin
	}
	return sources, nil
}

// paramLimit is how many events a list shows that is part of another page.
const paramLimit = "limit"

// readPart reads the query of what is part of another page: a state, and how many events a list of it shows.
func readPart(q url.Values) (st state, known bool) {
	st, known = readState(q)
	st.part = true
	if values := given(q[paramLimit]); len(values) > 0 {
		n, err := strconv.Atoi(values[0])
		known = known && err == nil && len(values) == 1 && strconv.Itoa(n) == values[0] && n > 0 && n <= askedAtOnce
		st.limit = n
	}
	return st, known && st.view != dayView
}

// whole returns the state of the calendar's own page that shows the same.
func (st state) whole() state {
	st.part, st.limit, st.page = false, 0, 1
	return st
}

// size returns how many events a page of a list shows.
func (st state) size() int {
	if st.limit > 0 {
		return st.limit
	}
	return perPage
}

// framedPage is the calendar as a month or a list without what surrounds it, for frames.
type framedPage struct {
	calendarPage
	All string // the calendar's own page with the same filters
}

// showFramed shows events to a page of another site, which frames them. Nothing in it depends on the visitor.
func (s *Site) showFramed(w http.ResponseWriter, r *http.Request, v *version) error {
	st, known := readPart(r.URL.Query())
	if !known || st.page > 1 && st.view != listView {
		return notFound()
	}
	ctx := r.Context()
	tree, err := s.categories(ctx, v)
	if err != nil {
		return err
	}
	filters, err := s.filters(ctx, v, st, tree)
	if err != nil {
		return err
	}
	bounds, err := s.months(ctx, v, s.today())
	if err != nil {
		return err
	}
	if !st.month.IsZero() && !bounds.has(st.month) {
		return notFound()
	}
	p := framedPage{All: v.home(st.whole())}
	if st.view == listView {
		err = s.fillList(r, v, &p.calendarPage, st, filters, menu{tree: tree}, bounds)
	} else {
		err = s.fillMonth(r, v, &p.calendarPage, st, filters, menu{tree: tree}, bounds)
	}
	if err != nil {
		return err
	}
	p.frame = s.frame(r, v, p.All, same(route{kind: home}), noItem)
	p.Title = capital(p.Heading)
	s.render(w, r, v, http.StatusOK, framedTemplate, p)
	return nil
}

// framedTemplate and builderTemplate are those of the pages with a policy of their own.
const (
	framedTemplate  = "framed.html"
	framedMessage   = "framedmessage.html"
	builderTemplate = "builder.html"
)
