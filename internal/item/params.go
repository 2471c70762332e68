package item

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Parameters of several resources.
const (
	Page     param.Key[int64]    = "page"
	PerPage  param.Key[int64]    = "per_page"
	Search   param.Key[string]   = "search"
	OrderBy  param.Key[string]   = "orderby"
	Order    param.Key[string]   = "order"
	Force    param.Key[bool]     = "force"
	view     param.Key[string]   = "context"
	password param.Key[string]   = "password"
	statuses param.Key[[]string] = content.FieldStatus
)

// pageParams returns the parameters for the pages of a list. docs are the message ids of their descriptions, by name.
func (s *Service) pageParams(docs map[string]string) []*param.Param {
	size, rule, doc := jsonschema.Int().From(1), param.Checked(param.Positive), param.DocIn(docs)
	return []*param.Param{
		Page.Param(size.Default(1), rule, param.Default(int64(1)), doc),
		PerPage.Param(size.Example(10), rule, param.DefaultFunc(s.pageSize), doc),
	}
}

// pageSize returns the default number of items per page, as configured by the host or stored by the site.
func (s *Service) pageSize(ctx context.Context) any {
	if s.PageSize > 0 {
		return s.PageSize
	}
	v := site.From(ctx).PageSize
	if _, ok := v.(int64); !ok {
		v = phpval.Text(v)
	}
	if _, err := param.Positive(ctx, v); err == nil {
		return v
	}
	// WordPress reads a stored value such as "10 per page" as a number, which a parameter of a request would not.
	if n := phpval.Int(phpval.Text(v)); n > 0 {
		return min(n, s.MaxPageSize)
	}
	return "10"
}

// PageOf returns the page number and the page size of a request, limited to the maximum.
func (s *Service) PageOf(c *call.Call) (number, size int64) {
	return Page.Value(c.Values), min(PerPage.Value(c.Values), s.MaxPageSize)
}

// Offset returns the number of items before a page, limited to what databases accept.
func Offset(number, size int64) int64 {
	const most = 1 << 40
	if number > most/size {
		return most
	}
	return (number - 1) * size
}

// SearchParam declares the search parameter of a list.
func SearchParam(doc param.Option) *param.Param {
	takes := jsonschema.Text().Chars(1, param.MaxSearch).Example("jazz")
	return Search.Param(takes, param.Checked(param.Search), doc, param.Sought())
}

// ID declares the id of an item in the path.
func ID[T any](id param.Key[T], example int, rule param.Rule[T]) *param.Param {
	declared := id.Param(jsonschema.Int().From(0).Example(example), rule, param.Doc("param_id"), param.Required())
	return pathIndex.Arrange([]*param.Param{declared})[0]
}

// Slug declares the slug of an item in the path. Its rule receives the slug still escaped.
func Slug[T any](slug param.Key[T], rule param.Rule[T]) *param.Param {
	takes := jsonschema.Text().Chars(1, 0).Example("summer-concert")
	return pathIndex.Arrange([]*param.Param{slug.Param(takes, rule, param.Doc("param_slug"), param.Required())})[0]
}

// CheckSlug accepts a slug of a path.
func CheckSlug(_ context.Context, v any) (string, error) {
	slug, _ := v.(string)
	if slug == "0" || !param.CleanText(param.Unescape(slug)) {
		return "", param.Invalid("fault_slug")
	}
	return slug, nil
}

// KnownSlug looks up the post of a type by its slug with find, which is FindSlug or FindSlugToWrite. An unknown slug is
// rejected before any other check.
func KnownSlug(postType string, find func(ctx context.Context, postType, raw string) (*store.Post, error)) param.Rule[*store.Post] {
	return param.LookedUp(CheckSlug, func(ctx context.Context, slug string) (*store.Post, error) {
		p, err := find(ctx, postType, slug)
		if err == nil && p == nil {
			err = param.Invalid("fault_slug")
		}
		return p, err
	})
}

// ForceParam declares the parameter that deletes a post instead of moving it to the trash.
func ForceParam() *param.Param {
	return Force.Param(jsonschema.Bool().Default(false), nil, param.Doc("param_force"), param.Unlisted())
}

// viewParam declares the parameter that chooses a view. name is the name of its enumeration in the documentation.
func viewParam(name string, views ...string) *param.Param {
	takes := jsonschema.Words(views...).As(name).Default(views[0]).OrText(0, param.MaxSearch)
	return view.Param(takes, param.Checked(param.StringOrEmpty), param.Doc("param_context"), param.Untyped(), param.Unlisted())
}

