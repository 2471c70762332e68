package event

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp"
)

// Parameters of lists and paths.
const (
	PathID           param.Key[int64]         = "id"
	PathSlug         param.Key[string]        = "slug"
	KnownSlug                                 = param.Key[*store.Post](PathSlug)
	paramStart       param.Key[dateText]      = "start_date"
	paramEnd         param.Key[dateText]      = "end_date"
	paramStartBefore param.Key[dateText]      = "starts_before"
	paramStartAfter  param.Key[dateText]      = "starts_after"
	paramEndBefore   param.Key[dateText]      = "ends_before"
	paramEndAfter    param.Key[dateText]      = "ends_after"
	paramStrict      param.Key[bool]          = "strict_dates"
	paramCategories  param.Key[term.Assigned] = "categories"
	paramTags        param.Key[term.Assigned] = "tags"
	paramFeatured    param.Key[bool]          = "featured"
	paramLocated     param.Key[bool]          = "geoloc"
	paramLat         param.Key[float64]       = "geoloc_lat"
	paramLng         param.Key[float64]       = "geoloc_lng"
	paramInclude     param.Key[[]int64]       = "include"
	paramParent      param.Key[int64]         = "post_parent"
	paramTicketed    param.Key[bool]          = "ticketed"
)

// filter is a filter of the list. If its condition implements no faster strategy, the list is queried by the general
// one.
type filter = item.Filter[*query]

// query is the state of a list while a request's parameters are converted to a query of the store.
type query struct {
	*eventlist.Filter
	item.Selection
	dates dates
	terms [][]*store.TaxonomyTerm // the terms of each filter by terms
	named string                  // ids of the terms and posts that parameters refer to
}

func (q *query) where(c eventlist.Condition) { q.Conditions = append(q.Conditions, c) }

// lister finds the events of a list. Its methods check the values of the filters and add their conditions.
type lister struct{ events *UseCases }

// listFilters returns the filters of the list, in the order in which they appear in the URLs of other pages.
func (l lister) listFilters() item.Filters[*query] {
	located := paramLocated.Param(jsonschema.Bool(), nil, param.Doc("param_events_geoloc"))
	parent := paramParent.Param(jsonschema.Int().From(1), l.events.Service.ReadableEvent(), param.Doc("param_events_post_parent"))
	near, within := item.NearParams("param_events_near")
	searchDoc, statusDoc := param.Doc("param_events_search"), param.Doc("param_events_status")
	list := item.Filters[*query]{
		l.date(paramStart, "param_events_start_date", param.DefaultFunc(l.defaultStart)),
		l.date(paramEnd, "param_events_end_date", param.DefaultFunc(l.defaultEnd)),
		{Param: item.SearchParam(searchDoc), Hides: true, Apply: l.search},
		{Param: located, Hides: true, Moves: item.Always[*query], Apply: l.geo},
		degrees(paramLat, 90, "param_events_geoloc_lat"), degrees(paramLng, 180, "param_events_geoloc_lng"),
		{Param: l.events.Service.StatusParam(l.events.PostType, statusDoc), Apply: l.status},
		{Param: parent, Apply: childOf},
		{Param: ids(paramInclude, param.Checked(param.IDs), "param_events_include"), Apply: l.among},
		l.date(paramStartBefore, "param_events_starts_before"), l.date(paramStartAfter, "param_events_starts_after"),
		l.date(paramEndBefore, "param_events_ends_before"), l.date(paramEndAfter, "param_events_ends_after"),
	}
	for _, kind := range l.events.Linked {
		list = append(list, l.linking(kind))
	}
	ticketed := toggled(paramTicketed, "param_events_ticketed", l.ticketed)
	ticketed.Moves = item.Always[*query]
	return append(list,
		toggled(paramFeatured, "param_events_featured", featured),
		assigned(paramCategories, l.events.Categories, "music", "12"), assigned(paramTags, l.events.Tags, "jazz"),
		ticketed,
		&filter{
			Param: paramStrict.Param(jsonschema.Bool().Default(false).OrText(1, param.MaxSearch), param.Checked(checkStrict),
				param.Default("false"), param.Doc("param_events_strict_dates"), param.Untyped()),
			Apply: strict,
		},
		&filter{Param: near, Hides: true, Moves: item.Always[*query], Apply: l.around},
		&filter{Param: within},
	)
}

// toggled returns a filter by a boolean.
func toggled(key param.Key[bool], doc string, apply func(*query, bool) error) *filter {
	return &filter{
		Param: key.Param(jsonschema.Bool(), nil, param.Doc(doc)), Hides: true,
		Apply: func(q *query) error {
			on, given := key.Get(q.Values())
			if !given {
				return nil
			}
			return apply(q, on)
		},
	}
}

func oneOrZero(on bool) string { return map[bool]string{true: "1", false: "0"}[on] }

func ids(key param.Key[[]int64], rule param.Rule[[]int64], doc string) *param.Param {
	id := (&jsonschema.Schema{Type: jsonschema.TypeInt}).From(1)
	return key.Param(jsonschema.List(id).AtLeast(1).UpTo(param.MaxList), rule, param.Doc(doc))
}

// linking returns the filter by linked posts of a resource.
func (l lister) linking(kind *linked.UseCases) *filter {
	key := param.Key[[]int64](kind.Name)
	return &filter{
		Param: ids(key, l.readable(kind), kind.Texts.EventFilter),
		Hides: true,
		Apply: func(q *query) error {
			ids, given := key.Get(q.Values())
			switch {
			case !given:
				return nil
			case kind.LinksOne:
				q.where(eventlist.Linking{Key: kind.LinkKey, IDs: ids})
			default: // a resource of which an event links several: each of its posts has fewer events, so its condition comes first
				q.Conditions = slices.Insert(q.Conditions, 0, eventlist.Condition(eventlist.Linking{Key: kind.LinkKey, IDs: ids}))
			}
			q.Links.AddList(string(key), store.Decimals(ids))
			return nil
		},
	}
}

