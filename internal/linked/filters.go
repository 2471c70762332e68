package linked

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
)

// Parameters of lists.
const (
	paramEvent    param.Key[item.Linking] = "event"
	paramHas      param.Key[bool]         = "has_events"
	paramUpcoming param.Key[bool]         = "only_with_upcoming"
)

// query is a list between a request's parameters and the store.
type query struct {
	*store.LinkedFilter
	item.Selection
	event    *item.Linking // whose posts are selected, nil for those of all
	has      *bool         // whether an event links them, nil for either
	upcoming bool          // an upcoming event links them
	view     *item.View
	near     bool // posts around a point
}

// listFilters are the filters of the list, in the order of the addresses of other pages. None
// selects by what a password hides: who may not edit all posts sees no protected ones in lists.
func (k *UseCases) listFilters() item.Filters[*query] {
	doc, truthy := param.DocIn(k.Texts.Params), param.Checked(param.Truthy)
	event := paramEvent.Param(jsonschema.Int().From(1).Example(123), k.Service.LinkingEvent(k.Type), doc)
	has := paramHas.Param(jsonschema.Bool().OrText(0, param.MaxSearch), truthy, doc, param.Untyped())
	upcoming := paramUpcoming.Param(jsonschema.Bool().Default(false).OrText(0, param.MaxSearch), truthy, doc, param.Default(false),
		param.Untyped())
	list := item.Filters[*query]{
		{Param: event, Moves: item.Always[*query], Apply: ofEvent},
		{Param: has, Moves: item.Always[*query], Apply: withEvents},
		{Param: k.Service.StatusParam(k.Type.PostType, doc), Apply: k.status},
		{Param: item.SearchParam(doc), Apply: search},
		{Param: upcoming, Moves: item.Always[*query], Apply: withUpcoming},
	}
	if k.Located {
		near, within := item.NearParams("param_venues_near")
		list = append(list, &item.Filter[*query]{Param: near, Moves: item.Always[*query], Apply: k.around},
			&item.Filter[*query]{Param: within})
	}
	return list
}

// around selects posts by how far they are from a point, the nearest first unless another order is asked for.
func (k *UseCases) around(q *query) error {
	found, asked, err := q.Near(k.Service, q.view, k.Type.PostType)
	if !asked || err != nil {
		return err
	}
	q.Ranked = slices.SortedFunc(maps.Keys(found), func(a, b int64) int {
		return cmp.Or(cmp.Compare(found[a], found[b]), cmp.Compare(a, b))
	})
	q.near = true
	narrow(q.LinkedFilter, q.Ranked)
	return nil
}

// ofEvent selects the posts of one event.
func ofEvent(q *query) error {
	if event, given := paramEvent.Get(q.Values()); given {
		q.event = &event
		q.Links.Add(string(paramEvent), format(event.ID))
	}
	return nil
}

// withEvents selects by whether an event links a post.
func withEvents(q *query) error {
	if has, given := paramHas.Get(q.Values()); given {
		q.has = &has
		q.Links.Add(string(paramHas), paramHas.Raw(q.Values()))
	}
	return nil
}

// withUpcoming selects by whether an upcoming event links a post.
func withUpcoming(q *query) error {
	q.upcoming = paramUpcoming.Value(q.Values())
	if paramUpcoming.In(q.Values()) {
		q.Links.Add(string(paramUpcoming), paramUpcoming.Raw(q.Values()))
	}
	return nil
}

// status selects posts by their state, as far as the caller may read them.
func (k *UseCases) status(q *query) error {
	q.Visible = q.VisibleOf(k.Service, k.Type.PostType)
	return nil
}

// search finds posts by words.
func search(q *query) error {
	if s := item.Search.Given(q.Values()); s != nil {
		q.Links.Add(string(item.Search), *s)
		q.Fragments = fragmentsOf(*s)
		q.Nothing = !searchable(q.Fragments)
	}
	return nil
}

// fragmentsOf splits a search text into its runs of letters, digits and hyphens. "0"
// does not count.
func fragmentsOf(s string) []string {
	var list []string
	for f := range strings.FieldsFuncSeq(s, func(c rune) bool { return c != '-' && !unicode.In(c, unicode.L, unicode.M, unicode.Nd) }) {
		if f != "0" {
			list = append(list, f)
		}
	}
	return list
}

// searchable reports whether fragments have a letter or digit and not only hyphens.
func searchable(fragments []string) bool {
	return strings.Trim(strings.Join(fragments, ""), "-") != ""
}
