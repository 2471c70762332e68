package place

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// param declares the parameter of one of the kind's own fields.
func (k *Kind) param(key param.Key[string], takes *shape.Shape, rule param.Rule[string], typed param.Option) *param.Param {
	return key.Param(takes, rule, typed, param.Default(nil), resource.FieldDoc(k.Collection))
}

// Text is a text field, which is left out without a value.
func (k *Kind) Text(key param.Key[string], meta string, index int) *resource.Field {
	shown, takes := shape.Text(), shape.Text()
	if !k.TextsOnly {
		shown = shown.Chars(1, 0)
	}
	if key == "email" {
		takes = takes.Example("info@example.org")
	}
	return &resource.Field{
		Name: string(key), Shape: shown, Maybe: true, Sparse: true, Masked: `""`, Keys: []string{meta}, Index: index,
		Text:  func(it *resource.Item) string { return it.Meta.Text(meta) },
		Param: func(bool) *param.Param { return k.param(key, takes, param.Checked(param.String), param.Typed()) },
		Apply: func(_ context.Context, in *resource.Input, e *content.Edit) error {
			// On a stored item an empty text adds no row.
			if given := key.Given(in.Values); given != nil {
				if value := wp.TextField(*given); value != "" || e.New() || e.Has(meta) {
					e.Set(meta, value)
				}
			}
			return nil
		},
	}
}

// Website is the text field with an address.
func (k *Kind) Website(meta string, index int) *resource.Field {
	const key param.Key[string] = "website"
	f := k.Text(key, meta, index)
	f.Shape = f.Shape.Example("https://example.org/")
	f.Param = func(bool) *param.Param {
		return k.param(key, shape.Text().Example("https://example.org/"), param.Checked(CheckWebsite), param.Typed())
	}
	return f
}

// writeParams declares the fields that writes take, in the order of the index. Nested
// in an event, values of texts may have other types that the checks can read: a
// switch may be a boolean.
func (k *Kind) writeParams(create, nested bool) []*param.Param {
	list := k.Fields.Params(create, nested)
	for _, p := range list {
		if nested && p.Type == shape.TypeText {
			param.AnyType()(p)
		}
	}
	return list
}

// nameless reports whether the name of a new item is blank.
func nameless(in *resource.Input) bool {
	return in.Shared.Title == nil || phpval.Trim(*in.Shared.Title) == ""
}

func (k *Kind) input(r *rest.Request, v *param.Values) *resource.Input {
	return resource.NewInput(r, v, k.title)
}
