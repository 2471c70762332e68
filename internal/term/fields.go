package term

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// maxName is the width of the column wp_terms.name, in characters.
const maxName = 200

// Fields that can be written.
const (
	fieldName        param.Key[string] = "name"
	fieldDescription param.Key[string] = "description"
	fieldSlug                          = paramSlug
	fieldParent                        = paramParent
)

// declareFields declares the fields of a term in the order in which responses contain them, and those of its shorter
// forms.
func (k *UseCases) declareFields() {
	text, doc, at := jsonschema.Text(), param.DocIn(k.Texts.Fields), addresses{k.Collection, k.Tree}
	id := number("id", 12, func(t *store.TaxonomyTerm) int64 { return t.ID })
	count := number("count", 3, func(t *store.TaxonomyTerm) int64 { return t.Count })
	parent := number("parent", 0, func(t *store.TaxonomyTerm) int64 { return t.Parent })
	taxonomy := func(example string) *item.Field {
		return &item.Field{Name: "taxonomy", Shape: text.Example(example), Text: func(it *item.Item) string { return it.Term.Taxonomy }}
	}
	meta := &item.Field{Name: "meta", Shape: jsonschema.EmptyList(), Value: func(w *phpjson.Writer, _ *item.Item) {
		w.Array()
		w.End()
	}}
	url := &item.Field{Name: "url", Shape: text.Example("https://example.org/events/category/music/"), Text: at.page}
	name, description, slug := nameField(doc), descriptionField(doc), slugField(doc)

	k.Fields = item.Fields{id, count, description, name, slug, taxonomy(k.Taxonomy)}
	if k.Tree {
		k.Fields = append(k.Fields, k.parent(parent, doc))
	} else {
		k.Fields = append(k.Fields, noParentField(doc))
	}
	k.Fields = append(k.Fields, meta, url, at.urls(parentOf), item.TermLanguage(), item.TermTranslations(at.pageIn),
		at.links(parentOf), item.OmittedField())
	k.embedded = item.Fields{id, name, slug, taxonomy(k.Taxonomy), url, at.urls(noParent), item.TermLanguage(),
		item.TermTranslations(at.pageIn), at.links(noParent)}
	k.unviewed = item.Fields{at.links(parentOf)}
	k.Nested = item.Fields{
		name, slug, counter("term_group", func(t *store.TaxonomyTerm) int64 { return t.Group }),
		number("term_taxonomy_id", 12, func(t *store.TaxonomyTerm) int64 { return t.TaxonomyID }), taxonomy("category"), description,
		parent, count,
		{Name: "filter", Shape: jsonschema.Only("raw"), Text: func(*item.Item) string { return "raw" }},
		id, at.urls(parentOf), item.TermLanguage(), item.OmittedField(),
	}
}

// counter returns a field with a number that cannot be written.
func counter(name string, of func(*store.TaxonomyTerm) int64) *item.Field {
	return &item.Field{Name: name, Shape: jsonschema.Int(), Value: func(w *phpjson.Writer, it *item.Item) { w.Int(of(it.Term)) }}
}

// number is like counter, with an example.
func number(name string, example int, of func(*store.TaxonomyTerm) int64) *item.Field {
	f := counter(name, of)
	f.Shape = f.Shape.Example(example)
	return f
}

// nameField returns the field with a term's name, which is required.
func nameField(doc param.Option) *item.Field {
	example := jsonschema.Text().Example("Music")
	return &item.Field{
		Name: string(fieldName), Shape: example, Doc: "doc_field_term_name", Required: true,
		Text: func(it *item.Item) string { return it.Term.Name },
		Param: func(bool) *param.Param {
			return fieldName.Param(example.Chars(1, maxName), param.Checked(param.Filled), doc)
		},
		ApplyTerm: func(_ context.Context, v *param.Values, t *store.TaxonomyTerm) error {
			given := fieldName.Given(v)
			if given == nil {
				return nil
			}
			t.Name = wp.TermName(*given)
			if wrong := nameFault(t.Name); wrong != nil {
				return param.Refuse(string(fieldName), wrong)
			}
			return nil
		},
	}
}

