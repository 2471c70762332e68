package event

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
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

// filter is a filter of the list: its parameter, and what it adds to a query. A
// filter whose condition implements no fast strategy is evaluated in full.
type filter struct {
	*param.Param
	index int  // place in the index, which has the order of an older service; 0 is after the others, and not listed
	hides bool // selects events by what a password hides
	// apply adds the conditions of a request, and its parameters to the addresses of other
	// pages. It is called whether the parameter is given or not; nil if another filter
	// does it.
	apply func(*query) error
}

// query is a list between a request's parameters and the store.
type query struct {
	*eventlist.Filter
	ctx        context.Context
	call       *call.Call
	values     *param.Values
	links      *call.Query // addresses of other pages
	dates      dates
	terms      [][]*store.TaxonomyTerm // one of each list
	impossible bool                    // nothing can be found
}

func (q *query) where(c eventlist.Condition) { q.Conditions = append(q.Conditions, c) }

// filters are the filters of the list, in the order of the addresses of other pages.
func (k *Kind) filters() []*filter {
	doc := param.DocOf("param_" + k.Type.Collection + "_")
	list := []*filter{
		k.date(paramStart, 1, param.DefaultFunc(k.defaultStart)), k.date(paramEnd, 2, param.DefaultFunc(k.defaultEnd)),
		{Param: item.SearchParam(k.Type.Collection), index: 8, hides: true, apply: k.search},
		{Param: paramLocated.Param(jsonschema.Bool(), nil, param.Typed(), doc), index: 15, hides: true, apply: k.geo},
		degrees(paramLat, 90, 16, doc), degrees(paramLng, 180, 17, doc),
		{Param: k.Service.StatusParam(k.Type.Collection, k.Type.PostType), index: 14, apply: k.status},
		{Param: paramParent.Param(jsonschema.Int().From(1), k.Service.ReadableEvent(), param.Typed(), doc), index: 19, apply: childOf},
		{Param: ids(paramInclude, param.Checked(param.IDs), doc), index: 18, apply: among},
		k.date(paramStartBefore, 3), k.date(paramStartAfter, 4), k.date(paramEndBefore, 5), k.date(paramEndAfter, 6),
	}
	for _, kind := range k.Linked {
		list = append(list, k.linking(kind, doc))
	}
	return append(list,
		toggled(paramFeatured, 13, doc, featured),
		assigned(paramCategories, k.Categories, 9, doc, "music", "12"), assigned(paramTags, k.Tags, 10, doc, "jazz"),
		toggled(paramTicketed, 20, doc, k.ticketed),
		&filter{
			Param: paramStrict.Param(jsonschema.Bool().Default(false), param.Checked(checkStrict), param.Default("false"), doc),
			index: 7, apply: strict,
		},
	)
}

// ListParams declares the parameters of the list, in the order of the index.
func (k *Kind) ListParams() []*param.Param {
	list := k.Service.PageParams(k.Type.Collection)
	last := func(f *filter) int { return cmp.Or(f.index, math.MaxInt) }
	for _, f := range slices.SortedStableFunc(slices.Values(k.listFilters),
		func(a, b *filter) int { return cmp.Compare(last(a), last(b)) }) {
		f.Unlisted = f.Unlisted || f.index == 0
		list = append(list, f.Param)
	}
	list = append(list, item.OrderParams(orders...)...)
	return append(list, item.Password(false), item.Context("View", "view", "edit"))
}

// toggled is a boolean filter.
func toggled(key param.Key[bool], index int, doc param.Option, apply func(*query, bool) error) *filter {
	return &filter{
		Param: key.Param(jsonschema.Bool(), nil, param.Typed(), doc), index: index, hides: true,
		apply: func(q *query) error {
			on, given := key.Get(q.values)
			if !given {
				return nil
			}
			return apply(q, on)
		},
	}
}

func oneOrZero(on bool) string { return map[bool]string{true: "1", false: "0"}[on] }

func ids(key param.Key[[]int64], rule param.Rule[[]int64], doc param.Option) *param.Param {
	return key.Param(jsonschema.List(&jsonschema.Schema{Type: jsonschema.TypeInt}), rule, doc, param.Typed())
}

