package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

// FrameNone, as the only element of Options.FrameAncestors, forbids all sites to frame the pages below /embed/.
const FrameNone = "none"

// CheckFrameAncestors returns an error if origins is not valid for Options.FrameAncestors.
func CheckFrameAncestors(origins []string) error {
	_, err := checkAncestors(origins)
	return err
}

// checkAncestors converts Options.FrameAncestors to the sources of the policy's frame-ancestors. No origins permit all
// sites.
func checkAncestors(origins []string) (sources string, err error) {
	switch {
	case len(origins) == 0:
		return "*", nil
	case slices.Equal(origins, []string{FrameNone}):
		return "'none'", nil
	}
	sources = "'self'" // for the preview on the builder page
	for _, origin := range origins {
		if !isOrigin(origin) {
			return "'none'", fmt.Errorf("%q is not an origin such as https://example.org", origin)
		}
		sources += " " + origin
	}
	return sources, nil
}

// paramLimit is the number of events in a list that is part of another page.
const paramLimit = "limit"

// readPart parses the query of a page that is part of another page: a state, and the number of events in a list.
func readPart(q url.Values, own ownFields) (st state, known bool) {
	st, known = readState(q, own)
	st.part = true
	if values := given(q[paramLimit]); len(values) > 0 {
		n, err := strconv.Atoi(values[0])
		known = known && err == nil && len(values) == 1 && strconv.Itoa(n) == values[0] && n > 0 && n <= askedAtOnce
		st.limit = n
	}
	return st, known && st.view != dayView && st.view != weekView
}

// whole returns the state of the calendar's own page with the same filters.
func (st state) whole() state {
	st.part, st.limit, st.page = false, 0, 1
	return st
}

// size returns the number of events on a page of a list.
func (st state) size() int {
	if st.limit > 0 {
		return st.limit
	}
	return perPage
}

// showFramed shows events in a frame of another site's page. The page is the same for all visitors.
func (s *Site) showFramed(w http.ResponseWriter, r *http.Request, v *version) error {
	st, known := readPart(r.URL.Query(), s.client.own)
	if !known || st.page > 1 && st.view != listView && !st.searches() {
		return notFound()
	}
	ctx := r.Context()
	tree, err := s.client.tree(ctx, v)
	if err != nil {
		return err
	}
	filters, err := s.client.filters(ctx, v, st, tree)
	if err != nil {
		return err
	}
	bounds, err := s.client.months(ctx, v, s.today())
	if err != nil {
		return err
	}
	if !st.month.IsZero() && !bounds.has(st.month) {
		return notFound()
	}
	p, err := viewing{s.client, v, st, filters, tree, bounds, s.today()}.page(ctx)
	if err != nil {
		return err
	}
	p.frame = s.frame(r, v, v.home(st.whole()), same(route{kind: home}), noItem)
	p.Framed, p.All = true, p.Here
	p.Title, p.Description = capital(p.Heading), capital(v.describe(p.Heading))
	return s.render(w, r, v, http.StatusOK, calendarTemplate, p)
}

// Templates of the pages that have scripts. The policy of all other pages forbids them.
const (
	calendarTemplate = "calendar.html"
	eventTemplate    = "event.html"
	builderTemplate  = "builder.html"
)