// descriptionField returns the field with a term's description, which may be empty.
func descriptionField(doc param.Option) *item.Field {
	return &item.Field{
		Name: string(fieldDescription), Shape: jsonschema.Text(), Texts: store.Descriptions,
		Text: func(it *item.Item) string { return it.Term.Description },
		Param: func(bool) *param.Param {
			return fieldDescription.Param(jsonschema.Text(), param.Checked(checkDescription), doc)
		},
		ApplyTerm: func(ctx context.Context, v *param.Values, t *store.TaxonomyTerm) error {
			if given := fieldDescription.Given(v); given != nil {
				t.Description = wp.TermDescription(*given, site.From(ctx).WordPress)
			}
			return nil
		},
	}
}

// slugField returns the field with a term's slug. An empty slug changes nothing.
func slugField(doc param.Option) *item.Field {
	example := jsonschema.Text().Example("music")
	return &item.Field{
		Name: string(fieldSlug), Shape: example,
		Text: func(it *item.Item) string { return it.Term.Slug },
		Param: func(bool) *param.Param {
			return fieldSlug.Param(example.Chars(1, 0), param.Checked(param.Filled), doc)
		},
		ApplyTerm: func(ctx context.Context, v *param.Values, t *store.TaxonomyTerm) error {
			if given := fieldSlug.Given(v); given != nil {
				if slug := site.From(ctx).Slug(*given); slug != "" {
					t.Slug = slug
				}
			}
			return nil
		},
	}
}

// parent makes the field with the parent's id writable; 0 means no parent.
func (k *UseCases) parent(shown *item.Field, doc param.Option) *item.Field {
	f := *shown
	f.Param = func(bool) *param.Param {
		return fieldParent.Param(jsonschema.Int().From(0).Example(0), param.LookedUp(termID(k.Texts.UnknownID),
			k.knownParent(k.Texts.UnknownID)), doc)
	}
	f.ApplyTerm = func(_ context.Context, v *param.Values, t *store.TaxonomyTerm) error {
		if given := fieldParent.Given(v); given != nil {
			t.Parent = *given
		}
		return nil
	}
	return &f
}

// noParentField returns the parent's field of a flat taxonomy. It is declared only so that requests with it are
// rejected.
func noParentField(doc param.Option) *item.Field {
	return &item.Field{
		Name: string(fieldParent),
		Param: func(bool) *param.Param {
			return fieldParent.Param(jsonschema.Null(), nil, doc, param.Unlisted()) // not listed anywhere, as if it did not exist
		},
	}
}

// checkDescription also accepts an empty string.
func checkDescription(ctx context.Context, v any) (string, error) {
	if v == "" {
		return "", nil
	}
	return param.Filled(ctx, v)
}

// termID returns a check that accepts the id of a term, or 0 for the top level. message is the message id for other
// values.
func termID(message string) func(context.Context, any) (int64, error) {
	return func(_ context.Context, v any) (int64, error) {
		id, ok := param.Integer(v)
		if !ok {
			return 0, param.Invalid(message)
		}
		return id, nil
	}
}

// checkFields rejects values that no term of this taxonomy can have.
func (k *UseCases) checkFields(ctx context.Context, v *param.Values) error {
	if !k.Tree && fieldParent.IsGiven(v) {
		return k.Errors.Flat
	}
	return k.Fields.ApplyTerm(ctx, v, &store.TaxonomyTerm{}, nil)
}

// nameFault returns what is wrong with a name, in the form in which it is stored, or nil.
func nameFault(name string) *param.Fault {
	switch {
	case strings.TrimSpace(name) == "":
		return param.Invalid("fault_blank")
	case utf8.RuneCountInString(name) > maxName:
		return param.Invalid("fault_too_long", "Max", maxName)
	}
	return nil
}
