package event

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/surrogate"
)

// Query builds the query of a list, and adds its parameters to the URLs of other pages.
func (k *UseCases) Query(ctx context.Context, v *item.View, page *call.Page) (item.Query, error) {
	f, err := lister{k}.query(ctx, v, page)
	if err != nil || f == nil {
		return item.Query{}, err
	}
	// A password in the request is only tried on events that the request names.
	v.Trial = paramInclude.IsGiven(v.Call.Values)
	selected := k.Lists.Select(f.Filter)
	return item.Query{Page: selected.Page, Count: selected.Count, Named: f.named}, nil
}

// query returns nil for a search that cannot find anything.
func (l lister) query(ctx context.Context, v *item.View, page *call.Page) (*query, error) {
	q := &query{
		Filter:    &eventlist.Filter{Language: l.events.Service.Content.Languages.Filter(ctx, l.events.PostType)},
		Selection: item.Selection{Ctx: ctx, Call: v.Call, View: v, Links: &page.Filters},
		dates:     l.readDates(ctx, v.Call),
	}
	q.Bounds, q.OrderUTC = q.dates.bounds, site.From(ctx).InSiteZone
	if !v.Call.Whole {
		base, err := l.events.Service.DateBase(ctx)
		if err != nil {
			return nil, err
		}
		q.DateBase = base
	}
	q.Links.Add("per_page", itoa(page.Size))
	// If a list filters by content that a password hides, protected events are left out for callers who may not edit
	// all events, because they could guess the content by filtering.
	q.Unlocked = l.events.filters.Hidden(q.Values()) && !content.EditsAll(ctx, l.events.PostType)
	if l.events.filters.Hidden(q.Values()) { // the filters may depend on posts and terms that events link
		for _, kind := range l.events.Links {
			surrogate.From(ctx).List(kind.Collection)
		}
	}
	if err := l.events.filters.Apply(q, &q.Selection); err != nil {
		return nil, err
	}
	if err := l.allVersions(q, v.Versions); err != nil {
		return nil, err
	}
	q.order()
	if sync := q.Call.Sync; sync != nil {
		q.where(eventlist.Among(sync.Among))
		q.Order = eventlist.ByPostDate
	}
	l.events.Service.CarryOn(q.Call, q.Links)
	if q.Nothing {
		return nil, nil
	}
	return q, nil
}

// allVersions adds the translations of the posts and terms that a query names, because an event that links one of them
// shows the translation in the requested language.
func (l lister) allVersions(q *query, v *item.Versions) error {
	var posts []int64
	for _, c := range q.Conditions {
		switch c := c.(type) {
		case eventlist.Linking:
			posts = append(posts, c.IDs...)
		case eventlist.NotLinking:
			posts = append(posts, c.IDs...)
		}
	}
	if err := v.Load(q.Ctx, posts, slices.Concat(q.terms...)); err != nil {
		return err
	}
	for i, c := range q.Conditions {
		switch c := c.(type) {
		case eventlist.Linking:
			ids := v.AllPosts(c.IDs)
			q.named += fmt.Sprint(c.Key, ids)
			q.Conditions[i] = eventlist.LinkingTo(c.Key, ids, l.events.Service.Content.Store.Links.InDigits(q.Ctx))
		case eventlist.NotLinking:
			q.Conditions[i] = eventlist.NotLinking{Key: c.Key, IDs: v.AllPosts(c.IDs),
				InDigits: l.events.Service.Content.Store.Links.InDigits(q.Ctx)}
		}
	}
	var assigned []eventlist.Condition
	for _, list := range q.terms {
		members := int64(0)
		for _, t := range list {
			members += t.Count
		}
		ids := v.AllTerms(list)
		q.named += fmt.Sprint(ids)
		assigned = append(assigned, eventlist.AssignedTo(ids, max(members, 1)))
	}
	q.Conditions = append(assigned, q.Conditions...)
	return nil
}

// orders contains the names of orders: by start, and by columns of posts.
var orders = []string{"event_date", "title", "modified", "id"}

// order reads the requested order. An unknown one means the default.
func (q *query) order() {
	by, order := q.Sorting()
	switch slices.Index(orders, by) {
	case -1:
	case 0:
		q.Order = eventlist.ByStart
	default:
		q.Order = eventlist.Order(by)
	}
	q.Descending = order == "desc"
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
