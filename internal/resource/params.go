package resource

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Page returns the parameters that page through a list.
func (s *Service) Page(kind string) []*param.Param {
	return []*param.Param{
		param.New("page", param.Default(int64(1)), param.Doc("param_"+kind+"_page"), param.Type(param.Integer), param.Checked(param.Positive)),
		param.New("per_page", param.DefaultFunc(s.pageSize), param.Doc("param_"+kind+"_per_page"), param.Type(param.Integer), param.Checked(param.Positive)),
	}
}

// pageSize is the default number of items per page, as the site stored it.
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
	// What is stored is no page size as a request could give it: "10 per page".
	if n := phpval.Int(phpval.Text(v)); n > 0 {
		return min(n, s.MaxPageSize)
	}
	return "10"
}

// PageOf returns the page and the capped page size of a request.
func (s *Service) PageOf(r *rest.Request) (number, size int64) {
	return param.Value[int64](r.Values, "page"), min(param.Value[int64](r.Values, "per_page"), s.MaxPageSize)
}

// Offset returns the number of items before a page, at most what a database
// takes.
func Offset(number, size int64) int64 {
	const most = 1 << 40
	if number > most/size {
		return most
	}
	return (number - 1) * size
}

// ID is the path's id of an item.
func ID() *param.Param {
	return param.New("id", param.Type(param.Integer), param.Doc("param_id"), param.Required())
}

// Slug is the path's slug of an item, still escaped.
func Slug() *param.Param {
	check := func(_ context.Context, v any) (any, error) {
		s, _ := v.(string)
		if s == "0" || !param.CleanText(param.Unescape(s)) {
			return nil, param.Invalid("fault_slug")
		}
		return s, nil
	}
	return param.New("slug", param.Type(param.String), param.Doc("param_slug"), param.Required(), param.Checked(check))
}

// KnownSlug is the slug of a stored post of a type in the path; its value is the
// *store.Post that find, FindSlug or FindSlugToWrite, says it names. One that
// names none is refused before anything else is asked.
func KnownSlug(postType string, find func(ctx context.Context, postType, raw string) (*store.Post, error)) *param.Param {
	p := Slug()
	readable := p.Check
	p.Check = func(ctx context.Context, v any) (any, error) {
		slug, err := readable(ctx, v)
		if err != nil {
			return nil, err
		}
		p, err := find(ctx, postType, slug.(string))
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, param.Invalid("fault_slug")
		}
		return p, nil
	}
	return p
}

// Context chooses the editor's view of a post.
func Context() *param.Param {
	return param.New("context", param.Doc("param_context"), param.Unlisted(), param.Checked(param.Short(nil)))
}

// Editing tells whether the request asks for the editor's view.
func Editing(r *rest.Request) bool { return param.Value[string](r.Values, "context") == "edit" }

// CarryOn adds to a list's address what every list carries from page to page.
func CarryOn(r *rest.Request, links *rest.Query, names ...string) {
	for _, name := range append([]string{"context"}, names...) {
		if s, ok := r.Values.Get(name).(string); ok && s != "" && r.Values.Given(name) {
			links.Add(name, s)
		}
	}
}

// Password is the password of a protected post. Where it is not declared in
// the index an empty one counts as none.
func Password(listed bool) *param.Param {
	if listed {
		return param.New("password", param.Type(param.String), param.Doc("param_password"), param.Checked(param.Text))
	}
	text := func(_ context.Context, v any) (any, error) {
		s, ok := v.(string)
		if !ok {
			return nil, param.Invalid("fault_nested")
		}
		return s, nil
	}
	return param.New("password", param.Doc("param_password"), param.Unlisted(), param.Checked(text))
}

// Force deletes for good.
func Force() *param.Param {
	return param.New("force", param.Type(param.Boolean), param.Doc("param_force"), param.Unlisted())
}

// Order returns the parameters that order a list.
func Order() []*param.Param {
	word := func(_ context.Context, v any) (any, error) {
		s, ok := param.Scalar(v)
		if !ok {
			return nil, param.Invalid("fault_nested")
		}
		return strings.ToLower(s), nil
	}
	return []*param.Param{
		param.New("orderby", param.Type(param.String), param.Doc("param_orderby"), param.Unlisted(), param.Checked(param.Short(word))),
		param.New("order", param.Type(param.String), param.Doc("param_order"), param.Unlisted(), param.Checked(param.Short(word))),
	}
}

var commas = regexp.MustCompile(`\s*,\s*`)

// Status is the filter by state of a list of posts of a type.
func (s *Service) Status(kind, postType string) *param.Param {
	check := func(ctx context.Context, v any) (any, error) {
		words, err := statusWords(v)
		if err != nil {
			return nil, err
		}
		if !s.EditsType(ctx, postType) {
			if len(words) != 1 || words[0] != schema.StatusPublish {
				return nil, param.Invalid("fault_status")
			}
			return words, nil
		}
		for _, w := range words {
			if !slices.Contains(schema.RegisteredStatuses, w) {
				return nil, param.Invalid("fault_status")
			}
		}
		return param.Distinct(words), nil
	}
	return param.New("status", param.Format(param.String), param.Doc("param_"+kind+"_status"), param.Checked(check))
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

// listed are the states that lists show when no state is asked for.
var listed = []string{schema.StatusPublish, schema.StatusFuture, schema.StatusDraft, schema.StatusPending, schema.StatusPrivate}

// Visible returns which posts of a type a list shows this caller, and the
// states that its address names, "" for none.
func (s *Service) Visible(ctx context.Context, r *rest.Request, postType string) (store.Visible, string) {
	words, given := r.Values.Get("status").([]string)
	printed := strings.Join(words, ",")
	switch {
	case given && len(words) == 0:
		words = []string{schema.StatusPublish, schema.StatusPrivate}
		printed = strings.Join(words, ",")
	case !given && s.EditsType(ctx, postType):
		words = listed
	case !given:
		words, printed = []string{schema.StatusPublish}, schema.StatusPublish
	}
	return s.VisibleIn(ctx, postType, words), printed
}
