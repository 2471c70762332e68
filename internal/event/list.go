package event

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/eventlist"
)

var errPage = rest.NewError(http.StatusNotFound, "event-archive-page-not-found", "error_event_page")

// list answers a page of events.
func (k *Kind) list(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	page := &rest.Page{Base: r.Root.URL + "/events/"}
	page.Number, page.Size = k.PageOf(r)
	view := k.View(ctx, r)
	filter, err := k.query(ctx, r, view.Versions, page)
	if err != nil {
		return nil, err
	}
	var ids []int64
	if filter != nil {
		if ids, err = k.Lists.Page(ctx, filter, page.Size, resource.Offset(page.Number, page.Size)); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 && page.Number > 1 {
		return nil, errPage
	}
	if err := page.Count(len(ids), func() (int64, error) { return k.Lists.Count(ctx, filter) }); err != nil {
		return nil, err
	}
	own, err := k.own(ctx, ids)
	if err != nil {
		return nil, err
	}
	// A password is tried on events that were named, not on all that there are.
	named := filter != nil && paramInclude.In(r.Values)
	if err := view.Unlock(ctx, r, named, slices.Collect(maps.Values(own.Posts))...); err != nil {
		return nil, err
	}
	batch, err := k.load(ctx, view, own)
	if err != nil {
		return nil, err
	}
	if r.NotModified(view.Fingerprint(ids, page.Total, page.Filters)) {
		return page.Response(), nil
	}
	w := r.Out
	w.Object()
	w.KeyArray("events")
	for _, id := range ids {
		if p := own.Posts[id]; p != nil {
			k.fields.Write(w, k.item(batch, p))
		}
	}
	w.End()
	page.WriteLinks(w)
	page.WriteTotals(w)
	w.End()
	return page.Response(), nil
}

// query makes the query of a list, and what the addresses of other pages repeat of
// the request. A search that finds nothing gives nil.
func (k *Kind) query(ctx context.Context, r *rest.Request, versions *resource.Versions, page *rest.Page) (*eventlist.Filter, error) {
	q := &query{
		Filter: &eventlist.Filter{Language: k.LanguageFilter(ctx)}, ctx: ctx, request: r, values: r.Values, links: &page.Filters,
		dates: k.readDates(ctx, r.Values),
	}
	q.Bounds, q.OrderUTC = q.dates.bounds, site.From(ctx).InSiteZone
	q.links.Add("per_page", itoa(page.Size))
	for _, f := range k.listFilters {
		// Protected events are left out of lists of what a password hides for all who
		// may not edit everybody's: others could guess what they hold.
		q.Unlocked = q.Unlocked || f.hides && r.Values.Given(f.Name) && !k.EditsAll(ctx, k.PostType)
		if f.apply != nil {
			if err := f.apply(q); err != nil {
				return nil, err
			}
		}
	}
	if err := q.allVersions(versions); err != nil {
		return nil, err
	}
	q.order()
	k.CarryOn(r, q.links)
	if q.impossible {
		return nil, nil
	}
	return q.Filter, nil
}

// allVersions completes a query with the versions in other languages of what
// it names: an event that is linked to one of them shows the one in the
// request's language.
func (q *query) allVersions(v *resource.Versions) error {
	var posts []int64
	for _, c := range q.Conditions {
		switch c := c.(type) {
		case eventlist.Linking:
			posts = append(posts, c.IDs...)
		case eventlist.NotLinking:
			posts = append(posts, c.IDs...)
		}
	}
	if err := v.Load(q.ctx, posts, slices.Concat(q.terms...)); err != nil {
		return err
	}
	for i, c := range q.Conditions {
		switch c := c.(type) {
		case eventlist.Linking:
			q.Conditions[i] = eventlist.LinkingTo(c.Key, v.AllPosts(c.IDs))
		case eventlist.NotLinking:
			q.Conditions[i] = eventlist.NotLinking{Key: c.Key, IDs: v.AllPosts(c.IDs)}
		}
	}
	var assigned []eventlist.Condition
	for _, list := range q.terms {
		members := int64(0)
		for _, t := range list {
			members += t.Count
		}
		assigned = append(assigned, eventlist.AssignedTo(v.AllTerms(list), max(members, 1)))
	}
	q.Conditions = append(assigned, q.Conditions...)
	return nil
}

// order reads the order that was asked for; an unknown one is the default.
func (q *query) order() {
	by, order := resource.OrderBy.Value(q.values), resource.Order.Value(q.values)
	switch by {
	case "event_date":
		q.Order = eventlist.ByStart
	case "title", "modified", "id":
		q.Order = eventlist.Order(by)
	}
	q.Descending = order == "desc"
	if by != "" {
		q.links.Add(string(resource.OrderBy), by)
	}
	if order != "" {
		q.links.Add(string(resource.Order), order)
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func texts(ids []int64) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = itoa(id)
	}
	return list
}
