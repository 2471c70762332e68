package pages

import (
	"net/http"
	"strconv"
)

// perPage is the number of events on a page of a list.
const perPage = 20

// ownerPage shows a venue, organizer, category or tag with its upcoming events.
type ownerPage struct {
	frame
	About    about
	Count    string
	Groups   []group
	PageOf   string
	Previous string
	Next     string
	Month    string // address of the calendar, restricted to these events
	Feed     feedLinks
}

func (s *Site) showOwner(w http.ResponseWriter, r *http.Request, v *version, to route) error {
	st, known := readState(r.URL.Query(), s.client.own)
	if !known {
		return notFound()
	}
	ctx := r.Context()
	tree, err := s.client.tree(ctx, v)
	if err != nil {
		return err
	}
	owner, err := s.client.about(ctx, v, to, tree)
	if err != nil {
		return err
	}
	if to.kind == oneCategory {
		to.path = owner.path
	}
	own := filter{item: owner.Localized, param: filterParams[filterOf(to.kind)].name, index: filterOf(to.kind), value: decimal(owner.ID)}
	own.asked = filterParams[own.index].asked
	all := state{page: 1}
	all.slugs[own.index] = unescaped(to.slug)
	if st.filtered() || st.view != monthView || !st.month.IsZero() {
		// This page does not have the views and filters of the calendar.
		st.slugs[own.index] = all.slugs[own.index]
		http.Redirect(w, r, v.home(st), http.StatusFound)
		return nil
	}
	today, q := s.today(), from(question([]filter{own}), s.today())
	q.Set("per_page", strconv.Itoa(perPage))
	q.Set("page", strconv.Itoa(st.page))
	list, err := eventsOf(ctx, v, s.client.whole, q)
	if err != nil {
		return err
	}
	if st.page > max(list.TotalPages, 1) {
		return notFound()
	}
	here := v.link(to)
	p := ownerPage{
		About: owner, Count: v.texts.count(list.Total),
		Groups: groupsOf(v, shown(list.Events, nil), tree, today, today),
		Month:  v.home(all), Feed: s.at.feed(r, here+"?ical=1"),
	}
	p.PageOf, p.Previous, p.Next = v.paging(st.page, list.TotalPages, func(page int) string { return here + paged(page) })
	p.frame = s.frame(r, v, here+paged(st.page), func(other *version) (string, bool) {
		link, same := other.linkTo(to, owner.Localized)
		return link, same && st.page == 1 // the lists of different languages have different pages
	}, owner.Localized)
	p.addNews(v, all)
	p.Title, p.Description = owner.Name, opening(unmarked(owner.Description.Text), v.describe(owner.Name))
	p.Picture, p.PictureAlt = s.at.absolute(r, owner.Image.URL), owner.Image.Alt
	return s.render(w, r, v, http.StatusOK, "owner.html", p)
}

// paged returns the query of a page of a list.
func paged(page int) string {
	if page == 1 {
		return ""
	}
	return "?" + paramPage + "=" + strconv.Itoa(page)
}

// filterOf returns the index in filterParams of the filter for a kind of page, or -1.
func filterOf(k kind) int {
	for i, p := range filterParams {
		if p.kind == k {
			return i
		}
	}
	return -1
}

// opening returns the first words of text, or other if text is empty.
func opening(text, other string) string {
	if text == "" {
		return other
	}
	return shortened(text)
}