// linking is the filter on linked items of a kind.
func (k *Kind) linking(kind *linked.Kind, doc param.Option) *filter {
	key := param.Key[[]int64](kind.Name)
	return &filter{
		Param: ids(key, k.readable(kind.Type.PostType, "fault_"+kind.Type.Collection), doc), index: kind.Listed, hides: true,
		apply: func(q *query) error {
			ids, given := key.Get(q.values)
			switch {
			case !given:
				return nil
			case kind.Type.LinksOne:
				q.where(eventlist.Linking{Key: kind.Type.LinkKey, IDs: ids})
			default: // of several, each has fewer events
				q.Conditions = slices.Insert(q.Conditions, 0, eventlist.Condition(eventlist.Linking{Key: kind.Type.LinkKey, IDs: ids}))
			}
			q.links.AddList(string(key), texts(ids))
			return nil
		},
	}
}

// assigned is the filter on the terms of events.
func assigned(key param.Key[term.Assigned], kind *term.Kind, index int, doc param.Option, example ...any) *filter {
	takes := jsonschema.List(jsonschema.Text()).Example(example)
	return &filter{
		Param: key.Param(takes, kind.Assigned(), doc, param.LegacyItems(jsonschema.TypeInt)), index: index, hides: true,
		apply: func(q *query) error {
			if a, given := key.Get(q.values); given {
				q.terms = append(q.terms, a.Terms)
				q.links.AddList(string(key), a.Items)
			}
			return nil
		},
	}
}

// degrees is a latitude or longitude, which geo reads.
func degrees(key param.Key[float64], limit float64, index int, doc param.Option) *filter {
	takes := jsonschema.Number().From(-limit).To(limit)
	return &filter{Param: key.Param(takes, param.Checked(coordinate(limit)), param.LegacyFormat("double"), doc), index: index, hides: true}
}

// search finds events by words.
func (k *Kind) search(q *query) error {
	if !item.Search.In(q.values) {
		return nil
	}
	text := item.Search.Value(q.values)
	q.links.Add(string(item.Search), text)
	terms, impossible := termsOf(text)
	if q.impossible = impossible; terms != nil {
		q.where(k.Lists.Searching(terms))
	}
	return nil
}

// status selects events by their state, as far as the caller may read them.
func (k *Kind) status(q *query) error {
	visible, printed := k.Service.Visible(q.ctx, q.call, k.Type.PostType)
	if q.Visible = visible; printed != "" {
		q.links.Add(content.FieldStatus, printed)
	}
	return nil
}

func childOf(q *query) error {
	if id := paramParent.Value(q.values); id != 0 {
		q.where(eventlist.ChildOf(id))
		q.links.Add(string(paramParent), itoa(id))
	}
	return nil
}

func among(q *query) error {
	if ids, given := paramInclude.Get(q.values); given {
		q.where(eventlist.Among(ids))
		q.Order = eventlist.ByPostDate
		q.links.AddList(string(paramInclude), texts(ids))
	}
	return nil
}

func featured(q *query, on bool) error {
	q.where(eventlist.Featured(on))
	q.links.Add(string(paramFeatured), oneOrZero(on))
	return nil
}

// ticketed selects events with tickets.
func (k *Kind) ticketed(q *query, has bool) error {
	q.links.Add(string(paramTicketed), strconv.FormatBool(has))
	events, err := k.Service.Content.Store.Events.Ticketed(q.ctx)
	if has {
		q.where(eventlist.Among(events))
	} else {
		q.where(eventlist.NotAmong(events))
	}
	return err
}

// readable looks up ids of posts of a type that the caller may read; others are
// unknown.
func (k *Kind) readable(postType, message string) param.Rule[[]int64] {
	check := func(ctx context.Context, v any) ([]int64, error) {
		ids, err := param.IDs(ctx, v)
		if err != nil {
			return nil, param.Invalid(message)
		}
		return ids, nil
	}
	return param.LookedUp(check, func(ctx context.Context, ids []int64) ([]int64, error) {
		found, err := k.Service.Content.Store.Posts.Access(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			a := found[id]
			if a.Type != postType || !k.Service.Content.CanRead(ctx, &store.Post{Author: a.Author, Status: a.Status, Type: a.Type}) {
				return nil, param.Invalid(message)
			}
		}
		return ids, nil
	})
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

// checkStrict reads strict_dates: 1, true, on and yes are true, any other text is
// false; an empty one or a list is refused.
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
