package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// askLanguages reports whether items have languages, which post types and taxonomies do, and why (D90).
func askLanguages(ctx context.Context, p *examinedDB) ([]Finding, error) {
	forms, err := p.languageForms(ctx)
	if err != nil || len(forms) == 0 {
		return nil, err
	}
	options, _, err := p.options(ctx, LanguageOptions()...)
	if err != nil {
		return nil, err
	}
	for _, form := range forms {
		if s := LanguagesOf(options, form, false); s.Active {
			return []Finding{finding(OK, "", "", "%s", s.describe(form, p.names))}, nil
		}
	}
	var unused []string
	for _, form := range forms {
		unused = append(unused, languagePlugins[form][0])
	}
	return []Finding{finding(Warning, "", fmt.Sprintf("if it is a must-use plugin, serve with --translations %s", forms[0]),
		"languages of items are stored, but their plugin (%s) is off: all items belong to every language",
		strings.Join(unused, ", "))}, nil
}

// describe says which post types and taxonomies have languages.
func (s *LanguageSettings) describe(form LanguageForm, names Names) string {
	why := "the plugin " + s.By + " is active"
	if s.By == OptionOwn {
		why = "the site was made by agenda"
	}
	var has, lacks []string
	for _, kind := range []string{names.Event, names.Venue, names.Organizer, names.Category, names.Tag} {
		if s.Has(kind) {
			has = append(has, kind)
		} else {
			lacks = append(lacks, kind)
		}
	}
	text := fmt.Sprintf("%s: items have languages, stored in the form %q", why, form)
	if len(lacks) > 0 {
		text += ": of " + strings.Join(has, ", ") + "; those of " + strings.Join(lacks, ", ") + " belong to every language"
	}
	return text
}

// languageForms returns the forms in which the database stores languages.
func (p *examinedDB) languageForms(ctx context.Context) (forms []LanguageForm, err error) {
	absent, _, err := probe(ctx, p, p.prefix, []string{translations.name})
	if err != nil {
		return nil, err
	}
	if len(absent) == 0 {
		forms = append(forms, LanguagesInTable)
	}
	var found []string
	err = p.NewSelect().TableExpr("?(prefix)term_taxonomy").ColumnExpr("DISTINCT taxonomy").
		Where("taxonomy IN (?)", bun.List([]string{"language", "term_language"})).Scan(ctx, &found)
	if len(found) == 2 && slices.Contains(found, "language") {
		forms = append(forms, LanguagesInTerms)
	}
	return forms, err
}
