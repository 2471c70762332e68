package linked

import (
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

// query collects what the parameters of a list select, for the store.
type query struct {
	*store.LinkedFilter
	item.Selection
	event    *item.Linking // event whose linked posts are selected; nil for no restriction
	has      *bool         // whether any event links the posts; nil for no restriction
	upcoming bool          // only posts that an upcoming event links
	near     bool          // only posts near a point
}

// listFilters returns the filters that the lists of all resources have, in the order in which URLs of other pages repeat
// them. None has to hide values that a password protects, because callers who cannot edit all posts do not find
// protected ones in lists.
func (k *UseCases) listFilters() item.Filters[*query] {
	doc, truthy := param.DocIn(k.Texts.Params), param.Checked(param.Truthy)
	event := paramEvent.Param(jsonschema.Int().From(1).Example(123), k.Service.LinkingEvent(&k.Storage), doc)
	has := paramHas.Param(jsonschema.Bool().OrText(0, param.MaxSearch), truthy, doc, param.Untyped())
	upcoming := paramUpcoming.Param(jsonschema.Bool().Default(false).OrText(0, param.MaxSearch), truthy, doc, param.Default(false),
		param.Untyped())
	return item.Filters[*query]{
		{Param: event, Moves: item.Always[*query], Apply: ofEvent},
		{Param: has, Moves: item.Always[*query], Apply: withEvents},
		{Param: k.Service.StatusParam(k.PostType, doc), Apply: k.status},
		{Param: item.SearchParam(doc), Apply: search},
		{Param: upcoming, Moves: item.Always[*query], Apply: withUpcoming},
	}
}

// around selects posts near a point, the nearest first unless another order is requested.
func (k *UseCases) around(q *query) error {
	ids, asked, err := q.Near(k.PostType)
	if !asked || err != nil {
		return err
	}
	q.Ranked, q.near = ids, true
	narrow(q.LinkedFilter, ids)
	return nil
}

// ofEvent selects the posts that one event links.
func ofEvent(q *query) error {
	if event, given := paramEvent.Get(q.Values()); given {
		q.event = &event
		q.Links.Add(string(paramEvent), format(event.ID))
	}
	return nil
}

// withEvents selects the posts that any event links, or those that none links.
func withEvents(q *query) error {
	if has, given := paramHas.Get(q.Values()); given {
		q.has = &has
		q.Links.Add(string(paramHas), paramHas.Raw(q.Values()))
	}
	return nil
}

// withUpcoming selects the posts that an upcoming event links.
func withUpcoming(q *query) error {
	q.upcoming = paramUpcoming.Value(q.Values())
	if paramUpcoming.IsGiven(q.Values()) {
		q.Links.Add(string(paramUpcoming), paramUpcoming.Raw(q.Values()))
	}
	return nil
}

// status selects posts by status, among those that the caller may read.
func (k *UseCases) status(q *query) error {
	q.Visible = q.VisibleOf(k.PostType)
	return nil
}

// search selects posts that contain certain words.
func search(q *query) error {
	if s := item.Search.Given(q.Values()); s != nil {
		q.Links.Add(string(item.Search), *s)
		q.Fragments = fragmentsOf(*s)
		q.Nothing = !searchable(q.Fragments)
	}
	return nil
}

// fragmentsOf splits a search string into runs of letters, digits and hyphens. "0" is ignored.
func fragmentsOf(s string) []string {
	var list []string
	for f := range strings.FieldsFuncSeq(s, func(c rune) bool { return c != '-' && !unicode.In(c, unicode.L, unicode.M, unicode.Nd) }) {
		if f != "0" {
			list = append(list, f)
		}
	}
	return list
}

// searchable reports whether the fragments contain anything but hyphens.
func searchable(fragments []string) bool {
	return strings.Trim(strings.Join(fragments, ""), "-") != ""
}
