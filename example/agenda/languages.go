package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/uptrace/bun"
	"golang.org/x/text/language"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// english is the language of the pages and the API if there are no texts in the site's language.
const english = "en"

// findLanguages sets the language versions if no flag does: the languages of the site for which there are texts, the
// default one first. If items are stored by language, the default one is included even without texts, because another
// version would not show its items.
func (s *settings) findLanguages(ctx context.Context, db *bun.DB, log *slog.Logger) error {
	if s.languages != "" {
		return nil
	}
	bound, err := schema.Bind(db, s.Prefix)
	if err != nil {
		return err
	}
	var codes []string
	st, err := store.New(ctx, store.Config{DB: bound, Names: schema.DefaultNames(), Translations: languageForm(s.translations)})
	if err == nil {
		codes, err = st.Languages.Stored(ctx)
	}
	if errors.Is(err, store.ErrNoTranslations) {
		return cli.Usagef("--translations %s: the site does not store languages in this form", s.translations)
	}
	if err != nil {
		if report, failed := schema.CheckSite(ctx, db, s.Tables()); failed == nil && report.Err() != nil {
			err = report.Err() // it names everything that is missing
		}
		return cli.Usagef("the languages of the site cannot be read: %w", err)
	}
	if len(codes) == 0 {
		site, err := siteSettings(ctx, bound, s.Prefix)
		if err != nil {
			return err
		}
		s.languages = withTexts(localeTag(site.Links.Locale))
		return nil
	}
	var tags, without []string
	for i, code := range codes {
		if _, err := language.Parse(code); err != nil || i > 0 && !pages.HasTexts(code) {
			without = append(without, code)
			continue
		}
		tags = append(tags, code)
	}
	if len(without) > 0 {
		log.Warn("languages of the site without texts are not served: name them with --languages to serve them with English texts",
			"languages", strings.Join(without, ","))
	}
	s.languages = cmp.Or(strings.Join(tags, ","), english)
	return nil
}

// languageForm returns the form in which the site stores languages, from the value of --translations.
func languageForm(translations string) store.Form {
	switch t := calendar.Translations(translations); t {
	case "auto", calendar.TranslationsAuto:
		return store.AnyForm
	case calendar.TranslationsOff:
		return store.UnusedForm
	default:
		return store.Form(t)
	}
}

// withTexts returns a tag without its region, or the tag of English if there are no texts in its language.
func withTexts(tag string) string {
	base, _, _ := strings.Cut(tag, "-")
	if !pages.HasTexts(base) {
		return english
	}
	return base
}

// localeTag returns the language tag of a locale such as nl_NL or de_DE_formal. The empty locale is that of an English
// site.
func localeTag(locale string) string {
	parts := strings.Split(cmp.Or(locale, english), "_")
	tag := strings.Join(parts[:min(len(parts), 2)], "-")
	if _, err := language.Parse(tag); err != nil {
		return parts[0]
	}
	return tag
}
