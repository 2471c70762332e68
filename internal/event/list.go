package event

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/schema"
)

var errPage = rest.NewError(http.StatusNotFound, "event-archive-page-not-found", "error_event_page")

// list answers a page of events.
func (k *Kind) list(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	page := &rest.Page{Base: r.Root.URL + "/events/"}
	page.Number, page.Size = k.PageOf(r)
	view := k.View(ctx, r)
	filter, err := k.filter(ctx, r, view.Versions, page)
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

// filter makes the filter of a list and notes in the page's address what was
// asked for, in the address's order. A search that finds nothing gives nil.
func (k *Kind) filter(ctx context.Context, r *rest.Request, versions *resource.Versions, page *rest.Page) (*eventlist.Filter, error) {
	v, links := r.Values, &page.Filters
	visible, status := k.Visible(ctx, r, k.PostType)
	dates, printed := k.readBounds(ctx, r)
	f := &eventlist.Filter{Visible: visible, Language: k.LanguageFilter(ctx), Bounds: dates.conditions, OrderUTC: dates.orderUTC}
	strict := paramStrict.Value(v)
	exact := strict || site.From(ctx).Cutoff != ""
	links.Add("per_page", itoa(page.Size))
	printDates(ctx, links, printed, exact, false)
	f.Unlocked = k.asksForHidden(r) && !k.EditsAll(ctx, k.PostType)
	impossible := k.search(r, f, links)
	if err := k.geo(ctx, r, f, links); err != nil {
		return nil, err
	}
	if status != "" {
		links.Add("status", status)
	}
	k.posts(r, f, links)
	printDates(ctx, links, printed, exact, true)
	terms := k.relations(r, f, links)
	if err := allVersions(ctx, versions, f, terms); err != nil {
		return nil, err
	}
	if err := k.tickets(ctx, r, f, links); err != nil {
		return nil, err
	}
	if paramStrict.In(v) || exact && len(printed) > 0 {
		// A day that begins late cannot be told by a date alone: the printed
		// times are exact.
		links.Add(string(paramStrict), strconv.FormatBool(exact))
	}
	k.order(r, f, links)
	k.CarryOn(r, links)
	if impossible {
		return nil, nil
	}
	return f, nil
}

// telling are the parameters that select events by what a password hides.
var telling = []string{
	string(paramVenue), string(paramOrganizer), string(paramCategories), string(paramTags), string(paramFeatured), string(resource.Search),
	string(paramLocated), string(paramLat), string(paramLng), string(paramTicketed),
}

// asksForHidden reports whether a list is one of events with certain features
// that a password hides. Protected events are left out of such lists for all who
// may not edit everybody's: others could guess what they hold.
func (k *Kind) asksForHidden(r *rest.Request) bool {
	return slices.ContainsFunc(telling, r.Values.Given)
}

// search reads the search text.
func (k *Kind) search(r *rest.Request, f *eventlist.Filter, links *rest.Query) (impossible bool) {
	if !resource.Search.In(r.Values) {
		return false
	}
	text := resource.Search.Value(r.Values)
	links.Add(string(resource.Search), text)
	terms, impossible := termsOf(text)
	if terms != nil {
		f.Conditions = append(f.Conditions, k.Lists.Searching(terms))
	}
	return impossible
}

// posts reads the filters on the events' own rows.
func (k *Kind) posts(r *rest.Request, f *eventlist.Filter, links *rest.Query) {
	v := r.Values
	if id := paramParent.Value(v); id != 0 {
		f.Conditions = append(f.Conditions, eventlist.ChildOf(id))
		links.Add(string(paramParent), itoa(id))
	}
	if ids, given := paramInclude.Get(v); given {
		f.Conditions, f.Order = append(f.Conditions, eventlist.Among(ids)), eventlist.ByPostDate
		links.AddList(string(paramInclude), texts(ids))
	}
}

// relations reads the filters on what events are linked to and marked with. The
// terms, of each list any, are still to be put into the filter.
func (k *Kind) relations(r *rest.Request, f *eventlist.Filter, links *rest.Query) (terms [][]*store.TaxonomyTerm) {
	v := r.Values
	if ids, given := paramVenue.Get(v); given {
		f.Conditions = append(f.Conditions, atVenue(ids))
		links.AddList(string(paramVenue), texts(ids))
	}
	if ids, given := paramOrganizer.Get(v); given {
		f.Conditions = slices.Insert(f.Conditions, 0, eventlist.Condition(eventlist.LinkingTo(schema.MetaOrganizerID, ids)))
		links.AddList(string(paramOrganizer), texts(ids))
	}
	if featured, given := paramFeatured.Get(v); given {
		f.Conditions = append(f.Conditions, eventlist.Featured(featured))
		links.Add(string(paramFeatured), map[bool]string{true: "1", false: "0"}[featured])
	}
	for _, key := range []param.Key[term.Assigned]{paramCategories, paramTags} {
		if a, given := key.Get(v); given {
			terms = append(terms, a.Terms)
			links.AddList(string(key), a.Items)
		}
	}
	return terms
}

func atVenue(ids []int64) eventlist.Linking {
	return eventlist.Linking{Key: schema.MetaVenueID, IDs: ids}
}

// tickets reads the filter on what tickets point at.
func (k *Kind) tickets(ctx context.Context, r *rest.Request, f *eventlist.Filter, links *rest.Query) error {
	ticketed, given := paramTicketed.Get(r.Values)
	if !given {
		return nil
	}
	links.Add(string(paramTicketed), strconv.FormatBool(ticketed))
	events, err := k.Store.Ticketed(ctx)
	if ticketed {
		f.Conditions = append(f.Conditions, eventlist.Among(events))
	} else {
		f.Conditions = append(f.Conditions, eventlist.NotAmong(events))
	}
	return err
}

// allVersions completes a filter with the versions in other languages of what
// it names: an event that is linked to one of them shows the one in the
// request's language.
func allVersions(ctx context.Context, v *resource.Versions, f *eventlist.Filter, terms [][]*store.TaxonomyTerm) error {
	var posts []int64
	for _, c := range f.Conditions {
		switch c := c.(type) {
		case eventlist.Linking:
			posts = append(posts, c.IDs...)
		case eventlist.NotLinking:
			posts = append(posts, c.IDs...)
		}
	}
	if err := v.Load(ctx, posts, slices.Concat(terms...)); err != nil {
		return err
	}
	for i, c := range f.Conditions {
		switch c := c.(type) {
		case eventlist.Linking:
			f.Conditions[i] = eventlist.LinkingTo(c.Key, v.AllPosts(c.IDs))
		case eventlist.NotLinking:
			f.Conditions[i] = eventlist.NotLinking{Key: c.Key, IDs: v.AllPosts(c.IDs)}
		}
	}
	var assigned []eventlist.Condition
	for _, list := range terms {
		members := int64(0)
		for _, t := range list {
			members += t.Count
		}
		assigned = append(assigned, eventlist.AssignedTo(v.AllTerms(list), max(members, 1)))
	}
	f.Conditions = append(assigned, f.Conditions...)
	return nil
}

// order reads the order that was asked for; an unknown one is the default.
func (k *Kind) order(r *rest.Request, f *eventlist.Filter, links *rest.Query) {
	by, order := resource.OrderBy.Value(r.Values), resource.Order.Value(r.Values)
	switch by {
	case "event_date":
		f.Order = eventlist.ByStart
	case "title", "modified", "id":
		f.Order = eventlist.Order(by)
	}
	f.Descending = order == "desc"
	if by != "" {
		links.Add(string(resource.OrderBy), by)
	}
	if order != "" {
		links.Add(string(resource.Order), order)
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