// assigned returns the filter by terms of events.
func assigned(key param.Key[term.Assigned], kind *term.UseCases, example ...any) *filter {
	takes := jsonschema.List(jsonschema.Text()).AtLeast(1).UpTo(param.MaxList).Example(example)
	return &filter{
		Param: key.Param(takes, kind.Assigned(), param.Doc(kind.Texts.EventFilter)),
		Hides: true,
		Apply: func(q *query) error {
			if a, given := key.Get(q.Values()); given {
				q.terms = append(q.terms, a.Terms)
				q.Links.AddList(string(key), a.Items)
			}
			return nil
		},
	}
}

// degrees returns the filter for a latitude or longitude. geo applies it.
func degrees(key param.Key[float64], limit float64, doc string) *filter {
	takes := jsonschema.Number().From(-limit).To(limit)
	return &filter{
		Param: key.Param(takes, param.Checked(coordinate(limit)), param.Doc(doc)), Hides: true,
		Moves: item.Always[*query],
	}
}

// search finds events that contain the words of a search.
func (l lister) search(q *query) error {
	if !item.Search.IsGiven(q.Values()) {
		return nil
	}
	text := item.Search.Value(q.Values())
	q.Links.Add(string(item.Search), text)
	terms, impossible := termsOf(text)
	if q.Nothing = impossible; terms != nil {
		q.where(l.events.Lists.Searching(terms))
	}
	return nil
}

// status selects events by status, as far as the caller may read them.
func (l lister) status(q *query) error {
	q.Visible = q.VisibleOf(l.events.PostType)
	return nil
}

func childOf(q *query) error {
	if id := paramParent.Value(q.Values()); id != 0 {
		q.where(eventlist.ChildOf(id))
		q.Links.Add(string(paramParent), itoa(id))
	}
	return nil
}

// among selects events by id or, on sites whose lists have one item per occurrence, occurrences by id.
func (l lister) among(q *query) error {
	ids, given := paramInclude.Get(q.Values())
	if !given {
		return nil
	}
	q.Order = eventlist.ByPostDate
	q.Links.AddList(string(paramInclude), store.Decimals(ids))
	dates, err := l.dated(q.Ctx, q.Filter, ids)
	if len(dates) == 0 {
		q.where(eventlist.Among(ids))
	} else {
		q.where(eventlist.AmongDates{Events: ids, Dates: dates})
	}
	return err
}

// dated returns the ids of the rows of those occurrences that some ids of a list refer to. Ids of posts are left out.
func (l lister) dated(ctx context.Context, f *eventlist.Filter, ids []int64) (rows []int64, err error) {
	above := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return f.DateBase == 0 || id <= f.DateBase })
	if len(above) == 0 {
		return nil, nil
	}
	posts, err := l.events.Service.Content.Store.Posts.Access(ctx, above)
	for _, id := range above {
		if posts[id].Type == "" {
			rows = append(rows, id-f.DateBase)
		}
	}
	return rows, err
}

func featured(q *query, on bool) error {
	q.where(eventlist.Featured(on))
	q.Links.Add(string(paramFeatured), oneOrZero(on))
	return nil
}

// ticketed selects events with tickets, or without.
func (l lister) ticketed(q *query, has bool) error {
	q.Links.Add(string(paramTicketed), strconv.FormatBool(has))
	events, err := l.events.withTickets(q.Ctx)
	if has {
		q.where(eventlist.Among(events))
	} else {
		q.where(eventlist.NotAmong(events))
	}
	return err
}

// readable returns a rule that looks up ids of posts of a resource. Posts that the caller may not read are treated as
// unknown.
func (l lister) readable(kind *linked.UseCases) param.Rule[[]int64] {
	postType, message := kind.PostType, kind.Texts.Unknown
	check := func(ctx context.Context, v any) ([]int64, error) {
		ids, err := param.IDs(ctx, v)
		if err != nil {
			return nil, param.Invalid(message)
		}
		return ids, nil
	}
	return param.LookedUp(check, item.Noted(kind.Collection, func(ctx context.Context, ids []int64) ([]int64, error) {
		found, err := l.events.Service.Content.Store.Posts.Access(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			a := found[id]
			p := &store.Post{ID: a.ID, Author: a.Author, Status: a.Status, Type: a.Type}
			if a.Type != postType || !l.events.Service.Content.Types.CanRead(ctx, p) {
				return nil, param.Invalid(message)
			}
		}
		return ids, nil
	}))
}

// coordinate accepts degrees from -limit to limit.
func coordinate(limit float64) func(context.Context, any) (float64, error) {
	return func(_ context.Context, v any) (float64, error) {
		s, _ := param.Scalar(v)
		f, _, ok := wp.Numeric(s)
		if !ok || f < -limit || f > limit {
			return 0, param.Invalid("fault_coordinate", "Limit", int(limit))
		}
		return f, nil
	}
}

// checkStrict reads strict_dates: 1, true, on and yes mean true, and any other string means false. An empty string and
// a list are rejected.
func checkStrict(_ context.Context, v any) (bool, error) {
	s, ok := param.Scalar(v)
	if b, isBool := v.(bool); isBool {
		return b, nil
	}
	if !ok || s == "" {
		return false, param.Invalid("fault_strict")
	}
	switch strings.ToLower(s) {
	case "1", "true", "on", "yes":
		return true, nil
	}
	return false, nil
}