// ViewOf returns the view that a request asks for, or "".
func ViewOf(c *call.Call) string { return view.Value(c.Values) }

// Editing reports whether the request asks for the view for editing.
func Editing(c *call.Call) bool { return ViewOf(c) == "edit" }

// CarryOn adds the parameters to the URLs of a list's pages that apply to any list.
func (s *Service) CarryOn(c *call.Call, links *call.Query) {
	keys := []param.Key[string]{view}
	for _, p := range s.LanguageParams() {
		keys = append(keys, param.Key[string](p.Name))
	}
	for _, key := range keys {
		if given := key.Given(c.Values); given != nil && *given != "" {
			links.Add(string(key), *given)
		}
	}
}

// Password declares the password of a protected post. If it is not listed in the index, an empty password counts as
// absent.
func Password(listed bool) *param.Param {
	if listed {
		declared := password.Param(jsonschema.Text().Chars(1, 0), param.Checked(param.Text), param.Doc("param_password"),
			param.InQuery(), param.Secret())
		return pathIndex.Arrange([]*param.Param{declared})[0]
	}
	return password.Param(jsonschema.Text(), param.Checked(param.Plain), param.Doc("param_password"), param.Untyped(), param.Unlisted(),
		param.Secret())
}

// OrderParams returns the parameters that order a list by one of fields. The first is the default.
func OrderParams(fields ...string) []*param.Param {
	word := param.Checked(func(ctx context.Context, v any) (string, error) {
		s, err := param.AnyScalar(ctx, v)
		return strings.ToLower(s), err
	})
	by, order := jsonschema.Words(fields...).Default(fields[0]).OrText(0, param.MaxSearch), OrderShape().OrText(0, param.MaxSearch)
	return []*param.Param{
		OrderBy.Param(by, word, param.Doc("param_orderby"), param.Unlisted()),
		Order.Param(order, word, param.Doc("param_order"), param.Unlisted()),
	}
}

// OrderShape returns the schema of a sort direction.
func OrderShape() *jsonschema.Schema { return jsonschema.Words("asc", "desc").As("Order") }

var commas = regexp.MustCompile(`\s*,\s*`)

// StatusParam declares the filter of a list of posts by status.
func (s *Service) StatusParam(postType string, doc param.Option) *param.Param {
	check := func(ctx context.Context, v any) ([]string, error) {
		words, err := statusWords(v)
		if err != nil {
			return nil, err
		}
		unknown := slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(schema.RegisteredStatuses, w) })
		if unknown || !content.EditsType(ctx, postType) && !slices.Equal(words, []string{schema.StatusPublish}) {
			return nil, param.Invalid("fault_status")
		}
		return param.Distinct(words), nil
	}
	return statuses.Param(jsonschema.List(statusShape()).UpTo(param.MaxList), param.Checked(check), doc)
}

func statusWords(v any) ([]string, error) {
	words := []string{}
	if list, ok := param.Elements(v); ok {
		for _, x := range list {
			s, ok := param.Scalar(x)
			if !ok || len(words) >= param.MaxList {
				return nil, param.Invalid("fault_status")
			}
			words = append(words, s)
		}
		return words, nil
	}
	s, _ := param.Scalar(v)
	for _, w := range commas.Split(s, param.MaxList) {
		if w != "" {
			words = append(words, w)
		}
	}
	return words, nil
}

// listed are the statuses in a list without a status filter.
var listed = []string{schema.StatusPublish, schema.StatusFuture, schema.StatusDraft, schema.StatusPending, schema.StatusPrivate}

// Visible returns which posts of a type a list shows to the caller, and the statuses for the URLs of other pages, ""
// for none.
func (s *Service) Visible(ctx context.Context, c *call.Call, postType string) (store.Visible, string) {
	words, given := statuses.Get(c.Values)
	switch {
	case !given && (c.Sync != nil || content.EditsType(ctx, postType)):
		return s.Content.Types.VisibleIn(ctx, postType, listed), ""
	case !given:
		words = []string{schema.StatusPublish}
	case len(words) == 0:
		words = []string{schema.StatusPublish, schema.StatusPrivate}
	}
	return s.Content.Types.VisibleIn(ctx, postType, words), strings.Join(words, ",")
}
