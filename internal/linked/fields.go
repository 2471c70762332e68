package linked

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Text returns a text field, which is omitted from responses if it is empty. doc is the message id of the description of
// its parameter.
func (k *UseCases) Text(key param.Key[string], meta, doc string) *item.Field {
	shown, takes := jsonschema.Text(), jsonschema.Text()
	if !k.TextsOnly {
		shown = shown.Chars(1, 0)
	}
	if key == "email" {
		takes = takes.Example("info@example.org")
	}
	return &item.Field{
		Name: string(key), Shape: shown, Maybe: true, Sparse: true, Masked: `""`, Keys: []string{meta},
		Text:  func(it *item.Item) string { return it.Meta.Text(meta) },
		Param: func(bool) *param.Param { return key.Param(takes, param.Checked(param.String), param.Doc(doc)) },
		Apply: func(_ context.Context, in *item.Input, e *content.Edit) error {
			// On a stored item, an empty string does not add a row.
			if given := key.Given(in.Values); given != nil {
				value := wp.TextField(*given)
				if err := item.CheckShort(string(key), value, e.Text(meta), *given); err != nil {
					return err
				}
				if value != "" || e.New() || e.Has(meta) {
					e.Set(meta, value)
				}
			}
			return nil
		},
	}
}

// distinct marks a field whose values distinguish items with the same name.
func distinct(f *item.Field) *item.Field {
	f.Distinct = true
	return f
}

// Website returns a text field that contains a URL.
func (k *UseCases) Website(meta, doc string) *item.Field {
	const key param.Key[string] = "website"
	f := k.Text(key, meta, doc)
	f.Shape = f.Shape.Example("https://example.org/")
	f.Param = func(bool) *param.Param {
		return key.Param(jsonschema.Text().Example("https://example.org/"), param.Checked(CheckWebsite), param.Doc(doc))
	}
	return f
}

// nameless reports whether the name of a new item is missing or blank.
func nameless(in *item.Input) bool {
	return in.Shared.Title == nil || phpval.Trim(*in.Shared.Title) == ""
}

func (k *UseCases) input(v *param.Values) *item.Input {
	return item.NewInput(v, param.Key[string](k.Title))
}
