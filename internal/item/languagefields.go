package item

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
)

// languageField returns the field for the language of an item on a multilingual site.
func languageField(of func(*Item) string) *Field {
	return &Field{Name: languageMember, Shape: languageShape(), Maybe: true, Absent: withoutLanguages, Text: of}
}

// translationsField returns the field for the translations of an item on a multilingual site.
func translationsField(write func(*phpjson.Writer, *Item)) *Field {
	return &Field{Name: translationsMember, Shape: translationsShape(), Maybe: true, Absent: withoutLanguages, Value: write}
}

// translationOf is the item whose translation a write makes of another one (D100). Answers contain translations instead.
func (s *Service) translationOf() *Field {
	takes := jsonschema.Int().From(0)
	return &Field{
		Name: string(fieldTranslationOf), Shape: takes, Local: true,
		Param: func(bool) *param.Param {
			return fieldTranslationOf.Param(takes.Example(0), nil, param.Doc("param_translation_of"))
		},
		Apply: func(ctx context.Context, in *Input, e *content.Edit) error {
			given := fieldTranslationOf.Given(in.Values)
			if given == nil {
				return nil
			}
			of, err := s.EventOf(ctx, *given) // the event, if the id is that of an occurrence
			e.Translate(of)
			return err
		},
	}
}

// withoutLanguages reports whether items of this type have no language.
func withoutLanguages(it *Item) bool {
	if it.Term != nil {
		return it.Versions == nil || !it.Versions.has(it.Term.Taxonomy)
	}
	return it.Versions == nil || !it.Versions.has(it.Post.Type)
}

// TermLanguage returns the field for the language of a term.
func TermLanguage() *Field {
	return languageField(func(it *Item) string { return it.Versions.termLanguage(it.Term) })
}

// TermTranslations returns the field for the translations of a term. address returns the URL of the page of a term in
// the same taxonomy.
func TermTranslations(address func(*Item, *permalink.Linker, *store.TaxonomyTerm) string) *Field {
	return translationsField(func(w *phpjson.Writer, it *Item) {
		it.Versions.writeTerms(it.Ctx, w, it.Term, func(l *permalink.Linker, t *store.TaxonomyTerm) string { return address(it, l, t) })
	})
}
