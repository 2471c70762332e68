package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/agendahq/agenda/calendar"
)

// filter is an active filter of a calendar page, with the item that it names.
type filter struct {
	item  calendar.Localized
	name  string
	lang  string // language of name; "" if it is the page's
	slug  string // as in the values of the menu
	param string // parameter of the pages
	asked string // parameter of the API; "" if the pages apply the filter themselves
	value string
	free  bool
	index int // index in filterParams, or -1
}

// filters reads the items that the filters of a state name. If an item does not exist, the error is notFound.
func (c *client) filters(ctx context.Context, v *version, st state, tree categoryTree) ([]filter, error) {
	var list []filter
	for i, p := range filterParams {
		if st.slugs[i] == "" {
			continue
		}
		f, err := c.filter(ctx, v, p.kind, st.slugs[i], tree)
		if err != nil {
			return nil, err
		}
		f.index, f.param, f.asked = i, p.name, p.asked
		list = append(list, f)
	}
	if st.free {
		list = append(list, filter{param: paramFree, name: v.texts.word("free.only"), free: true, index: -1})
	}
	if st.query != "" {
		list = append(list, filter{param: paramQuery, name: v.fill("quoted", st.query), asked: "search", value: st.query, index: -1})
	}
	if st.near != "" {
		f, err := c.near(ctx, v, st.near)
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return append(list, c.own.chosen(v, st)...), nil
}

func (c *client) filter(ctx context.Context, v *version, k kind, slug string, tree categoryTree) (filter, error) {
	found := func(l calendar.Localized, name, slug string, id int64) (filter, error) {
		return filter{item: l, name: unmarked(name), lang: v.foreign(l, name), slug: unescaped(slug), value: decimal(id)}, nil
	}
	switch k {
	case oneVenue:
		p, err := c.venues.BySlug(c.readingContext(ctx, v), url.PathEscape(slug), nil)
		if err != nil {
			return filter{}, missing(err)
		}
		return found(p.Localized, p.Name, p.Slug, p.ID)
	case oneOrganizer:
		h, err := c.organizers.BySlug(c.readingContext(ctx, v), url.PathEscape(slug), nil)
		if err != nil {
			return filter{}, missing(err)
		}
		return found(h.Localized, h.Name, h.Slug, h.ID)
	case oneCategory:
		for _, t := range tree.list {
			if called(t, slug) {
				return found(t.Localized, t.Name, t.Slug, t.ID)
			}
		}
	}
	t, err := c.term(ctx, v, k, slug)
	if err != nil {
		return filter{}, missing(err)
	}
	return found(t.Localized, t.Name, t.Slug, t.ID)
}

// missing returns the error of a page for an error of the API.
func missing(err error) error {
	var refused *calendar.Error
	if errors.As(err, &refused) && refused.Status < http.StatusInternalServerError {
		return notFound()
	}
	return err
}

// question converts the filters to a query of the API.
func question(filters []filter) url.Values {
	q := url.Values{}
	for _, f := range filters {
		if f.asked != "" {
			q.Set(f.asked, f.value)
		}
		if f.param == paramNear { // otherwise the nearest events would come first, independent of their dates
			q.Set("orderby", "event_date")
			q.Set("order", "asc")
		}
	}
	return q
}

// translated returns the state with the slugs of its filters in a language, and whether all of them exist in that language.
func (st state) translated(v *version, filters []filter) (state, bool) {
	all := true
	for _, f := range filters {
		if f.param == paramNear && f.item.Language != v.lang.Tag {
			st.near = f.value // the place may have another name in another language
		}
		if f.index < 0 || f.item.Language == "" || f.item.Language == v.lang.Tag {
			continue
		}
		slug, err := url.PathUnescape(slugIn(f.item, v.lang.Tag))
		if err != nil || slug == "" {
			all = false
			continue
		}
		st.slugs[f.index] = slug
	}
	return st, all
}

// without returns the state without a filter.
func (st state) without(f filter) state {
	switch st.page = 1; {
	case f.index >= 0:
		st.slugs[f.index] = ""
	case f.param == paramFree:
		st.free = false
	case f.param == paramQuery:
		st.query = ""
	case f.param == paramNear:
		st.near = ""
	default:
		q := st.ownValues()
		q.Del(f.param)
		st.own = q.Encode()
	}
	return st
}
