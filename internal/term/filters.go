package term

import (
	"context"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
)

// Parameters of lists.
const (
	paramExclude   param.Key[Assigned] = "exclude"
	paramInclude   param.Key[Assigned] = "include"
	paramHideEmpty param.Key[bool]     = "hide_empty"
	paramParent    param.Key[int64]    = "parent"
	paramPost      param.Key[int64]    = "post"
	paramEvent     param.Key[int64]    = "event"
	paramSlug      param.Key[string]   = "slug"
)

// query collects what the parameters of a list select, for the store.
type query struct {
	*store.TermFilter
	item.Selection
}

// filter returns a filter whose parameter is repeated in the URLs of other pages as it was given. apply is called with
// the given or the default value, if there is one.
func filter[T any](key param.Key[T], p *param.Param, apply func(*query, T)) *item.Filter[*query] {
	return &item.Filter[*query]{Param: p, Apply: func(q *query) error {
		carry(q.Values(), q.Links, key)
		if v, given := key.Get(q.Values()); given {
			apply(q, v)
		}
		return nil
	}}
}

// listFilters returns the filters of the list, in the order in which URLs of other pages repeat them.
func (k *UseCases) listFilters() item.Filters[*query] {
	doc, word := param.DocIn(k.Texts.Params), param.Checked(param.Text)
	names, id := jsonschema.List(jsonschema.Text()).AtLeast(1).UpTo(param.MaxList), jsonschema.Int().From(1)
	orders := []string{"name", "id", "slug", "count", "description", "term_group", "include"}
	if k.Tree {
		orders = append(orders, "parent")
	}
	hideEmpty := filter(paramHideEmpty,
		paramHideEmpty.Param(jsonschema.Bool().Default(true), nil, doc, param.Default("1")),
		func(q *query, hide bool) { q.NonEmpty = hide && q.Call.Sync == nil })
	hideEmpty.Moves = func(q *query) bool { return paramHideEmpty.Value(q.Values()) } // counts change without the terms
	order := item.OrderShape().Default("asc").OrText(1, param.MaxSearch)
	by := jsonschema.Words(orders...).Default("name").OrText(1, param.MaxSearch)
	list := item.Filters[*query]{
		filter(item.Search, item.SearchParam(doc), func(q *query, text string) { q.Search = text }),
		filter(paramExclude, paramExclude.Param(names, k.Assigned(), doc), exclude),
		filter(paramInclude, paramInclude.Param(names, k.Assigned(), doc), include),
		filter(item.Order, item.Order.Param(order, word, doc), inOrder),
		filter(item.OrderBy, item.OrderBy.Param(by, word, doc), orderBy),
		hideEmpty,
	}
	if k.Tree {
		known := param.LookedUp(param.IntegerOrZero, k.knownParent(k.Texts.Unknown))
		list = append(list, filter(paramParent, paramParent.Param(jsonschema.Int().From(0), known, doc),
			func(q *query, parent int64) { q.Parent = &parent }))
	}
	post := filter(paramPost, paramPost.Param(id, k.Service.ReadableEvent(), doc), ofPost)
	event := filter(paramEvent, paramEvent.Param(id, k.Service.ReadableEvent(), doc), ofPost)
	post.Moves, event.Moves = item.Always[*query], item.Always[*query]
	return append(list,
		post, event,
		filter(paramSlug, paramSlug.Param(jsonschema.Text().Chars(1, param.MaxSearch).Example("music"), word, doc),
			withSlug),
	)
}

func exclude(q *query, a Assigned) { q.Exclude = a.ids }

// include selects terms. Then none are excluded.
func include(q *query, a Assigned) { q.Include, q.Exclude = a.ids, nil }

// ofPost selects the terms of a post, including terms that count as empty.
func ofPost(q *query, post int64) { q.Object = &post }

func withSlug(q *query, slug string) {
	slug = site.From(q.Ctx).Slug(slug)
	q.Slug = &slug
}

// inOrder sets the direction. "0" counts as absent.
func inOrder(q *query, order string) {
	q.Descending = order != "" && order != "0" && !strings.EqualFold(order, "asc")
}

func orderBy(q *query, by string) {
	if q.Order = store.TermOrder(by); by == "term_id" {
		q.Order = store.TermsByID
	}
}

// knownParent returns a check that a term with an id above 0 exists. message is the message id if it does not.
func (k *UseCases) knownParent(message string) func(context.Context, int64) (int64, error) {
	return func(ctx context.Context, id int64) (int64, error) {
		if id == 0 {
			return 0, nil
		}
		found, err := k.Service.Content.Store.Terms.Matching(ctx, k.Taxonomy, []int64{id}, nil, nil)
		if err == nil && len(found) == 0 {
			err = param.Invalid(message)
		}
		return id, err
	}
}

// carry repeats the given values of parameters in the URLs of other pages.
func carry[T any](v *param.Values, links *call.Query, keys ...param.Key[T]) {
	for _, key := range keys {
		given := key.Given(v)
		if given == nil {
			continue
		}
		switch x := any(*given).(type) {
		case string:
			links.Add(string(key), x)
		case int64:
			links.Add(string(key), strconv.FormatInt(x, 10))
		case bool:
			links.Add(string(key), map[bool]string{true: "1", false: "0"}[x])
		case Assigned:
			links.AddList(string(key), x.Items)
		}
	}
}
